package change

import (
	"context"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"ltm/engine/audit"
	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Sides returns both sides of an unresolved merge, and the topic of ours. A side that is no memory is nil.
func (e *Engine) Sides(ctx context.Context, id string) (topic string, ours, theirs []byte, err error) {
	_, data, err := e.File(ctx, id)
	if err != nil {
		return "", nil, nil, err
	}
	sides := memfile.Sides(data)
	if len(sides) > 0 {
		topic = sides[0].Memory.Topic
	}
	if len(sides) > 1 {
		ours, theirs = sides[0].Bytes(), sides[1].Bytes()
	}
	return topic, ours, theirs, nil
}

// Resolve resolves the merge in a memory's file as a person decided. With [api.KeepBoth] the header is ours, with the
// tags, aliases, refs and links of both, and the text has the lines of both. Texts of either side that are not in the
// result go to the archive. Versions of the archive that hold a merge are resolved too: both are kept.
func (e *Engine) Resolve(ctx context.Context, id string, how api.Resolution) (api.Receipt, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Receipt{}, err
	}
	var m memory.Memory
	said := []string{fmt.Sprintf("resolved %s: kept %s", parsed, how)}
	err = e.Change(ctx, func(tx *base.Tx) error {
		before, err := tx.ReadRaw(parsed)
		if err != nil {
			return err
		}
		result, kept, err := resolved(parsed, before, how)
		if err != nil {
			return err
		}
		result.Memory.ID = parsed
		m = result.Memory
		own, err := tx.WrittenHere(parsed, kept...)
		if err != nil {
			return err
		}
		if err := writeResolved(tx, before, result, own); err != nil {
			return err
		}
		if !own {
			said = append(said, "it counts as from elsewhere, as what was kept of the merge did")
		}
		tx.Note(e.OpenNow(tx.View), memory.Event{Action: memory.ActionUpdated, ID: parsed, Topic: m.Topic,
			Why: "merge resolved: " + string(how)})
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	return e.receipt(receiptOf(m, memory.Say(said...))), nil
}

// resolved returns the file in which a merge is resolved, and the bytes of the sides that it was made of.
func resolved(id memory.ID, data []byte, how api.Resolution) (result *memfile.File, kept [][]byte,
	err error) {
	if file, err := memfile.Parse(data); err == nil && !file.Memory.Conflicted || err != nil &&
		!memory.HasConflictMarks(string(data)) {
		return nil, nil, memory.NewError(memory.CodeConflict, memory.KindMergeNone, string(id),
			"%s has no merge conflict", id.File())
	}
	sides := memfile.Sides(data)
	if len(sides) < 2 {
		return nil, nil, memory.NewError(memory.CodeUnreadable, memory.KindMergeUnreadable, string(id),
			"%d of the two sides in %s can be read as a memory", len(sides), id.File())
	}
	ours, theirs := sides[0], sides[1]
	switch how {
	case api.KeepOurs:
		return ours, [][]byte{ours.Bytes()}, nil
	case api.KeepTheirs:
		return theirs, [][]byte{theirs.Bytes()}, nil
	}
	if ours.Memory.IsStub() != theirs.Memory.IsStub() {
		return nil, nil, memory.NewError(memory.CodeInvalid, memory.KindMergeKeptOnce, string(id),
			"one side of the merge archived %s, and the other kept it", id)
	}
	m := api.Joined(ours.Memory, theirs.Memory)
	m.Content = union(m.Content, theirs.Memory.Content)
	if len(m.Content) > memory.MaxContentBytes {
		return nil, nil, memory.NewError(memory.CodeInvalid, memory.KindMergeTooLong, string(id),
			"both texts together are too long for one memory")
	}
	kept = [][]byte{ours.Bytes(), theirs.Bytes()}
	if data, err = ours.With(m); err != nil {
		return nil, nil, err
	}
	result, err = memfile.Parse(data)
	return result, kept, err
}

// union merges two texts line by line. Where they differ, it has the lines of ours and then those of theirs.
func union(ours, theirs string) string {
	line := func(s string) string {
		if s != "" && !strings.HasSuffix(s, "\n") {
			s += "\n"
		}
		return s
	}
	ours, theirs = line(ours), line(theirs)
	all := strings.Count(ours, "\n") + 1 // so that every line is in one hunk
	d, err := udiff.ToUnifiedDiff("", "", ours, udiff.Strings(ours, theirs), all)
	if err != nil || len(d.Hunks) == 0 {
		return strings.TrimSuffix(ours, "\n") // they are equal
	}
	var b strings.Builder
	for _, hunk := range d.Hunks {
		for _, l := range hunk.Lines {
			b.WriteString(l.Content)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeResolved stores the result. It counts as written here only if all that it was made of does: taking a side
// by its name is not reading it.
func writeResolved(tx *base.Tx, before []byte, result *memfile.File, own bool) error {
	m, data := result.Memory, memfile.Stub(result)
	archives, err := tx.Archives()
	if err != nil {
		return err
	}
	for _, r := range archives.Unresolved {
		if r.ID == m.ID {
			if err := audit.ResolveMerge(tx.Tx, store.ArchivePath(r.File())); err != nil {
				return err
			}
		}
	}
	if err := archiveReplaced(tx, m, before); err != nil {
		return err
	}
	text, err := audit.ArchiveStubText(tx.Tx, m.ID, result)
	if err != nil {
		return err
	}
	if text != nil && own {
		if err := tx.Approve(m.ID, text.Bytes()); err != nil {
			return err
		}
	}
	if own {
		if err := tx.Approve(m.ID, data); err != nil {
			return err
		}
	}
	return tx.WriteMemory(m.ID, data)
}
