package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ltm/cmd/internal/terminal"
	"ltm/memory/advice"
)

// composeHint is what the editor opens with. It is an HTML comment because in markdown "#"
// begins a heading.
const composeHint = "<!-- Write what to remember above this line. Without a text nothing is stored. -->\n"

// canCompose reports whether a person can be asked for a text in an editor.
func (a *app) canCompose() bool { return terminal.Is(a.stdin) && terminal.Is(a.stdout) }

// compose lets a person write a text in the editor, which opens with what is given, and calls use
// with it. The file is removed if use succeeds, and kept otherwise: again is the command that takes
// it from standard input.
func (a *app) compose(begin, again string, use func(text string) error) error {
	dir, err := os.MkdirTemp("", "ltm-remember-")
	if err != nil {
		return copyFailed("cannot make a file to write in", err)
	}
	path := filepath.Join(dir, "memory.md")
	text, err := a.composed(path, begin)
	if err == nil {
		err = use(text)
	}
	if err != nil && strings.TrimSpace(text) != "" {
		return advice.With(&savedText{path, err},
			advice.Join(nextSteps().Step(err), fmt.Sprintf("%s < %s stores it", again, path)))
	}
	_ = os.RemoveAll(dir)
	return err
}

// composed returns what a person wrote into a new file, even if the editor failed.
func (a *app) composed(path, begin string) (string, error) {
	text, err := a.edited(path, begin+"\n\n"+composeHint)
	text = strings.Replace(text, composeHint, "", 1)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", invalid("", "the text is empty")
	}
	return text, err
}

// edited writes a text into a new file and returns what a person made of it, even if the editor failed.
func (a *app) edited(path, begin string) (string, error) {
	if err := os.WriteFile(path, []byte(begin), 0o600); err != nil {
		return "", copyFailed("cannot make a file to write in", err)
	}
	failed := a.runEditor(path)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", copyFailed("cannot read what the editor left", err)
	}
	return string(data), failed
}

// savedText is the error about a text that was written but not stored.
type savedText struct {
	path string
	err  error
}

func (k *savedText) Error() string {
	return fmt.Sprintf("%v; your text is saved in %s", k.err, k.path)
}

// Unwrap returns the reason.
func (k *savedText) Unwrap() error { return k.err }
