package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/packet/form"
)

// written is the answer of ltm write. Packet is what a dry run would have written.
type written struct {
	api.PacketReceipt
	Packet json.RawMessage `json:"packet,omitempty"`
}

// writing is one call of ltm write.
type writing struct {
	app    *app
	flags  writeFlags
	from   string
	edit   bool
	dryRun bool
	drafting

	// then is called in place of printing what was written; nil: it is printed.
	then func(context.Context, api.PacketReceipt) error
}

func (a *app) writeCommand() *cobra.Command {
	w := &writing{app: a}
	c := &cobra.Command{Use: "write", Args: noArguments()}
	w.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return w.run(c.Context()) }
	return c
}

// add adds the flags that say what to write, and how.
func (w *writing) add(c *cobra.Command) {
	w.flags.add(c)
	w.drafting.add(c)
	c.Flags().StringVar(&w.from, "from", "", "read what to write from `FILE`; - for standard input")
	c.Flags().BoolVar(&w.edit, "edit", false, "open the editor with what flags and --from give")
	c.Flags().BoolVar(&w.dryRun, "dry-run", false, "check it and show what would be written")
}

// run decides where the packet comes from.
func (w *writing) run(ctx context.Context) error {
	if draft, err := w.drafting.asked(w); err != nil {
		return err
	} else if draft {
		return w.writeDraft(ctx)
	}
	d, whole, err := w.source()
	if err != nil {
		return err
	}
	if whole != nil {
		return w.keep(ctx, whole)
	}
	if err := w.flags.apply(&d); err != nil {
		return err
	}
	switch lacks := lacks(d); {
	case w.edit && !w.app.canCompose():
		return invalid("leave out --edit", "the editor takes a terminal")
	case w.edit, lacks && w.from == "" && w.app.canCompose():
		return w.compose(ctx, d)
	case lacks && w.from == "" && w.flags.none():
		return invalid("give --goal and --next, --from FILE, or start it on a terminal for the editor",
			"there is nothing to write")
	}
	return w.write(ctx, d, nil)
}

// lacks reports whether a draft has not even what every packet needs.
func lacks(d api.PacketDraft) bool { return d.Packet.Goal == "" || d.Packet.NextStep == "" }

// source returns what to begin with: a draft, or the bytes of a whole packet.
func (w *writing) source() (d api.PacketDraft, whole []byte, err error) {
	a := w.app
	d.Session, d.DryRun = a.getenv("CLAUDE_CODE_SESSION_ID"), w.dryRun
	if w.from == "" {
		return d, nil, nil
	}
	data, err := a.readPacketFile(w.from)
	if err != nil {
		return d, nil, err
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(text) == 0:
		return d, nil, invalid("see \"ltm help write\"", "%s is empty", inputName(w.from))
	case text[0] != '{' && text[0] != '[':
		err := w.readForm(string(data), &d)
		return d, nil, err
	}
	p, err := packet.ParseDraft(data)
	if err != nil {
		return d, nil, faultsError(inputName(w.from), packetFaults(&p, err), nil)
	}
	if p.ID == "" && p.CreatedAt == "" {
		d.Packet = p
		return d, nil, nil
	}
	if _, err := packet.ParseStored(data); err != nil {
		return d, nil, faultsError(inputName(w.from), packetFaults(&p, err), nil)
	}
	if !w.flags.none() || w.edit {
		return d, nil, invalid("take id and created_at out of it to write a new packet from it, or leave out the flags",
			"%s is a whole packet, which is kept as it is", inputName(w.from))
	}
	return d, data, nil
}

// inputName returns what a file is called in messages.
func inputName(given string) string {
	if given == fromInput {
		return "standard input"
	}
	return memory.Quote(given, 200)
}

// readForm reads the text that the editor opens with.
func (w *writing) readForm(text string, d *api.PacketDraft) error {
	read, faults := form.Parse(text)
	if len(faults) > 0 && !strings.Contains(text, "\n## ") && !strings.HasPrefix(text, "## ") {
		return invalid("see \"ltm help write\"", "%s is neither JSON nor a text with sections", inputName(w.from))
	}
	list := w.faultsOf(&read, faults)
	if len(list) > 0 {
		return listed(inputName(w.from), list)
	}
	d.Packet, d.Checks = read.Packet, packetChecks(nil, read.Checks)
	return nil
}

// keep keeps a packet that was made elsewhere.
func (w *writing) keep(ctx context.Context, data []byte) error {
	if w.dryRun {
		p, err := packet.ParseStored(data)
		if faults := packetFaults(&p, err); len(faults) > 0 {
			return faultsError(inputName(w.from), faults, nil)
		}
		return w.print(api.PacketReceipt{Success: true, ID: p.ID, Parent: p.ParentID,
			Message: memory.Say("would keep the packet " + p.ID + " as it is"), Packet: p})
	}
	return w.store(ctx, func(ctx context.Context) (api.PacketReceipt, error) {
		return w.app.writingDesk(ctx).Keep(ctx, data)
	})
}

// write writes a packet. where names a place in it for people; nil: as a JSON pointer.
func (w *writing) write(ctx context.Context, d api.PacketDraft, where func(path string) string) error {
	if faults := draftFaults(d.Packet); len(faults) > 0 {
		return faultsError("the packet", faults, where)
	}
	return w.store(ctx, func(ctx context.Context) (api.PacketReceipt, error) {
		return w.app.writingDesk(ctx).Write(ctx, d)
	})
}

// store calls what stores a packet, and prints the receipt.
func (w *writing) store(ctx context.Context, fn func(context.Context) (api.PacketReceipt, error)) error {
	a := w.app
	first, place := !a.storeAt(a.place()).Exists(), a.place()
	r, err := fn(ctx)
	if err != nil {
		return err
	}
	if first && !w.dryRun {
		a.tellStore(place)
	}
	if w.then != nil {
		return w.then(ctx, r)
	}
	return w.print(r)
}

func (w *writing) print(r api.PacketReceipt) error {
	a := w.app
	if w.app.asJSON {
		answer := written{PacketReceipt: r}
		if w.dryRun {
			answer.Packet = packetJSON(&r.Packet)
		}
		return a.printJSON(answer)
	}
	if w.dryRun {
		d := api.PacketDetail{Packet: r.Packet, Path: r.Path}
		if err := a.println(packetLines(a.screen(), d, time.Now())...); err != nil {
			return err
		}
		fmt.Fprintln(a.stderr)
	}
	return a.printPacketReceipt(r)
}
