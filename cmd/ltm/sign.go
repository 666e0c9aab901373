package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store/signing"
	"ltm/store/signing/keyring"
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
			if err := answer(a, r, err, a.printSigned); err != nil || len(r.Refused) == 0 || len(given) == 0 {
				return err
			}
			return errQuiet
		})
	}
	return c
}

func (a *app) printSigned(r api.SignReport) error {
	done := "signed"
	if r.DryRun {
		done = "would sign"
	}
	var lines []string
	for _, s := range r.Signed {
		lines = append(lines, fmt.Sprintf("%s %s: %s", done, s.ID, cell(s.Topic)))
	}
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
	c := &cobra.Command{Use: "verify-signature [ID...]"}
	c.RunE = func(c *cobra.Command, given []string) error {
		none := api.SignatureReport{Memories: []api.Signature{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			r, err := e.Signatures(c.Context(), s.ids)
			if err != nil {
				return err
			}
			e.CountAccesses(c.Context()) // records what was proven
			if err := answer(a, r, nil, a.printSignatures); err != nil {
				return err
			}
			for _, m := range r.Memories {
				if m.Verdict == string(signing.Altered) || len(given) > 0 && m.Verdict != string(signing.Valid) {
					return errQuiet
				}
			}
			return nil
		})
	}
	return c
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
			`a copy, remove "store_id" from .claude/ltm/config.json and sign again (ltm sign)`, a.env().Keys().StoresDir()))
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
