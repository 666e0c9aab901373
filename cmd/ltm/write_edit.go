package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet/form"
)

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
	opened := form.Format(form.Draft{Packet: d.Packet, Checks: formChecks(d.Checks)})
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
	var list []string
	for _, f := range faults {
		list = append(list, cell(f.String()))
	}
	if len(list) > 0 {
		return list
	}
	for _, f := range draftFaults(d.Packet) {
		list = append(list, faultLine(f, lineOf(d)))
	}
	return list
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

// formChecks returns the results of checks as the text has them.
func formChecks(checks []api.PacketCheck) []form.Check {
	var all []form.Check
	for _, c := range checks {
		all = append(all, form.Check{Command: c.Command, Passed: c.Passed})
	}
	return all
}
