package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func (a *app) undoCommand() *cobra.Command {
	var list, redo bool
	c := &cobra.Command{Use: "undo [ID]", Args: arguments(1)}
	c.Flags().BoolVar(&list, "list", false, "list the changes that can be undone and redone, newest first")
	c.Flags().BoolVar(&redo, "redo", false, "take back the last undo")
	c.RunE = func(c *cobra.Command, given []string) error {
		if list && redo {
			return invalid("give one of them", "--list and --redo were both given")
		}
		e, id := a.engine(lockWait), ""
		if len(given) == 1 && isPacketID(given[0]) {
			id = given[0]
		} else if len(given) == 1 {
			var err error
			if e, id, err = a.undoID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		if list {
			return a.listUndo(c, e, id)
		}
		do := e.Undo
		if redo {
			do = e.Redo
		}
		r, err := do(c.Context(), id)
		return answer(a, r, err, a.printUndone)
	}
	return c
}

// mostBroughtBack is how many memories are named with their fields.
const mostBroughtBack = 20

func (a *app) printUndone(r api.Undone) error {
	if err := a.println(clean(say(r.Message))); err != nil {
		return err
	}
	for i, back := range r.BroughtBack {
		if i == mostBroughtBack {
			return a.println(fmt.Sprintf("and %d more; --json lists them all", len(r.BroughtBack)-i))
		}
		fields := make([]string, 0, len(back.Fields))
		for _, f := range back.Fields {
			fields = append(fields, fieldText(f))
		}
		line := "brought back " + cmp.Or(string(back.ID), back.Packet)
		if back.Foreign {
			line += " (from elsewhere)"
		}
		if len(fields) > 0 {
			line += ": " + strings.Join(fields, "; ")
		}
		if err := a.println(cell(line)); err != nil {
			return err
		}
	}
	return nil
}

// fieldText says how a field was changed.
func fieldText(f api.FieldChange) string {
	switch {
	case f.Lines > 0:
		return fmt.Sprintf("%s changed (%s)", f.Field, plural.Of(f.Lines, "line", "lines"))
	case f.Before == "" && f.After == "":
		return f.Field + " changed"
	case f.Field == "topic":
		return fmt.Sprintf("topic %s → %s", memory.Quote(f.Before, memory.MaxTopicChars), memory.Quote(f.After,
			memory.MaxTopicChars))
	case slices.Contains([]string{"tags", "aliases", "supersedes", "disputes", "related"}, f.Field):
		return f.Field + listChange(f.Before, f.After)
	}
	return fmt.Sprintf("%s %s → %s", f.Field, cmp.Or(f.Before, "none"), cmp.Or(f.After, "none"))
}

// listChange names what was added to a list and removed from it.
func listChange(before, after string) (text string) {
	was, is := strings.Split(before, ", "), strings.Split(after, ", ")
	for _, item := range is {
		if item != "" && !slices.Contains(was, item) {
			text += " +" + item
		}
	}
	for _, item := range was {
		if item != "" && !slices.Contains(is, item) {
			text += " −" + item
		}
	}
	return cmp.Or(text, " in another order")
}

// isPacketID reports whether an id is a whole one of a packet, and not one of a memory.
func isPacketID(id string) bool {
	_, _, ok := store.PacketID(store.PacketName(id))
	return ok && !strings.HasPrefix(id, "mem_")
}

// undoID is oneID for changes that can be undone: a whole id may be that of a memory that is
// not in the store at present.
func (a *app) undoID(ctx context.Context, given string) (*engine.Engine, string, error) {
	e, id, err := a.oneID(ctx, given)
	if parsed, malformed := memory.ParseID(given); malformed == nil && isUnknown(err) {
		return a.engine(lockWait), string(parsed), nil
	}
	return e, id, err
}

func (a *app) listUndo(c *cobra.Command, e *engine.Engine, wanted string) error {
	list, err := e.Undoable(c.Context())
	if err != nil {
		return err
	}
	other := func(e memory.UndoEntry) bool { return wanted != "" && !e.Touches(wanted) }
	list.Changes, list.Redo = slices.DeleteFunc(list.Changes, other), slices.DeleteFunc(list.Redo, other)
	return answer(a, list, nil, a.printUndoList)
}

func (a *app) printUndoList(list memory.UndoList) error {
	var rows [][]string
	add := func(e memory.UndoEntry, state string) {
		id := cmp.Or(string(e.ID), e.Packet)
		if n := e.Memories(); n > 1 && id != "" {
			id += fmt.Sprintf(" +%d", n-1)
		}
		rows = append(rows, a.markedRow([]string{e.Time.Format(time.RFC3339), cell(e.Action), field(id), field(e.Topic),
			field(e.Why), state}, 3, e.Foreign))
	}
	for _, e := range slices.Backward(list.Redo) {
		add(e, "undone")
	}
	for _, e := range list.Changes {
		if len(e.Files) == 0 {
			add(e, "final")
			continue
		}
		add(e, "-")
	}
	return a.tableOr("nothing to undo", "TIME|ACTION|ID|TOPIC|WHY|STATE", rows)
}
