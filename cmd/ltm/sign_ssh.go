package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"

	"ltm/internal/git/gitcmd"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store/signing"
	"ltm/text/safe"
)

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
	if key == "" {
		key = set
	}
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
