package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

// drafting is the part of ltm write that makes a packet from a session's record.
type drafting struct {
	draft   bool
	session string
}

func (d *drafting) add(c *cobra.Command) {
	c.Flags().BoolVar(&d.draft, "draft", false, "make it from the record of a session of Claude Code")
	c.Flags().StringVar(&d.session, "session", "", "with --draft: the `ID` of the session; default: the last one here")
}

// asked reports whether a draft is asked for. Flags that say what is in the packet do not go with it.
func (d *drafting) asked(w *writing) (bool, error) {
	switch {
	case !d.draft && d.session != "":
		return false, invalid("add --draft", "--session is for drafts")
	case d.draft && (w.from != "" || w.edit || !w.flags.none()):
		return false, invalid("give --draft alone, or with --session, --dry-run and --json; a packet with more "+
			"continues it: --parent ID", "--draft takes what is in the packet from the session's record")
	}
	return d.draft, nil
}

// writeDraft keeps a draft of a session's work.
func (w *writing) writeDraft(ctx context.Context) error {
	a := w.app
	if w.drafting.session == "" {
		w.drafting.session = a.getenv("CLAUDE_CODE_SESSION_ID")
	}
	id, record := a.engine(lockWait).SessionRecord(w.drafting.session)
	if id == "" {
		return invalid("give --session ID: claude --resume lists them", "no session was seen in this project")
	}
	if w.drafting.session != "" && id != w.drafting.session {
		id, record = w.drafting.session, ""
	}
	if found, ok := a.env().Records().Find(id); ok {
		record = found
	}
	r := api.DraftRequest{Session: id, Transcript: record, DryRun: w.dryRun}
	var receipt api.PacketReceipt
	err := w.store(ctx, func(ctx context.Context) (_ api.PacketReceipt, err error) {
		receipt, err = a.writingDesk(ctx).DraftSession(ctx, r)
		if err == nil && !receipt.Success {
			err = errQuiet
		}
		return receipt, err
	})
	if errors.Is(err, errQuiet) {
		return w.undrafted(receipt)
	}
	return err
}

// undrafted says why there is no new draft.
func (w *writing) undrafted(r api.PacketReceipt) error {
	if w.app.asJSON {
		return w.app.printJSON(written{PacketReceipt: r})
	}
	fmt.Fprintln(w.app.stderr, "nothing was written: "+clean(say(r.Message)))
	return nil
}
