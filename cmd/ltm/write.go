package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/advice"
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
	c.Flags().BoolVar(&w.draft, "draft", false, "make it from the record of a session of Claude Code")
	c.Flags().StringVar(&w.session, "session", "", "with --draft: the `ID` of the session; default: the last one here")
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
		return w.app.writingDesk(ctx).KeepHere(ctx, data)
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

// writeFlags are the parts of a packet that flags give.
type writeFlags struct {
	goal, next, parent                     string
	criteria, constraints, questions, tags []string
	decisions, attempts, methods, checks   []string
}

func (f *writeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.goal, "goal", "", "the lasting aim, in one sentence")
	flags.StringVar(&f.next, "next", "", "the first thing that the next session does")
	flags.StringArrayVar(&f.criteria, "criterion", nil, "what can be observed when the work is done; may be repeated")
	flags.StringArrayVar(&f.constraints, "constraint", nil, "what the work has to keep to; may be repeated")
	flags.StringArrayVar(&f.decisions, "decision", nil,
		"a `CHOICE`: 'WHAT: WHY', or 'WHAT; why: WHY; rules out: WHAT ELSE; locked'; may be repeated")
	flags.StringArrayVar(&f.attempts, "tried", nil,
		"an `ATTEMPT`: 'WHAT; failed; learned: LESSON; confidence: high'; may be repeated")
	flags.StringArrayVar(&f.questions, "question", nil, "what is open; may be repeated")
	flags.StringArrayVar(&f.methods, "method", nil,
		"a `RECIPE`: 'NAME; when: WHEN IT HELPS; how: WHAT TO DO'; may be repeated")
	tagFlag(c, &f.tags, "tag of lower-case letters, digits and hyphens; repeat the flag, or separate tags with commas")
	flags.StringVar(&f.parent, "parent", "", "the `ID` of the packet that this one continues")
	flags.StringArrayVar(&f.checks, "check", nil,
		"a command that was run, and its `RESULT`: 'make test: passed'; may be repeated")
}

// none reports whether no part was given.
func (f *writeFlags) none() bool {
	return f.goal == "" && f.next == "" && f.parent == "" && len(f.criteria)+len(f.constraints)+len(f.questions)+
		len(f.tags)+len(f.decisions)+len(f.attempts)+len(f.methods)+len(f.checks) == 0
}

// apply adds what the flags give to a draft. The error lists all flags that cannot be read.
func (f *writeFlags) apply(d *api.PacketDraft) error {
	p := &d.Packet
	for _, scalar := range []struct {
		given string
		to    *string
	}{{f.goal, &p.Goal}, {f.next, &p.NextStep}, {f.parent, &p.ParentID}} {
		if scalar.given != "" {
			*scalar.to = scalar.given
		}
	}
	p.SuccessCriteria = append(p.SuccessCriteria, f.criteria...)
	p.Constraints = append(p.Constraints, f.constraints...)
	p.OpenQuestions = append(p.OpenQuestions, f.questions...)
	p.Tags = append(p.Tags, f.tags...)
	var faults []string
	p.Decisions = append(p.Decisions, readFlags("decision", f.decisions, form.Decision, &faults)...)
	p.Attempts = append(p.Attempts, readFlags("tried", f.attempts, form.Attempt, &faults)...)
	p.Methods = append(p.Methods, readFlags("method", f.methods, form.Method, &faults)...)
	run := readFlags("check", f.checks, form.ReadCheck, &faults)
	d.Checks = append(d.Checks, packetChecks(nil, run)...)
	if len(faults) > 0 {
		return listed("what the flags give", faults)
	}
	return nil
}

// readFlags reads the texts of a flag, and notes what is wrong with them.
func readFlags[T any](name string, texts []string, read func(string) (T, []form.Fault), faults *[]string) []T {
	var all []T
	for i, text := range texts {
		value, wrong := read(text)
		for _, f := range wrong {
			which := ""
			if len(texts) > 1 {
				which = fmt.Sprintf(" (%d of %d)", i+1, len(texts))
			}
			*faults = append(*faults, fmt.Sprintf("--%s%s %s", name, which, f.Message))
		}
		all = append(all, value)
	}
	return all
}

