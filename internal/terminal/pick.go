package terminal

import (
	"fmt"
	"io"
	"strings"

	"ltm/internal/picker"
)

// The escape sequences of a screen that is drawn again and again.
const (
	otherScreen = "\x1b[?1049h"
	firstScreen = "\x1b[?1049l"
	cursorHome  = "\x1b[H"
	eraseLine   = "\x1b[K"
	eraseBelow  = "\x1b[J"
)

// Pick shows a list on a terminal's second screen and returns the values that the person
// picked: none if the person left, or the keyboard or its context ended. The preview of a
// value is asked for once each time the cursor comes to it.
func Pick(k *Keyboard, out io.Writer, model *picker.Model, preview func(value string, width int) []string) []string {
	EnableColor(out)
	fmt.Fprint(out, otherScreen)
	defer fmt.Fprint(out, firstScreen)
	p := &pickScreen{out: out, model: model, preview: preview}
	p.draw(k.size())
	for data := range k.keys {
		for _, key := range picker.Keys(data) {
			if !p.model.Press(key) {
				continue
			}
			if key == picker.Cancel {
				return nil
			}
			return p.model.Picked()
		}
		p.draw(k.size())
	}
	return nil
}

// pickScreen draws a list to pick from.
type pickScreen struct {
	out     io.Writer
	model   *picker.Model
	preview func(value string, width int) []string

	shown      string // the value and width that shownLines are of
	shownLines []string
}

func (p *pickScreen) draw(width, height int) {
	columns, _ := picker.PreviewSize(width, height)
	var preview []string
	if item, ok := p.model.Current(); ok {
		if wanted := fmt.Sprint(item.Value, columns); wanted != p.shown {
			p.shown, p.shownLines = wanted, p.preview(item.Value, columns)
		}
		preview = p.shownLines
	}
	lines, column := p.model.View(width, height, preview)
	var b strings.Builder
	b.WriteString(cursorHome)
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(line + eraseLine)
	}
	fmt.Fprintf(&b, "%s\x1b[1;%dH", eraseBelow, column+1)
	_, _ = io.WriteString(p.out, b.String())
}
