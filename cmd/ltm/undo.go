package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) undoCommand() *cobra.Command {
	var list bool
	c := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take back the last change of a memory, or of any",
		Long: `Take back the last change of a memory: stored, updated, edited, tagged, pinned, forgotten, restored or repaired.
Without an ID it is the last change of any memory that was made in this clone. Repeat it to go back further.

What a memory says now goes to the archives first. A memory that was only stored is forgotten. Erased text
(ltm forget --hard) cannot come back.`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	c.Flags().BoolVar(&list, "list", false, "show what can be taken back, the newest first")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		id := ""
		if len(given) == 1 {
			id = given[0]
		}
		if list {
			return a.listUndo(c, id, *asJSON)
		}
		r, err := a.engine(lockWait).Undo(c.Context(), id)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.println(clean(r.Message))
	}
	return c
}

func (a *app) listUndo(c *cobra.Command, id string, asJSON bool) error {
	var wanted memory.ID
	if id != "" {
		var err error
		if wanted, err = memory.ParseID(id); err != nil {
			return err
		}
	}
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
		rows = append(rows, []string{e.Time.Format(time.RFC3339), cell(e.Action), string(e.ID), field(e.Topic), field(e.Why)})
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.stderr, "there is nothing to take back")
		return nil
	}
	return a.table([]string{"TIME", "WHAT", "ID", "TOPIC", "WHY"}, rows)
}