// packetChecks returns the results of checks with their times: those of before, or now.
func packetChecks(before []api.PacketCheck, checks []form.Check) []api.PacketCheck {
	var all []api.PacketCheck
	for _, c := range checks {
		at := time.Now()
		for _, old := range before {
			if old.Command == c.Command && old.Passed == c.Passed {
				at = old.At
			}
		}
		all = append(all, api.PacketCheck{Command: c.Command, Passed: c.Passed, At: at.UTC().Truncate(time.Second)})
	}
	return all
}

// refusedText begins the comment in the editor about a text that was not stored.
const refusedText = "Not written. Correct this and save, or leave the text as it is to give up:"

// compose lets a person write a packet in the editor, which opens with what is known. As long as
// something is wrong with the text, the editor opens again with the faults named. A person who leaves
// it as it is then gives up, and the text stays in a file.
func (w *writing) compose(ctx context.Context, d api.PacketDraft) error {
	ctx = context.WithoutCancel(ctx) // Ctrl-C in the editor is for the editor
	dir, err := os.MkdirTemp("", "ltm-write-")
	if err != nil {
		return copyFailed("cannot make a file to write in", err)
	}
	path := filepath.Join(dir, "packet.md")
	opened := form.Format(form.Draft{Packet: d.Packet, Checks: each(d.Checks,
		func(c api.PacketCheck) form.Check { return form.Check{Command: c.Command, Passed: c.Passed} })})
	first := opened
	for {
		text, err := w.app.edited(path, opened)
		switch {
		case strings.TrimSpace(text) == "", text == first && (err != nil || lacks(d)):
			_ = os.RemoveAll(dir)
			if err == nil {
				err = invalid("", "the text is empty, or was left as it was")
			}
			return err
		case err != nil, text == opened && opened != first:
			return w.leftText(path, err)
		}
		if err = w.writeText(ctx, d, text); err == nil {
			_ = os.RemoveAll(dir)
			return nil
		}
		opened = form.WithRemarks(text, refusedText, strings.Split(nextSteps().Tell(err, advice.Reading), "\n"))
	}
}

// leftText is the error about a text that is not stored, and where it is.
func (w *writing) leftText(path string, err error) error {
	if err == nil {
		err = invalid("", "the packet still has faults")
	}
	return advice.With(&savedText{path, err},
		advice.Join(nextSteps().Step(err), fmt.Sprintf("ltm write --edit --from %s resumes with it", path)))
}

// writeText writes the packet that a text describes. Fields that the text does not have stay as they were.
func (w *writing) writeText(ctx context.Context, d api.PacketDraft, text string) error {
	read, faults := form.Parse(text)
	if list := w.faultsOf(&read, faults); len(list) > 0 {
		return listed("the text", list)
	}
	read.Packet.Project, read.Packet.Provenance = d.Packet.Project, d.Packet.Provenance
	d.Packet, d.Checks = read.Packet, packetChecks(d.Checks, read.Checks)
	return w.write(ctx, d, lineOf(&read))
}

// faultsOf lists everything that is wrong with a text, with its lines: what has no meaning and, if
// there is nothing of that kind, what a packet may not have.
func (w *writing) faultsOf(d *form.Draft, faults []form.Fault) []string {
	if len(faults) > 0 {
		return each(faults, func(f form.Fault) string { return cell(f.String()) })
	}
	return each(draftFaults(d.Packet), func(f packetFault) string { return faultLine(f, lineOf(d)) })
}

// listed is the error about an input that has faults.
func listed(what string, faults []string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindPacketInvalid, "", "%s has %s\n  %s", what,
		plural.Of(len(faults), "fault", "faults"), strings.Join(faults, "\n  "))
}

// lineOf returns what names the place of a fault in a text.
func lineOf(d *form.Draft) func(path string) string {
	return func(path string) string {
		if line := d.Line(path); line > 0 {
			return fmt.Sprintf("line %d (%s)", line, path)
		}
		return path
	}
}

// drafting is the part of ltm write that makes a packet from a session's record.
type drafting struct {
	draft   bool
	session string
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
	w.session = cmp.Or(w.session, a.getenv("CLAUDE_CODE_SESSION_ID"))
	id, record := a.engine(lockWait).SessionRecord(w.session)
	if id == "" {
		return invalid("give --session ID: claude --resume lists them", "no session was seen in this project")
	}
	if w.session != "" && id != w.session {
		id, record = w.session, ""
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
		if a.asJSON {
			return a.printJSON(written{PacketReceipt: receipt})
		}
		fmt.Fprintln(a.stderr, "nothing was written: "+clean(say(receipt.Message)))
		return nil
	}
	return err
}
