package change

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"ltm/engine/base"
	"ltm/engine/transfer"
	"ltm/engine/trust"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/priority"
	"ltm/store"
)

// Import is a document that was read, and what to do with its entries.
type Import struct {
	Form    string
	Source  string // as the person named it
	Reading transfer.Reading
	Options transfer.Options // Day, Difficulty and Screen are filled in
	Redact  bool             // credentials are masked
	DryRun  bool
}

// Import plans what becomes of the entries of a document and, unless it is a dry run, carries the
// plan out: all of it or nothing. The plan comes with an error if it cannot be carried out.
func (e *Engine) Import(ctx context.Context, i Import) (transfer.Plan, error) {
	if i.Options.Trust {
		if err := e.NeedPerson(); err != nil {
			return transfer.Plan{}, err
		}
	}
	i.Options.Day, i.Options.Difficulty = e.Now(), priority.Unknown
	i.Options.Screen = func(m *memory.Memory) (int, error) { return screenImported(m, i.Redact) }
	ready := transfer.Prepare(i.Form, i.Source, i.Reading, i.Options)
	var plan transfer.Plan
	if i.DryRun || !e.Exists() { // a plan that fails must not make a store
		err := e.Store.View(func(v *store.View) (err error) {
			plan, err = e.planImport(ctx, v, ready, i.Options)
			return err
		})
		if err == nil {
			err = plan.Err()
		}
		if err != nil || i.DryRun || !plan.Changes() {
			return plan, err
		}
	}
	err := e.ChangeOrCreate(ctx, func(tx *base.Tx) (err error) {
		if plan, err = e.planImport(ctx, tx.View, ready, i.Options); err != nil {
			return err
		}
		if err := plan.Err(); err != nil || !plan.Changes() {
			return err
		}
		return e.carryOut(tx, plan)
	})
	return plan, err
}

// screenImported is [trust.Screen] for a memory whose summary, if it has one, is its own.
func screenImported(m *memory.Memory, redact bool) (masked int, err error) {
	m.Tags = slices.Clone(m.Tags)
	for _, t := range trust.TextsOf(m) {
		n, err := t.Screen(redact)
		if err != nil {
			return 0, err
		}
		masked += n
	}
	return masked, nil
}

func (e *Engine) planImport(ctx context.Context, v *store.View, ready transfer.Ready,
	o transfer.Options) (transfer.Plan, error) {
	lib, err := newLibrary(v)
	if err != nil {
		return transfer.Plan{}, err
	}
	if lib.filter, err = e.StrictFilter(v); err != nil {
		return transfer.Plan{}, err
	}
	if e.Taken != nil {
		lib.taken = func(id string) bool { return e.Taken(ctx, id) }
	}
	return transfer.NewPlan(ready, lib, o)
}

func (e *Engine) carryOut(tx *base.Tx, plan transfer.Plan) error {
	b := &batch{tx.NewBatch(), tx}
	touched := 0
	for _, step := range plan.Steps {
		for _, w := range step.Writes {
			if err := b.write(w); err != nil {
				return err
			}
		}
		if len(step.Writes) > 0 {
			touched++
		}
	}
	event := memory.Event{Action: memory.ActionImported,
		Why: fmt.Sprintf("%s from %q (%s)", plural.Of(touched, "memory", "memories"), filepath.Base(plan.Source),
			plan.Form)}
	tx.Note(e.OpenNow(tx.View), event)
	return b.Commit(event)
}

type batch struct {
	*store.Batch
	tx *base.Tx
}

// NewestFull makes a batch an [archiver].
func (b *batch) NewestFull(id memory.ID) (*memfile.File, error) { return b.tx.NewestFull(id) }

func (b *batch) write(w transfer.Write) error {
	if w.Own {
		b.Approve(w.ID, w.Data)
	}
	switch w.Place {
	case transfer.InMemories:
		return b.WriteMemory(w.ID, w.Data)
	case transfer.InArchives:
		return b.WriteArchive(w.ID, w.Data)
	case transfer.InArchivesAs:
		return b.AddArchive(w.Name, w.Data)
	}
	file, err := b.tx.Read(w.ID)
	if err != nil {
		return err
	}
	file.Memory.ID = w.ID
	if err := archiveVersion(b, file); err != nil || w.Place == transfer.Replaced {
		return err
	}
	return b.WriteMemory(w.ID, memfile.FormatStub(file.Memory, b.tx.Now, w.Reason))
}

// Split returns the import of the entries of the project, and of those of the person.
func (i Import) Split() (others, own Import) {
	others, own = i, i
	others.Reading.Items, own.Reading.Items = nil, nil
	own.Options.Scope = transfer.ScopeUser
	own.Reading.Remarks = nil // once is enough
	for _, item := range i.Reading.Items {
		if item.Scope == transfer.ScopeUser {
			own.Reading.Items = append(own.Reading.Items, item)
		} else {
			others.Reading.Items = append(others.Reading.Items, item)
		}
	}
	return others, own
}
