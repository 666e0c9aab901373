package change

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/candidates"
	"ltm/engine/rank"
	"ltm/engine/session"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Propose keeps candidates of a session for a person to review, instead of those that it had before, and returns how
// many there are. Credentials are masked. What a memory says already, and what was accepted or dropped before, is left
// out. Nothing is stored as a memory.
func (e *Engine) Propose(ctx context.Context, sessionID string, found []candidates.Candidate) (int, error) {
	sessionID = session.CleanID(sessionID)
	var fresh []store.Candidate
	for _, c := range found {
		m, _, err := draftMemory(api.Draft{Topic: c.Topic, Content: c.Text, Tags: c.Tags, Redact: true})
		if err != nil || len(e.SimilarTo(ctx, m)) > 0 {
			continue
		}
		id := sha256.Sum256([]byte(strings.ToLower(rank.Flat(m.Topic)))) // the same when the session is read again
		fresh = append(fresh, store.Candidate{ID: "cand_" + hex.EncodeToString(id[:4]), Topic: m.Topic, Text: m.Content,
			Tags: m.PlainTags(), Refs: e.refsIn(c.Refs), Why: c.Why, Session: sessionID, At: e.Now().UTC()})
	}
	kept := 0
	err := e.Change(ctx, func(tx *base.Tx) error {
		all, err := base.Tolerate(tx.Candidates())
		if err != nil {
			return err
		}
		before := len(all.Pending)
		all.Pending = slices.DeleteFunc(all.Pending, func(c store.Candidate) bool { return c.Session == sessionID })
		changed := len(all.Pending) != before
		for _, c := range fresh {
			if !all.Knows(c.ID) && all.Find(c.ID) == nil {
				all.Pending = append(all.Pending, c)
				kept++
			}
		}
		if kept == 0 && !changed {
			return nil
		}
		return tx.WriteCandidates(all)
	})
	return kept, err
}

// refsIn returns the files of the work tree, as references name them.
func (e *Engine) refsIn(files []string) []string {
	var refs []string
	for _, file := range files {
		if e.Files == nil {
			break
		}
		rel, ok := e.Files.Rel(file)
		if _, err := givenRefs([]string{rel}); ok && err == nil {
			refs = append(refs, rel)
		}
	}
	return refs
}

func (e *Engine) Candidates(context.Context) (api.Review, error) {
	r := api.Review{Candidates: []api.Candidate{}}
	err := e.Store.View(func(v *store.View) error {
		all, err := v.Candidates()
		for _, c := range all.Pending {
			r.Candidates = append(r.Candidates, shown(c))
		}
		return err
	})
	return r, err
}

func shown(c store.Candidate) api.Candidate {
	return api.Candidate{ID: c.ID, Topic: c.Topic, Text: c.Text, Tags: c.Tags, Refs: c.Refs, Why: c.Why,
		Session: c.Session, ProposedAt: c.At}
}

// Review accepts candidates, drops others, and returns what became of them and what is left. Before it does anything,
// it refuses ids that are not proposed or are named twice. If one cannot be accepted, those before it stay accepted,
// and the error names them and those that are left.
func (e *Engine) Review(ctx context.Context, s api.Sentence) (api.Review, error) {
	var done api.Review
	ids := []string{}
	for _, a := range s.Accept {
		ids = append(ids, a.ID)
	}
	ids = append(ids, s.Drop...)
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return done, memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, id,
				"candidate %s is named twice; name each once, to accept or to drop it",
				memory.Quote(id, memory.MaxTagChars))
		}
		if _, err := e.candidate(id); err != nil {
			return done, err
		}
	}
	for i, a := range s.Accept {
		r, err := e.AcceptCandidate(ctx, a)
		if err != nil {
			return done, halfway(done.Stored, ids, i, err)
		}
		done.Stored = append(done.Stored, r)
	}
	if len(s.Drop) > 0 {
		if err := e.DropCandidates(ctx, s.Drop); err != nil {
			return done, halfway(done.Stored, ids, len(s.Accept), err)
		}
		done.Dropped = s.Drop
	}
	left, err := e.Candidates(ctx)
	done.Candidates = left.Candidates
	return done, err
}

