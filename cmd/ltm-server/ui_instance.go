package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/web"
)

// instance is a page that runs, as the file in the clone's own data says.
type instance struct {
	Version int    `json:"version"`
	PID     int    `json:"pid"`
	Address string `json:"address"` // http://127.0.0.1:PORT/
	Control string `json:"control"` // the secret by which both sides know each other
}

const (
	instanceFile    = "ui.json"
	instanceVersion = 1
	maxInstanceFile = 4096

	// askWait is how long another page may take for a new link.
	askWait = 2 * time.Second
)

// keepInstance writes the file in a directory of the clone, if there is one: a project without a store is left alone.
// The function that it returns removes the file, if it is still the same.
func keepInstance(dir string, i instance) (remove func()) {
	nothing := func() {}
	i.Version = instanceVersion
	data, err := json.Marshal(i)
	if err != nil {
		return nothing
	}
	root, err := regular.OpenPath(dir)
	if err != nil {
		return nothing
	}
	_ = atomicfile.Remove(root, instanceFile) // it may be of a page that was killed
	if err := atomicfile.Create(root, instanceFile, data, 0o600); err != nil {
		_ = root.Close() // nothing was written
		return nothing
	}
	return func() {
		defer root.Close()
		if now, err := regular.Read(root, instanceFile, maxInstanceFile); err == nil && string(now) == string(data) {
			_ = atomicfile.Remove(root, instanceFile) // the next page finds that nothing answers
		}
	}
}

// findInstance returns the page that runs for a clone and a new link to it, or "".
func findInstance(ctx context.Context, dir string) (running instance, link string) {
	root, err := regular.OpenPath(dir)
	if err != nil {
		return running, ""
	}
	defer root.Close()
	data, err := regular.Read(root, instanceFile, maxInstanceFile)
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
	return web.AskForLink(ctx, &client, running.Address, running.Control)
}
