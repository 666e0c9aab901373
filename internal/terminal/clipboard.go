package terminal

import (
	"io"

	"github.com/aymanbagabas/go-osc52/v2"
)

// Multiplexer is a program between this one and the terminal, which passes escape sequences on only
// in a wrapping of its own.
type Multiplexer int

// The multiplexers.
const (
	NoMultiplexer Multiplexer = iota
	Tmux
	GNUScreen
)

// Copy asks a terminal to put a text into its clipboard (OSC 52). Terminals do not say whether they
// did.
func Copy(out io.Writer, text string, m Multiplexer) {
	sequence := osc52.New(text)
	switch m {
	case Tmux:
		sequence = sequence.Tmux()
	case GNUScreen:
		sequence = sequence.Screen()
	}
	_, _ = sequence.WriteTo(out)
}
