package engine

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ltm/abridge"
	"ltm/api"
	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/memfile"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// idTries bounds the search for an id that no memory or archive has.
const idTries = 100

// Remember stores a new memory, creating the store if need be. When no
// difficulty is given it is judged from the work since the session's last store.
// A topic and content that an active memory holds already are refused; memories
// that say about the same are named.
func (e *Engine) Remember(ctx context.Context, d api.Draft) (api.Receipt, error) {
	m, masked, err := draftMemory(d)
	if err != nil {
		return api.Receipt{}, err
	}
	similar := e.similar(ctx, m)
	err = e.create(ctx, func(tx *changing) error {
		now := tx.now.UTC().Truncate(time.Second)
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		if err := e.refuseDuplicate(tx.View, m); err != nil {
			return err
		}
		if m.ID, err = e.newID(tx); err != nil {
			return err
		}
		m.CreatedAt, m.CreatedSession = now, state.SessionCount
		working := e.workingSession(ctx, state, d)
		if d.Difficulty == nil {
			m.Difficulty, m.Work = e.judge(ctx, d, working, settingsOf(tx.View, state))
		}
		if m, err = memory.Normalize(m); err != nil {
			return err
		}
		if err := tx.WriteMemory(m.ID, memfile.Format(m)); err != nil {
			return err
		}
		tx.note(working, memory.Event{Action: memory.ActionStored, ID: m.ID, Topic: m.Topic})
		if working != nil {
			session.BeginSegment(working)
			tx.SetState(state)
		}
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	return api.Receipt{Success: true, ID: m.ID,
		Message:    append(memory.Say(storedMessage(m, masked)), similarNote(similar)...),
		Difficulty: m.Difficulty, Tags: tagsOf(m.Tags), Similar: similar}, nil
}

func storedMessage(m memory.Memory, masked int) string {
	text := fmt.Sprintf("stored %s: %s", m.ID, m.Topic)
	if masked > 0 {
		text += fmt.Sprintf(" (%d masked)", masked)
	}
	return text
}

// draftMemory checks a draft and turns it into a memory without id and times.
func draftMemory(d api.Draft) (m memory.Memory, masked int, err error) {
	if m.Topic, err = memory.NormalizeTopic(d.Topic); err != nil {
		return m, 0, err
	}
	if m.Content, err = memory.NormalizeContent(d.Content); err != nil {
		return m, 0, err
	}
	if m.Summary, err = memory.NormalizeSummary(d.Summary); err != nil {
		return m, 0, err
	}
	if m.Tags, err = draftTags(d); err != nil {
		return m, 0, err
	}
	if masked, err = screen(&m, memory.Memory{}, d.Redact); err != nil {
		return m, 0, err
	}
	if m.Summary == "" {
		if m.Summary, err = memory.NormalizeSummary(abridge.FirstParagraph(m.Content)); err != nil {
			return m, 0, err
		}
	}
	tags := m.Tags
	if d.AutoTag {
		tags = slices.Concat(tags, memory.AutoTags(m.Topic+"\n"+m.Content))
		tags = tags[:max(len(m.Tags), min(len(tags), memory.MaxTags))]
	}
	if m.Tags, err = memory.NormalizeTags(tags); err != nil {
		return m, 0, err
	}
	if d.Difficulty != nil {
		if err := memory.CheckDifficulty(*d.Difficulty); err != nil {
			return m, 0, err
		}
		m.Difficulty = memory.Round2(*d.Difficulty)
	}
	return m, masked, nil
}

// draftTags returns the tags of a draft in stored form, its importance among them.
func draftTags(d api.Draft) ([]string, error) {
	tags, err := memory.NormalizeTags(d.Tags)
	if err != nil {
		return nil, err
	}
	if err := agree(tags, d.Importance); err != nil {
		return nil, err
	}
	return withLevel(tags, d.Importance, 0)
}

// newID finds an id that neither a memory nor an archive has.
func (e *Engine) newID(tx *changing) (memory.ID, error) {
	for range idTries {
		var b [4]byte
		if _, err := io.ReadFull(e.random, b[:]); err != nil {
			return "", &memory.Error{Code: memory.CodeStorage, Kind: memory.KindRandomFailed,
				Message: "cannot make an id", Err: err}
		}
		id := memory.NewID(b)
		if !tx.Taken(id) {
			return id, nil
		}
	}
	return "", memory.NewError(memory.CodeConflict, memory.KindIDsExhausted, "", "no free id was found in %d tries",
		idTries)
}

// workingSession returns the session whose work taught a memory, with its record read,
// or nil. What a person tells outright is of no session's work.
func (e *Engine) workingSession(ctx context.Context, state *store.State, d api.Draft) *store.Session {
	if d.Told {
		return nil
	}
	working := e.sessions.Find(state, d.Session)
	if working != nil {
		e.sessions.Read(ctx, working)
	}
	return working
}

// judge scores the work that a memory comes from: that of the session since its last
// store. A project's first memory has no session that hooks counted; then it is what
// the client's record of the running session shows. What a person told outright
// comes from no work that anyone saw.
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
		work = e.sessions.Running(ctx, d.Session)
	}
	if work == nil {
		return priority.Unknown, nil
	}
	score, _ := session.Difficulty(*work, conf)
	return memory.Round2(score), work
}
