package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"ltm/engine/locate"
	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/server/page"
)

// instance is a page that runs, as a file says that only this person can read.
type instance struct {
	Version int    `json:"version"`
	PID     int    `json:"pid"`
	Address string `json:"address"` // http://127.0.0.1:PORT/
	Control string `json:"control"` // the secret by which both sides know each other
}

const (
	instanceVersion = 1
	maxInstanceFile = 4096

	// askWait is how long another page may take for a new link.
	askWait = 2 * time.Second
)

// note is the file of the page that runs for a store. It is in the person's own cache directory, and named after the
// store: two work trees of a clone have a page each, and a project has one before it has a store.
type note struct{ dir, name string }

// noteOf returns the file for a store, below the person's own cache directory; its directory is empty if the person
// has none.
func noteOf(cache, store string) note {
	n := note{}
	if cache != "" {
		n.dir, n.name = filepath.Join(cache, "pages"), pageName(store)+".json"
	}
	return n
}

// pageName returns a name for a store, the same for each way to write its path.
func pageName(store string) string {
	sum := sha256.Sum256([]byte(locate.Resolved(store)))
	return hex.EncodeToString(sum[:16])
}

// keep writes the file. The function that it returns removes it, if it is still the same. Without the file, the next
// page does not find this one.
func (n note) keep(i instance) (remove func(), err error) {
	nothing := func() {}
	if n.dir == "" {
		return nothing, errors.New("the environment names no cache directory (HOME, an absolute path)")
	}
	i.Version = instanceVersion
	data, err := json.Marshal(i)
	if err != nil {
		return nothing, err
	}
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return nothing, err
	}
	root, err := regular.OpenPath(n.dir)
	if err != nil {
		return nothing, err
	}
	_ = atomicfile.Remove(root, n.name) // it may be of a page that was killed
	if err := atomicfile.Create(root, n.name, data, 0o600); err != nil {
		_ = root.Close() // nothing was written
		return nothing, err
	}
	return func() {
		defer root.Close()
		if now, err := regular.Read(root, n.name, maxInstanceFile); err == nil && string(now) == string(data) {
			_ = atomicfile.Remove(root, n.name) // the next page finds that nothing answers
		}
	}, nil
}

// find returns the page that runs, and a new link to it, or "".
func (n note) find(ctx context.Context) (running instance, link string) {
	if n.dir == "" {
		return running, ""
	}
	root, err := regular.OpenPath(n.dir)
	if err != nil {
		return running, ""
	}
	defer root.Close()
	data, err := regular.Read(root, n.name, maxInstanceFile)
	if err != nil || json.Unmarshal(data, &running) != nil || running.Version != instanceVersion {
		return running, ""
	}
	return running, askForLink(ctx, running)
}

// askForLink returns a new link of a page, or "" if it does not answer.
func askForLink(ctx context.Context, running instance) string {
	at, err := url.Parse(running.Address)
	if err != nil || at.Scheme != "http" || at.Hostname() != "127.0.0.1" && at.Hostname() != "::1" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, // no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return page.AskForLink(ctx, &client, running.Address, running.Control)
}