// halfway says in the error about the candidate ids[at] what became of those before it, and which ones follow.
func halfway(stored []api.Receipt, ids []string, at int, err error) error {
	if at == 0 {
		return err
	}
	done := make([]string, at)
	for i, r := range stored {
		done[i] = ids[i] + " as " + string(r.ID)
	}
	what := "stored " + strings.Join(done, ", ") + ", but not " + ids[at]
	if after := ids[at+1:]; len(after) > 0 {
		what += "; nothing was done with " + strings.Join(after, ", ")
	}
	return &memory.Error{Code: memory.CodeOf(err), Kind: memory.KindReviewPartly, Subject: ids[at], Message: what,
		Err: err}
}

// AcceptCandidate stores a candidate as Remember does, with what the request has in place of its own. Its difficulty
// is that of the session that it comes from. Credentials are masked. If a memory says it already, it is dropped, and
// the error says so.
func (e *Engine) AcceptCandidate(ctx context.Context, a api.Acceptance) (api.Receipt, error) {
	c, err := e.candidate(a.ID)
	if err != nil {
		return api.Receipt{}, err
	}
	if a.Version != "" && a.Version != shown(c).Version() {
		return api.Receipt{}, memory.NewError(memory.CodeConflict, memory.KindCandidate, a.ID,
			"candidate %s was changed since it was read", a.ID)
	}
	receipt, err := e.Remember(ctx, api.Draft{Topic: given(a.Topic, c.Topic), Content: given(a.Text, c.Text),
		Tags: given(a.Tags, c.Tags), Refs: c.Refs, Learned: c.Session, Client: a.Client,
		Redact: true})
	known := memory.KindOf(err) == memory.KindDuplicate
	if err != nil && !known {
		return receipt, err
	}
	failed := e.DropCandidates(ctx, []string{a.ID})
	switch {
	case memory.CodeOf(failed) == memory.CodeNotFound: // another process was faster
		if !known {
			receipt.Message = append(receipt.Message, memory.Say("candidate "+a.ID+
				" was dropped or accepted at the same time")...)
		}
	case failed != nil:
		return receipt, failed
	case known:
		err = &memory.Error{Code: memory.CodeOf(err), Kind: memory.KindReviewPartly, Subject: a.ID,
			Message: a.ID + " was dropped, as a memory says it already", Err: err}
	}
	return receipt, err
}

func given[T any](asked *T, was T) T {
	if asked != nil {
		return *asked
	}
	return was
}

func (e *Engine) candidate(id string) (found store.Candidate, err error) {
	err = e.Store.View(func(v *store.View) error {
		all, err := base.Tolerate(v.Candidates())
		if err != nil {
			return err
		}
		c := all.Find(id)
		if c == nil {
			return unknownCandidate(id)
		}
		found = *c
		return nil
	})
	return found, err
}

func unknownCandidate(id string) error {
	return memory.NewError(memory.CodeNotFound, memory.KindCandidate, id, "there is no candidate %s",
		memory.Quote(id, memory.MaxTagChars))
}

// DropCandidates removes candidates, all or none, and does not propose them again.
func (e *Engine) DropCandidates(ctx context.Context, ids []string) error {
	return e.Change(ctx, func(tx *base.Tx) error {
		all, err := base.Tolerate(tx.Candidates())
		if err != nil {
			return err
		}
		for _, id := range ids {
			c := all.Find(id)
			if c == nil {
				return unknownCandidate(id)
			}
			all.Settled, all.Recent = append(all.Settled, id), append(all.Recent, *c)
		}
		all.Pending = slices.DeleteFunc(all.Pending, func(c store.Candidate) bool { return slices.Contains(ids, c.ID) })
		return tx.WriteCandidates(all)
	})
}

// ReopenCandidates proposes candidates again that were accepted or dropped, if they are among the last of those: all or
// none.
func (e *Engine) ReopenCandidates(ctx context.Context, ids []string) error {
	return e.Change(ctx, func(tx *base.Tx) error {
		all, err := base.Tolerate(tx.Candidates())
		if err != nil {
			return err
		}
		for _, id := range ids {
			i := slices.IndexFunc(all.Recent, func(c store.Candidate) bool { return c.ID == id })
			if i < 0 {
				return memory.NewError(memory.CodeConflict, memory.KindCandidate, id,
					"candidate %s is not among the last that were accepted or dropped",
					memory.Quote(id, memory.MaxTagChars))
			}
			all.Pending, all.Recent = append(all.Pending, all.Recent[i]), slices.Delete(all.Recent, i, i+1)
		}
		all.Settled = slices.DeleteFunc(all.Settled, func(id string) bool { return slices.Contains(ids, id) })
		return tx.WriteCandidates(all)
	})
}
