package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/internal/git/gitcmd"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store/signing"
	"ltm/store/signing/keyring"
	"ltm/text/safe"
)

func (a *app) signCommand() *cobra.Command {
	var dryRun, ssh bool
	var key string
	c := &cobra.Command{Use: "sign [ID...]"}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would be signed")
	c.Flags().BoolVar(&ssh, "ssh", false, "sign with an SSH key")
	c.Flags().StringVar(&key, "key", "", "with --ssh: the key in `FILE`, private or public with an agent")
	c.RunE = func(c *cobra.Command, given []string) error {
		if key != "" && !ssh {
			return invalid("add --ssh", "--key is for an SSH key")
		}
		none := api.SignReport{Signed: []api.Signature{}, Refused: []api.Unsigned{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			with, err := a.signing(c.Context(), ssh, key)
			if err != nil {
				return err
			}
			r, err := e.Sign(c.Context(), s.ids, with, dryRun)
			return verdict(a, r, err, len(r.Refused) == 0 || len(given) == 0, a.printSigned)
		})
	}
	return c
}

func (a *app) printSigned(r api.SignReport) error {
	done := "signed"
	if r.DryRun {
		done = "would sign"
	}
	lines := each(r.Signed, func(s api.Signature) string {
		return fmt.Sprintf("%s %s: %s", done, s.ID, cell(s.Topic))
	})
	for _, s := range r.Refused {
		lines = append(lines, fmt.Sprintf("not signed: %s: %s", s.ID, cell(say(s.Reason))))
	}
	total := fmt.Sprintf("%s %s", done, plural.Of(len(r.Signed), "memory", "memories"))
	if r.Kept > 0 {
		total += fmt.Sprintf("; %d signed already", r.Kept)
	}
	if len(r.Refused) > 0 {
		total += fmt.Sprintf("; %d refused", len(r.Refused))
	}
	return a.println(append(lines, total)...)
}

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{Use: "verify-signature [ID...]", RunE: func(c *cobra.Command, given []string) error {
		none := api.SignatureReport{Memories: []api.Signature{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			r, err := e.Signatures(c.Context(), s.ids)
			if err != nil {
				return err
			}
			e.CountAccesses(c.Context()) // records what was proven
			bad := slices.ContainsFunc(r.Memories, func(m api.Signature) bool {
				return m.Verdict == string(signing.Altered) || len(given) > 0 && m.Verdict != string(signing.Valid)
			})
			return verdict(a, r, nil, !bad, a.printSignatures)
		})
	}}
}

func (a *app) printSignatures(r api.SignatureReport) error {
	rows := make([][]string, 0, len(r.Memories))
	valid, ssh, root := 0, false, false
	for _, m := range r.Memories {
		verdict := verdictWords(m.Verdict)
		if m.Verdict == string(signing.Valid) {
			valid++
		}
		ssh = ssh || m.Verdict == string(signing.UnknownKey) && !signing.IsFingerprint(m.Key)
		root = root || m.Verdict == string(signing.OtherRoot)
		rows = append(rows, a.markedRow([]string{string(m.ID), verdict, field(cell(cmp.Or(m.Signer, m.Key))),
			cell(m.Topic)}, 3, !m.Trusted))
	}
	if err := a.table("ID|SIGNATURE|SIGNER|TOPIC", rows); err != nil {
		return err
	}
	if ssh {
		a.notice(a.whyUnknown())
	}
	if root {
		a.notice(fmt.Sprintf("%s says that the store's id belongs to another repository; if this one is yours and not "+
			`a copy, remove "store_id" from .claude/ltm/config.json and sign again (ltm sign)`,
			a.env().Keys().StoresDir()))
	}
	return a.println(fmt.Sprintf("%d of %s validly signed", valid,
		plural.Of(len(r.Memories), "memory is", "memories are")))
}

// verdictWords says what a signature proves.
func verdictWords(verdict string) string {
	switch signing.Verdict(verdict) {
	case signing.None:
		return "not signed"
	case signing.Altered:
		return "altered after signing"
	}
	return verdict
}

// whyUnknown says why SSH signatures can be by unknown keys.
func (a *app) whyUnknown() string {
	list, path, err := a.env().AllowedSigners(a.place())
	switch {
	case errors.Is(err, keyring.ErrInside), errors.Is(err, keyring.ErrRelative):
		return fmt.Sprintf("SSH signatures are not checked: %s is %q, and %v; keep a copy elsewhere",
			wiring.AllowedSetting, path, err)
	case err != nil:
		return fmt.Sprintf("SSH signatures are not checked: %s cannot be read: %v", wiring.AllowedSetting, err)
	case path == "":
		return "SSH signatures are not checked: git has no " + wiring.AllowedSetting
	}
	return fmt.Sprintf("some SSH keys are not in %s (%s for %q), or not now", path,
		plural.Of(len(list), "key", "keys"), signing.Namespace)
}

