package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"ltm/api"
	"ltm/engine"
	"ltm/internal/picker"
	"ltm/memory"
)

func (a *app) pickCommand() *cobra.Command {
	f := api.ListFilter{Limit: everything}
	var own bool
	c := &cobra.Command{
		Use:   "pick [QUERY...]",
		Short: "Pick memories from a list by typing parts of them, and print their ids",
		Long: `Pick memories from a list by typing parts of their topic, tags or id, with a preview of each. Tab marks several, Enter
prints the ids, one a line, and Esc leaves. The list is shown on the terminal, so that the ids can go into a pipe.

Where fzf is installed, outside of the project, it shows the list; --own does without it. Previews are not accesses.`,
	}
	tagFlag(c, &f.Tags, "only memories with this tag; of several, with all of them")
	c.Flags().BoolVar(&own, "own", false, "ltm's own list, also where fzf is installed")
	scope := scopeFlags(c)
	c.RunE = func(c *cobra.Command, given []string) (err error) {
		if f.Include, err = scope(); err != nil {
			return err
		}
		if !isTerminal(a.stdin) || !isTerminal(a.stderr) {
			return memory.Errorf(memory.CodeInvalid, "ltm list and ltm recall find memories without one", "picking takes a terminal")
		}
		return a.pick(c.Context(), f, strings.Join(given, " "), own)
	}
	return c
}

func (a *app) pick(ctx context.Context, f api.ListFilter, query string, own bool) error {
	e := a.engine(lockWait)
	list, err := e.List(ctx, f)
	if err != nil {
		return err
	}
	if list.Total == 0 {
		fmt.Fprintln(a.stderr, "no memories")
		return errQuiet
	}
	var ids []string
	if fzf := a.fzf(own); fzf != "" {
		ids, err = a.pickWithFzf(ctx, fzf, list, f.Include, query)
	} else {
		ids, err = a.pickHere(ctx, e, list, query)
	}
	switch {
	case err != nil:
		return err
	case len(ids) == 0:
		return errQuiet
	}
	return a.println(ids...)
}

// pickLine is what a list to pick from shows of a memory.
func pickLine(m api.Entry) string {
	line := string(m.ID) + "  " + cell(m.Topic)
	if len(m.Tags) > 0 {
		line += "  [" + tagList(m.Tags) + "]"
	}
	if m.Archived {
		line += "  " + archivedWord
	}
	return line
}

// pickHere shows ltm's own list on the terminal, and returns what was picked.
func (a *app) pickHere(ctx context.Context, e *engine.Engine, list api.Listing, query string) ([]string, error) {
	items := make([]picker.Item, 0, len(list.Memories))
	archived := map[string]bool{}
	for _, m := range list.Memories {
		items = append(items, picker.Item{Value: string(m.ID), Text: pickLine(m)})
		archived[string(m.ID)] = m.Archived
	}
	keys, terminal, ok := a.rawKeys(ctx)
	if !ok {
		return nil, memory.Errorf(memory.CodeInvalid, "ltm list and ltm recall find memories without one", "this terminal does not tell single keys")
	}
	defer terminal.restore()
	enableColor(a.stderr) // escape sequences
	p := &pickScreen{out: a.stderr, model: picker.New(items, query), preview: func(id string, width int) []string {
		return previewOf(ctx, e, id, archived[id], width)
	}}
	p.begin()
	defer p.end()
	return p.loop(keys, terminal.size)
}

// previewOf returns the lines of a memory; looking at it is not an access.
func previewOf(ctx context.Context, e *engine.Engine, id string, archived bool, width int) []string {
	read := e.Peek
	if archived {
		read = e.PeekArchive
	}
	d, err := read(ctx, id)
	if err != nil {
		return wrap(cell(err.Error()), width)
	}
	return screen{rich: true, width: max(minWidth, width)}.memory(d, authorship{}, time.Now())
}

// pickScreen is a list to pick from on a terminal.
type pickScreen struct {
	out     io.Writer
	model   *picker.Model
	preview func(id string, width int) []string

	shown      string // the id and width of the preview that is at hand
	shownLines []string
}

// The escape sequences of a screen that is drawn again and again.
const (
	otherScreen = "\x1b[?1049h"
	firstScreen = "\x1b[?1049l"
	cursorHome  = "\x1b[H"
	eraseLine   = "\x1b[K"
	eraseBelow  = "\x1b[J"
)

func (p *pickScreen) begin() { fmt.Fprint(p.out, otherScreen) }
func (p *pickScreen) end()   { fmt.Fprint(p.out, firstScreen) }

// loop draws the list and does what the keys say, until something is picked or the person
// leaves: then it returns nothing.
func (p *pickScreen) loop(keys <-chan []byte, size func() (width, height int)) ([]string, error) {
	p.draw(size())
	for data := range keys {
		for _, key := range picker.Keys(data) {
			if !p.model.Press(key) {
				continue
			}
			if key == picker.Cancel {
				return nil, nil
			}
			return p.model.Picked(), nil
		}
		p.draw(size())
	}
	return nil, nil // the terminal is gone, or the program is to end
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

// rawTerminal is a terminal that tells every key.
type rawTerminal struct {
	restore func()
	size    func() (width, height int)
}

// rawKeys makes the terminal tell every key, and returns what it tells, piece by piece,
// until it ends or the context does.
func (a *app) rawKeys(ctx context.Context) (<-chan []byte, rawTerminal, bool) {
	f, ok := a.stdin.(interface{ Fd() uintptr })
	if !ok {
		return nil, rawTerminal{}, false
	}
	before, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, rawTerminal{}, false
	}
	t := rawTerminal{
		restore: func() { _ = term.Restore(int(f.Fd()), before) },
		size: func() (int, int) {
			width, height, err := term.GetSize(int(f.Fd()))
			if err != nil || width == 0 || height == 0 {
				return 80, 24
			}
			return width, height
		},
	}
	read, keys := make(chan []byte), make(chan []byte)
	go func() {
		defer close(read)
		for {
			buffer := make([]byte, 256)
			n, err := a.stdin.Read(buffer)
			if err != nil || n == 0 {
				return
			}
			read <- buffer[:n]
		}
	}()
	go func() {
		defer close(keys)
		for {
			select {
			case <-ctx.Done():
				return
			case data, ok := <-read:
				if !ok {
					return
				}
				keys <- data
			}
		}
	}()
	return keys, t, true
}
