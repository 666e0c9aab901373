package main

import (
	"crypto/rand"
	"slices"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/store/signing"
	"ltm/store/signing/keyring"
)

// aKey is the argument that names a key.
const aKey = "the fingerprint of a key"

func (a *app) keyCommand() *cobra.Command {
	c := &cobra.Command{Use: "key", Args: onlyCommands}
	c.RunE = func(*cobra.Command, []string) error { return a.listKeys() }
	c.AddCommand(a.keyNewCommand(), a.keyListCommand(), a.keyShowCommand(), a.keyImportCommand(),
		a.keyUseCommand(), a.keyRemoveCommand())
	return c
}

// keyFacts is a key as answers show it: never the secret.
type keyFacts struct {
	Fingerprint string `json:"fingerprint"`
	Current     bool   `json:"current"`
	File        string `json:"file"`
	Problem     string `json:"problem,omitempty"` // why it is not used
}

type keyList struct {
	Keys []keyFacts `json:"keys"`
}

func factsOf(e keyring.Entry) keyFacts {
	f := keyFacts{Fingerprint: e.Fingerprint, Current: e.Current, File: e.Path}
	if e.Err != nil {
		f.Problem = e.Err.Error()
	}
	return f
}

// answerKey is [answer] for a key, and what was done.
func (a *app) answerKey(done string, e keyring.Entry, err error) error {
	return answer(a, factsOf(e), err, func(f keyFacts) error {
		text := done + " " + f.Fingerprint
		if f.Current {
			text += " (current)"
		}
		return a.println(text)
	})
}

func (a *app) keyNewCommand() *cobra.Command {
	c := &cobra.Command{Use: "new", Args: noArguments()}
	c.RunE = func(*cobra.Command, []string) error {
		e, err := a.env().Keys().Generate(rand.Reader)
		return a.answerKey("made key", e, err)
	}
	return c
}

func (a *app) keyListCommand() *cobra.Command {
	c := &cobra.Command{Use: "list", Aliases: []string{"ls"}, Args: noArguments()}
	c.RunE = func(*cobra.Command, []string) error { return a.listKeys() }
	return c
}

func (a *app) listKeys() error {
	list, err := a.env().Keys().List()
	if err != nil {
		return err
	}
	shown := keyList{[]keyFacts{}}
	for _, e := range list {
		shown.Keys = append(shown.Keys, factsOf(e))
	}
	return answer(a, shown, nil, func(keyList) error {
		return a.tableOr(`no keys; "ltm key new" makes one`, "KEY|STATUS", rowsOf(shown.Keys, func(f keyFacts) []string {
			status := f.Problem
			if f.Current {
				status = "current"
			}
			return []string{f.Fingerprint, field(status)}
		}))
	})
}

func (a *app) keyShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show [FINGERPRINT]", Args: arguments(1)}
	secret := c.Flags().Bool("secret", false, "show the secret on the terminal, or write it to the file of --to")
	to := c.Flags().String("to", "", "with --secret: write to a new `FILE`")
	c.RunE = func(_ *cobra.Command, given []string) error {
		e, err := a.env().Keys().Find(firstArgument(given))
		switch {
		case err != nil:
			return err
		case *to != "" && !*secret:
			return invalid("add --secret", "--to is for a secret")
		case *secret && a.asJSON:
			return invalid("", "--secret and --json exclude each other")
		case *secret:
			return a.showSecret(e, *to)
		case a.asJSON:
			return a.printJSON(factsOf(e))
		}
		f := factsOf(e)
		status := "not current"
		if f.Current {
			status = "current"
		}
		if f.Problem != "" {
			status = f.Problem
		}
		return a.println("fingerprint  "+f.Fingerprint, "status       "+clean(status), "file         "+clean(f.File))
	}
	return c
}

func (a *app) showSecret(e keyring.Entry, to string) error {
	text, err := e.Secret()
	switch {
	case err != nil:
		return err
	case to != "":
		if err := keyring.Save(to, text); err != nil {
			return err
		}
		return a.println("wrote key " + e.Fingerprint + " to " + clean(to))
	case !terminal.Is(a.stdout):
		return invalid("give --to FILE", "a secret is shown on a terminal only, and this is not one")
	}
	_, err = a.stdout.Write(text)
	return err
}

func (a *app) keyImportCommand() *cobra.Command {
	c := &cobra.Command{Use: "import FILE", Args: arguments(1, "a file, or -")}
	c.RunE = func(_ *cobra.Command, given []string) error {
		key, err := a.givenKey(given[0])
		if err != nil {
			return err
		}
		e, err := a.env().Keys().Add(key)
		return a.answerKey("added key", e, err)
	}
	return c
}

// maxKeyInput is the maximum size of a key on standard input.
const maxKeyInput = 4096

func (a *app) givenKey(from string) (signing.Key, error) {
	if from != fromInput {
		return keyring.ReadKey(from)
	}
	a.sayReading("a key")
	data, err := a.readInput(maxKeyInput)
	if err != nil {
		return signing.Key{}, err
	}
	return keyring.ParseKey(data)
}

func (a *app) keyUseCommand() *cobra.Command {
	c := &cobra.Command{Use: "use FINGERPRINT", Args: arguments(1, aKey)}
	c.RunE = func(_ *cobra.Command, given []string) error {
		e, err := a.env().Keys().Use(given[0])
		return a.answerKey("signing with key", e, err)
	}
	return c
}

func (a *app) keyRemoveCommand() *cobra.Command {
	c := &cobra.Command{Use: "rm FINGERPRINT", Aliases: []string{"remove"}, Args: arguments(1, aKey)}
	yes := c.Flags().Bool("yes", false, "do not ask")
	c.RunE = func(_ *cobra.Command, given []string) error {
		found, err := a.env().Keys().Named(given[0])
		if err != nil {
			return err
		}
		question := "Permanently remove the key " + found.Fingerprint + "?"
		if err := a.agree(*yes, question, "a key is removed for good"); err != nil {
			return err
		}
		e, err := a.env().Keys().Remove(found.Fingerprint)
		e.Current = false
		return a.answerKey("removed key", e, err)
	}
	return c
}

// firstArgument returns the first argument, or "".
func firstArgument(given []string) string { return slices.Concat(given, []string{""})[0] }

// completeKeys offers fingerprints.
func (a *app) completeKeys(_ []string, begun string) []string {
	list, err := a.env().Keys().List()
	if err != nil {
		return nil
	}
	var known []string
	for _, e := range list {
		known = append(known, e.Fingerprint)
	}
	return fixed(known...)(nil, begun)
}
