package main

import (
	"context"
	"path/filepath"
	"runtime"

	"ltm/internal/keyring"
	"ltm/internal/locate"
	"ltm/signing"
)

// allowedSetting is git's setting for the list of allowed SSH signers.
const allowedSetting = "gpg.ssh.allowedSignersFile"

// signer has the person's keys, for an engine.
type signer struct {
	app   *app
	place locate.Place // of the store
	hook  bool         // no process may be started
}

// Current implements [engine.Signer].
func (s signer) Current() (signing.Key, bool) {
	_, current, ok := s.app.keys().Keys()
	return current, ok
}

// Secrets implements [engine.Signer].
func (s signer) Secrets() []signing.Key {
	all, _, _ := s.app.keys().Keys()
	return all
}

// Allowed implements [engine.Signer]. Only git knows where the list is, and hooks start no process:
// in hooks an SSH signature counts once the server or a command has checked it.
func (s signer) Allowed() signing.Allowed {
	if s.hook {
		return nil
	}
	list, _, _ := s.app.allowedSigners(s.place)
	return list
}

// allowedSigners returns the list of allowed SSH signers and its path, "" if git has none.
func (a *app) allowedSigners(place locate.Place) (list signing.Allowed, path string, err error) {
	if none := a.namedByProject(a.where()); none != "" {
		return nil, "", nil
	}
	path, top, err := a.git(place).PathSetting(context.Background(), allowedSetting)
	if err != nil || path == "" {
		return nil, path, err
	}
	list, err = keyring.Allowed(path, top)
	return list, path, err
}

// keys returns the person's keys.
func (a *app) keys() keyring.Ring {
	dir := a.configDir()
	if dir == "" {
		return keyring.None("the environment names no directory for them")
	}
	if none := a.namedByProject(a.where()); none != "" {
		return keyring.None(none)
	}
	return keyring.New(filepath.Join(dir, "keys"))
}

// configDir returns the directory for ltm's configuration of a person, or "" if the environment does
// not name one. It is not the one for a person's data, which can be a repository.
func (a *app) configDir() string {
	if dir := a.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ltm")
	}
	home := a.home()
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "windows" && a.getenv("APPDATA") != "":
		return filepath.Join(a.getenv("APPDATA"), "ltm")
	}
	return filepath.Join(home, ".config", "ltm")
}
