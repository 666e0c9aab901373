package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
)

func (a *app) undoCommand() *cobra.Command {
	var list bool
	c := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Undo the last change to a memory, or to any memory",
		Long: `Undo the last change to a memory: stored, updated, edited, tagged, pinned, forgotten, restored or
repaired. Without an ID, undo the last change that this clone made to any memory or packet. Repeat the
command to go back further.

The present text goes to the archives first. A memory whose storing is undone is forgotten. Text
that was removed with "ltm forget --hard" cannot be brought back.`,
		Args: arguments(1),
	}
	c.Flags().BoolVar(&list, "list", false, "list the changes that can be undone, newest first")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		e, id := a.engine(lockWait), ""
		if len(given) == 1 {
			var err error
			if e, id, err = a.undoID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		if list {
			return a.listUndo(c, memory.ID(id), *asJSON)
		}
		r, err := e.Undo(c.Context(), id)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.println(clean(say(r.Message)))
	}
	return c
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

func (a *app) listUndo(c *cobra.Command, wanted memory.ID, asJSON bool) error {
	found, err := a.engine(lockWait).Undoable(c.Context())
	if err != nil {
		return err
	}
	list := memory.UndoList{Changes: []memory.UndoEntry{}}
	for _, e := range found.Changes {
		if wanted == "" || e.ID == wanted {
			list.Changes = append(list.Changes, e)
		}
	}
	if asJSON {
		return a.printJSON(list)
	}
	rows := make([][]string, 0, len(list.Changes))
	for _, e := range list.Changes {
		rows = append(rows, []string{e.Time.Format(time.RFC3339), cell(e.Action), field(cmp.Or(string(e.ID), e.Packet)),
			field(e.Topic), field(e.Why)})
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.stderr, "nothing to undo")
		return nil
	}
	return a.table([]string{"TIME", "ACTION", "ID", "TOPIC", "WHY"}, rows)
}
