package change

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ltm/engine/base"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/priority"
	"ltm/store"
	"ltm/text/abridge"
)

const idTries = 100

// Remember stores a new memory, creating the store if needed. Memories that it supersedes are archived in the same
// change, after it is written. A difficulty that is not given is judged from the work since the session's last store.
// Remember refuses a memory with the topic and content of an active one; the receipt names similar memories.
func (e *Engine) Remember(ctx context.Context, d api.Draft) (api.Receipt, error) {
	m, masked, err := draftMemory(d)
	if err != nil {
		return api.Receipt{}, err
	}
	given, err := givenRefs(d.Refs)
	if err != nil {
		return api.Receipt{}, err
	}
	var untaken memory.Note
	m.Refs, untaken = e.takeRefs(ctx, given, textOf(m))
	similar := e.SimilarTo(ctx, m)
	var aside []*memfile.File
	var competing []memory.ID
	var kept memory.Note
	err = e.ChangeOrCreate(ctx, func(tx *base.Tx) error {
		now := tx.Now.UTC().Truncate(time.Second)
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		if err := e.refuseDuplicate(tx.View, m); err != nil {
			m, aside, err = e.unfinished(tx.View, m, err)
			if err != nil {
				return err
			}
			return setAside(tx, e.Sessions.Find(state, d.Session), m.ID, aside)
		}
		if m.ID, err = e.newID(ctx, tx); err != nil {
			return err
		}
		if aside, err = e.corrected(tx.View, m); err != nil {
			return err
		}
		if kept, err = keptTopic(tx.View, m, d.SameTopic); err != nil {
			return err
		}
		if competing, err = e.competing(tx.View, m); err != nil {
			return err
		}
		m.CreatedAt, m.CreatedSession = now, state.SessionCount
		working := e.workingSession(ctx, state, d)
		if d.Difficulty == nil {
			m.Difficulty, m.Work = e.judge(ctx, d, working, base.SettingsOf(tx.View, state))
		}
		if err := tx.WriteMemory(m.ID, memfile.Format(m)); err != nil {
			return err
		}
		tx.Note(working, memory.Event{Action: memory.ActionStored, ID: m.ID, Topic: m.Topic})
		if err := setAside(tx, working, m.ID, aside); err != nil {
			return err
		}
		if working != nil {
			session.BeginSegment(working)
			tx.SetState(state)
		}
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	stored := fmt.Sprintf("stored %s: %s", m.ID, m.Topic)
	if masked > 0 {
		stored += fmt.Sprintf(" (%d masked)", masked)
	}
	r := receiptOf(m, slices.Concat(memory.Say(stored), correctedNote(d.Supersedes, aside, competing),
		kept, find.SimilarNote(similar), untaken))
	r.Similar = similar
	return e.receipt(r), nil
}

// draftMemory checks a draft and returns it as a memory without id and times, and how many credentials it masked.
func draftMemory(d api.Draft) (m memory.Memory, masked int, err error) {
	if m, err = memory.NewDraft(d.Memory(), d.Importance); err != nil {
		return m, 0, err
	}
	if masked, err = trust.Screen(&m, memory.Memory{}, d.Redact); err != nil {
		return m, 0, err
	}
	if m.Summary == "" {
		m.Summary = abridge.FirstParagraph(m.Content)
	}
	if d.AutoTag {
		tags := slices.Concat(m.Tags, memory.AutoTags(textOf(m)))
		m.Tags = tags[:max(len(m.Tags), min(len(tags), memory.MaxTags))]
	}
	if masked > 0 || d.AutoTag { // a mask can be longer than what it hides, and a tag be there already
		m, err = memory.NewDraft(m, "")
	}
	return m, masked, err
}

func (e *Engine) newID(ctx context.Context, tx *base.Tx) (memory.ID, error) {
	for range idTries {
		var b [4]byte
		if _, err := io.ReadFull(e.Random, b[:]); err != nil {
			return "", &memory.Error{Code: memory.CodeStorage, Kind: memory.KindRandomFailed,
				Message: "cannot make an id", Err: err}
		}
		id := memory.NewID(b)
		if !tx.Taken(id) && (e.Taken == nil || !e.Taken(ctx, string(id))) {
			return id, nil
		}
	}
	return "", memory.NewError(memory.CodeConflict, memory.KindIDsExhausted, "", "no free id was found in %d tries",
		idTries)
}

// workingSession returns the session whose work a memory comes from, with its record read, or
// nil. A memory that a person dictates comes from no session's work, and one of an earlier session is judged apart.
func (e *Engine) workingSession(ctx context.Context, state *store.State, d api.Draft) *store.Session {
	if d.Told || d.Learned != "" {
		return nil
	}
	working := e.Sessions.Find(state, d.Session)
	if working != nil {
		e.Sessions.Read(ctx, working)
	}
	return working
}

// judge scores the work that a memory comes from, and returns the work, or nil if it is unknown. It is the session's
// work since its last store. Before a project has a store, hooks count nothing; then the client's record of the running
// session is used, as it is for an earlier session. A memory that a person dictates gets a fixed score.
func (e *Engine) judge(ctx context.Context, d api.Draft, working *store.Session,
	conf settings.Settings) (float64, *memory.Work) {
	var work *memory.Work
	switch {
	case d.Told:
		return priority.Told, nil
	case working != nil:
		since := session.Since(working, working.Segment)
		work = &since
	default:
		work = e.Sessions.Running(ctx, cmp.Or(d.Learned, d.Session))
	}
	if work == nil {
		return priority.Unknown, nil
	}
	score, _ := session.Difficulty(*work, conf)
	return memory.Round2(score), work
}

// refuseDuplicate returns an error if an active memory has the same topic and content as m. One
// that is held back from a model does not count, because the model could not change it.
func (e *Engine) refuseDuplicate(v *store.View, m memory.Memory) error {
	g, err := e.ModelFilter(v)
	if err != nil {
		return err
	}
	same, err := duplicate(v, m, g)
	if err == nil && same != "" {
		return memory.NewError(memory.CodeConflict, memory.KindDuplicate, string(same),
			"%s already has the same topic and content", same)
	}
	return err
}

// duplicate returns the active memory, not held back, that has the same topic and content as m, or "". White space and
// the case of the topic are ignored. Only files with the same topic are read.
func duplicate(v *store.View, m memory.Memory, g trust.Filter) (memory.ID, error) {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return "", err
	}
	content := ""
	for _, r := range snapshot.Records {
		if !rank.SameTopic(r.Topic, m.Topic) || !r.IsFor(m.Agent) {
			continue // a memory of another agent is out of sight for this one
		}
		if content == "" {
			content = rank.Flat(m.Content)
		}
		if int64(len(content)) > r.Stamp().Size {
			continue
		}
		file, err := v.Read(r.ID)
		if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return "", err
		}
		if rank.SameTopic(file.Memory.Topic, m.Topic) && rank.Flat(file.Memory.Content) == content &&
			!g.Foreign(r.ID, file.Bytes()) {
			return r.ID, nil
		}
	}
	return "", nil
}
