package main

import (
	"cmp"
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cli/browser"

	"ltm/server/sqlstore"
)

// redirectLife is how long the file stays that leads a browser to the page.
const redirectLife = 30 * time.Second

// visitChecks is how often it is looked whether a link was used.
const visitChecks = 200 * time.Millisecond

// awaitVisit returns once a link was used, or cannot be, but no later than the file is of use that leads to it: a
// browser that has to start takes seconds to read it.
func (a *app) awaitVisit(ctx context.Context, link string) {
	ctx, cancel := context.WithTimeout(ctx, redirectLife)
	defer cancel()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodHead, link, nil)
		if err != nil {
			return
		}
		answer, err := client.Do(r)
		if err != nil {
			return
		}
		_ = answer.Body.Close() // a head has none
		if answer.StatusCode != http.StatusOK || sqlstore.Pause(ctx, visitChecks) != nil {
			return
		}
	}
}

// openAndAwait opens a browser on an address, and returns once that was visited, or the browser had time for it.
func (a *app) openAndAwait(ctx context.Context, address string) {
	clean, opened := a.openByFile(ctx, address)
	defer clean()
	if opened {
		a.awaitVisit(ctx, address)
	}
}

// openByFile gives a browser the path of a file that only this person can read, and that leads to an address: arguments
// are visible to everyone on the machine. It reports whether a browser was started. The function that it returns
// removes what is left of that.
func (a *app) openByFile(ctx context.Context, address string) (clean func(), opened bool) {
	nothing := func() {}
	file, err := writeRedirect(address, redirectParent("/snap", a.getenv("HOME")), "")
	if err != nil {
		return nothing, false
	}
	remove := func() { _ = os.RemoveAll(filepath.Dir(file)) } // it is of no use once the link was used
	if !a.openWith(ctx, file) {
		browser.Stdout, browser.Stderr = io.Discard, io.Discard
		if browser.OpenFile(file) != nil {
			remove()
			return nothing, false
		}
	}
	timer := time.AfterFunc(redirectLife, remove)
	return func() {
		timer.Stop()
		remove()
	}, true
}

// writeRedirect writes the file that leads a browser to an address, into a directory of its own in the first of the
// parents that can have one.
func writeRedirect(address string, parents ...string) (file string, err error) {
	for _, parent := range parents {
		var dir string
		if dir, err = os.MkdirTemp(parent, "ltm-ui-"); err != nil { // 0700
			continue
		}
		file = filepath.Join(dir, "open.html")
		if err = os.WriteFile(file, []byte(redirectTo(address)), 0o600); err == nil {
			return file, nil
		}
		_ = os.RemoveAll(dir) // the error is of more use
	}
	return "", err
}

// redirectParent returns the directory for the file that leads a browser to the page; "" is the one for temporary
// files. A browser that is a snap, as on Ubuntu, has another one of these, and reads nothing but what is in the home
// directory and not hidden. snaps is where they are installed.
func redirectParent(snaps, home string) string {
	if !filepath.IsAbs(home) {
		return ""
	}
	for _, dir := range []string{snaps, home} {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return ""
		}
	}
	return home
}

// redirectTo is a file that leads to an address.
func redirectTo(address string) string {
	to := html.EscapeString(address)
	return "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>ltm</title>" +
		"<meta http-equiv=refresh content=\"0;url=" + to + "\"><p><a href=\"" + to + "\">ltm</a>\n"
}

// openWith has the programs that BROWSER names open a file, the first that can be started.
func (a *app) openWith(ctx context.Context, file string) bool {
	at := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	for _, one := range filepath.SplitList(a.getenv("BROWSER")) {
		words := strings.Fields(one)
		if info, err := os.Stat(one); err == nil && info.Mode().IsRegular() {
			words = []string{one}
		}
		if len(words) == 0 {
			continue
		}
		placed := false
		for i, word := range words {
			if strings.Contains(word, "%s") {
				words[i], placed = strings.ReplaceAll(word, "%s", at), true
			}
		}
		if !placed {
			words = append(words, at)
		}
		cmd := exec.CommandContext(context.WithoutCancel(ctx), words[0], words[1:]...)
		if cmd.Start() == nil {
			go func() { _ = cmd.Wait() }() // it may stay as long as its window
			return true
		}
	}
	return false
}

// noBrowser says why no browser is opened, or "".
func (a *app) noBrowser() string {
	for _, v := range []struct{ name, why string }{
		{"SSH_CONNECTION", "this is a session over SSH"}, {"SSH_TTY", "this is a session over SSH"},
		{"WSL_DISTRO_NAME", "this is WSL"}, {"CLAUDECODE", "Claude Code started this"},
	} {
		if a.getenv(v.name) != "" {
			return v.why
		}
	}
	if a.inContainer() {
		return "this is a container"
	}
	if runtime.GOOS == "linux" && a.getenv("DISPLAY") == "" && a.getenv("WAYLAND_DISPLAY") == "" {
		return "there is no display"
	}
	return ""
}

// inContainer reports whether the program runs in a container, which has no browser.
func (a *app) inContainer() bool {
	isSet := func(name string) bool { return a.getenv(name) != "" }
	isThere := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	return slices.ContainsFunc([]string{"container", "CODESPACES", "REMOTE_CONTAINERS"}, isSet) ||
		slices.ContainsFunc([]string{"/.dockerenv", "/run/.containerenv"}, isThere)
}

// forward returns the command that forwards the page's port to another machine.
func (a *app) forward(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host, _ := os.Hostname()
	more := ""
	// client address, client port, server address, server port
	if fields := strings.Fields(a.getenv("SSH_CONNECTION")); len(fields) == 4 {
		host = fields[2]
		if fields[3] != "22" {
			more = " -p " + fields[3]
		}
	}
	host = cmp.Or(host, "HOST")
	user := a.getenv("USER")
	if user != "" {
		user += "@"
	}
	return "ssh -N -L " + at.Port() + ":" + at.Host + more + " " + user + host
}
