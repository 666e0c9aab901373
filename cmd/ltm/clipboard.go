package main

import (
	"io"

	"github.com/aymanbagabas/go-osc52/v2"

	"ltm/cmd/internal/terminal"
)

// copyText asks the terminal to put a text into its clipboard (OSC 52), which also works through ssh. Terminals do not
// say whether they did.
func (a *app) copyText(text string) error {
	for _, w := range []io.Writer{a.stderr, a.stdout} {
		if !terminal.Is(w) || a.getenv("TERM") == "dumb" {
			continue
		}
		sequence := osc52.New(text)
		switch {
		case a.getenv("TMUX") != "":
			sequence = sequence.Tmux()
		case a.getenv("STY") != "":
			sequence = sequence.Screen()
		}
		_, err := sequence.WriteTo(w)
		return err
	}
	return invalid("leave out --copy and copy what is printed", "there is no clipboard here")
}