// signature is what show says about a memory's signature.
func signature(d api.Detail) string {
	text := verdictWords(d.Signature)
	if d.Signer != "" {
		text += " (" + cell(d.Signer) + ")"
	}
	return text
}

// secretSigning signs with the person's current key.
type secretSigning struct{ key signing.Key }

// Sign implements [api.Signing].
func (s secretSigning) Sign(m memory.Memory, store string) (string, error) {
	return s.key.Sign(m, store), nil
}

// Made implements [api.Signing].
func (s secretSigning) Made(string) bool { return true }

const (
	// sshKeygen makes SSH signatures.
	sshKeygen = "ssh-keygen"

	// keySetting is git's setting for the key that commits are signed with.
	keySetting = "user.signingKey"
)

// signing returns what makes signatures: the person's current key, or an SSH key.
func (a *app) signing(ctx context.Context, ssh bool, key string) (api.Signing, error) {
	if !ssh {
		e, err := a.env().Keys().Find("")
		if err != nil {
			return nil, err
		}
		_, current, _ := a.env().Keys().Keys()
		return secretSigning{current}, e.Err
	}
	set, top, err := a.git(a.place()).PathSetting(ctx, keySetting)
	key = cmp.Or(key, set)
	switch {
	case key == "" && err != nil:
		return nil, unusable("give --key FILE", "cannot ask git for "+keySetting, err)
	case key == "":
		return nil, invalid("give --key FILE", "git has no %s", keySetting)
	case strings.HasPrefix(key, "key::") || strings.HasPrefix(key, "ssh-") || strings.HasPrefix(key, "ecdsa-"):
		return nil, invalid("give --key FILE, which may be a public key whose private one an agent has",
			"%s is a key and not the name of a file", keySetting)
	}
	program := gitcmd.LookUp(os.Environ(), top, sshKeygen)
	if program == "" {
		return nil, sshError("cannot find %s on the PATH", sshKeygen)
	}
	return sshSigning{ctx, program, key}, nil
}

func sshError(format string, args ...any) error {
	return memory.NewError(memory.CodeStorage, memory.KindSSHFailed, sshKeygen, format, args...)
}

// sshSigning signs with ssh-keygen, which may ask for a passphrase on the terminal.
type sshSigning struct {
	ctx     context.Context
	program string
	key     string // the file
}

// Made implements [api.Signing].
func (s sshSigning) Made(signature string) bool { return !signing.IsSecret(signature) }

// Sign implements [api.Signing].
func (s sshSigning) Sign(m memory.Memory, store string) (string, error) {
	cmd := exec.CommandContext(s.ctx, s.program, "-Y", "sign", "-n", signing.Namespace, "-f", s.key)
	cmd.Stdin = bytes.NewReader(signing.Bytes(m, store))
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return "", sshError("%s cannot sign with %s: %v: %s", sshKeygen, memory.Quote(s.key, 200), err,
			safe.ClipLine(said, 200))
	}
	signature, err := signing.FromSSH(out.Bytes(), store)
	if err != nil {
		return "", sshError("%s made a signature that ltm cannot store: %v", sshKeygen, err)
	}
	return signature, nil
}

// aKey is the argument that names a key.
const aKey = "the fingerprint of a key"

func (a *app) keyCommand() *cobra.Command {
	list := func(*cobra.Command, []string) error { return a.listKeys() }
	c := &cobra.Command{Use: "key", Args: onlyCommands, RunE: list}
	c.AddCommand(&cobra.Command{Use: "list", Aliases: []string{"ls"}, Args: noArguments(), RunE: list},
		&cobra.Command{Use: "new", Args: noArguments(), RunE: func(*cobra.Command, []string) error {
			e, err := a.env().Keys().Generate(rand.Reader)
			return a.answerKey("made key", e, err)
		}},
		&cobra.Command{Use: "use FINGERPRINT", Args: arguments(1, aKey),
			RunE: func(_ *cobra.Command, given []string) error {
				e, err := a.env().Keys().Use(given[0])
				return a.answerKey("signing with key", e, err)
			}},
		a.keyShowCommand(), a.keyImportCommand(), a.keyRemoveCommand())
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

func (a *app) listKeys() error {
	list, err := a.env().Keys().List()
	shown := keyList{each(list, factsOf)}
	return answer(a, shown, err, func(keyList) error {
		const none = `no keys; "ltm key new" makes one`
		return a.tableOr(none, "KEY|STATUS", each(shown.Keys, func(f keyFacts) []string {
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
		status = cmp.Or(f.Problem, status)
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
	list, _ := a.env().Keys().List()
	return fixed(each(list, func(e keyring.Entry) string { return e.Fingerprint })...)(nil, begun)
}
