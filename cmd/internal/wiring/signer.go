package wiring

import (
	"context"
	"slices"
	"sync"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/base"
	"ltm/engine/locate"
	"ltm/store/signing"
	"ltm/store/signing/keyring"
)

// AllowedSetting is git's setting for the list of allowed SSH signers.
const AllowedSetting = "gpg.ssh.allowedSignersFile"

// signer has the person's keys, for an engine.
type signer struct {
	env   Env
	place locate.Place // of the store
	hook  bool         // no process may be started
	roots *rootCommits // nil in hooks
}

// rootCommits are those of a clone, for which git walks the whole history. Once they are known, git is not asked again.
type rootCommits struct {
	mu    sync.Mutex
	known []string
}

func (r *rootCommits) of(git gitstore.Store) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) == 0 {
		r.known = git.Roots(context.Background())
	}
	return r.known
}

// HookSigner has the person's keys for a hook, which starts no process.
func (e Env) HookSigner(place locate.Place) base.Signer {
	return signer{env: e, place: place, hook: true}
}

// Current implements [base.Signer].
func (s signer) Current() (signing.Key, bool) {
	_, current, ok := s.env.Keys().Keys()
	return current, ok
}

// Secrets implements [base.Signer].
func (s signer) Secrets() []signing.Key {
	all, _, _ := s.env.Keys().Keys()
	return all
}

// Allowed implements [base.Signer]. Only git knows where the list is, and hooks start no process:
// in hooks an SSH signature counts once the server or a command has checked it.
func (s signer) Allowed() signing.Allowed {
	if s.hook {
		return nil
	}
	list, _, _ := s.env.AllowedSigners(s.place)
	return list
}

// Home implements [base.Signer]. The person's record ties the id to root commits. A clone that has one of
// them is of the same repository, or of a fork. Only git can tell what other root commits a clone has, so hooks
// tie nothing and leave what differs to the server and commands.
func (s signer) Home(store string) signing.Verdict {
	keys, git := s.env.Keys(), s.env.Git(s.place)
	home, err := keys.Home(store, nil)
	if err != nil {
		return signing.Unproven
	}
	if slices.ContainsFunc(home, git.Has) {
		return signing.Valid
	}
	var roots []string
	if !s.hook {
		roots = s.roots.of(git)
	}
	if len(home) == 0 { // the first use; without a root commit it is tied later
		if home, err = keys.Home(store, roots); err != nil {
			return signing.Unproven
		}
	}
	switch {
	case len(home) == 0, slices.ContainsFunc(roots, func(root string) bool { return slices.Contains(home, root) }):
		return signing.Valid
	case len(roots) == 0:
		return signing.Unproven
	}
	return signing.OtherRoot
}

// AllowedSigners returns the list of allowed SSH signers and its path, "" if git has none.
func (e Env) AllowedSigners(place locate.Place) (list signing.Allowed, path string, err error) {
	if none := e.NamedByProject(); none != "" {
		return nil, "", nil
	}
	path, top, err := e.Git(place).PathSetting(context.Background(), AllowedSetting)
	if err != nil || path == "" {
		return nil, path, err
	}
	list, err = keyring.Allowed(path, top)
	return list, path, err
}
