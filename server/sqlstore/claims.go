package sqlstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// summaryColumns is what summaryInto reads.
const summaryColumns = "s.id, s.thread, s.active, s.created, s.updated, s.doc"

func summaryInto(s *threads.Summary) []any {
	return []any{&s.ID, &s.Thread, truth(&s.Active), instant(&s.CreatedAt), instant(&s.UpdatedAt), document(s)}
}

// truth is a destination for 0 or 1.
func truth(to *bool) scanner {
	return func(src any) error {
		n, _ := src.(int64)
		*to = n == 1
		return nil
	}
}

// ActiveSummary implements [threads.View].
func (m *memory) ActiveSummary(thread string) (threads.Summary, error) {
	return one(m.tx, "SELECT "+summaryColumns+
		" FROM summaries s WHERE s.subject = $1 AND s.thread = $2 AND s.active = 1", []any{m.subject, thread},
		summaryInto)
}

// Summary implements [threads.View].
func (m *memory) Summary(id string) (threads.Summary, error) {
	return one(m.tx, "SELECT "+summaryColumns+" FROM summaries s WHERE s.app = $1 AND s.id = $2 AND s.subject = $3",
		[]any{m.app, id, m.subject}, summaryInto)
}

// Summaries implements [threads.View].
func (m *memory) Summaries(thread string) ([]threads.Summary, error) {
	query, args := "SELECT "+summaryColumns+" FROM summaries s WHERE s.subject = $1", []any{m.subject}
	if thread != "" {
		query, args = query+" AND s.thread = $2", append(args, thread)
	}
	return collect(m.tx, query+" ORDER BY s.seq", args, summaryInto)
}

// PutSummary implements [threads.Tx].
func (m *memory) PutSummary(s threads.Summary) error {
	if err := bounded(s.ID, s.Thread); err != nil {
		return err
	}
	doc, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if s.Active {
		if err := m.deactivate(s); err != nil {
			return err
		}
	}
	active := 0
	if s.Active {
		active = 1
	}
	n, err := m.exec(`UPDATE summaries SET active = $1, created = $2, updated = $3, doc = $4
		WHERE app = $5 AND id = $6 AND subject = $7 AND thread = $8`, active, stamp(s.CreatedAt), stamp(s.UpdatedAt),
		doc, m.app, s.ID, m.subject, s.Thread)
	if err == nil && n == 0 {
		err = m.add(`INSERT INTO summaries (app, subject, seq, id, thread, active, created, updated, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, m.app, m.subject, m.next(), s.ID, s.Thread, active,
			stamp(s.CreatedAt), stamp(s.UpdatedAt), doc)
	}
	if err != nil {
		return err
	}
	return m.fed(threads.KindSummary, s.ID, opPut, s.UpdatedAt)
}

// deactivate closes the episode that a new one follows.
func (m *memory) deactivate(s threads.Summary) error {
	before, err := m.ActiveSummary(s.Thread)
	if errors.Is(err, threads.ErrNotFound) || err == nil && before.ID == s.ID {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = m.exec("UPDATE summaries SET active = 0, updated = $1 WHERE app = $2 AND id = $3",
		stamp(s.UpdatedAt), m.app, before.ID)
	if err != nil {
		return err
	}
	return m.fed(threads.KindSummary, before.ID, opPut, s.UpdatedAt)
}

// DeleteSummaries implements [threads.Tx].
func (m *memory) DeleteSummaries(thread string) error {
	of := []any{m.subject, thread}
	err := m.feedRows(threads.KindSummary, "summaries", "id", "subject = $1 AND thread = $2", thread, m.now())
	if err != nil {
		return err
	}
	for _, statement := range []string{
		m.vectorsOf(threads.KindSummary, "summaries"), m.jobsAbout(threads.KindSummary, "summaries"),
		"DELETE FROM summaries WHERE subject = $1 AND thread = $2",
	} {
		if _, err := m.exec(statement, of...); err != nil {
			return err
		}
	}
	return nil
}

// DeleteSummary implements [threads.Tx].
func (m *memory) DeleteSummary(id string) error {
	err := m.must("DELETE FROM summaries WHERE app = $1 AND id = $2 AND subject = $3", m.app, id, m.subject)
	if err != nil {
		return err
	}
	if err := m.forget(threads.KindSummary, id); err != nil {
		return err
	}
	return m.fed(threads.KindSummary, id, opDelete, m.now())
}

// forget deletes the vectors of a row, and the jobs about it.
func (m *memory) forget(kind threads.Kind, id string) error {
	for _, statement := range []string{
		"DELETE FROM vectors WHERE subject = $1 AND kind = $2 AND id = $3",
		"DELETE FROM jobs WHERE subject = $1 AND of_kind = $2 AND of_id = $3",
	} {
		if _, err := m.exec(statement, m.subject, string(kind), id); err != nil {
			return err
		}
	}
	return nil
}

// actColumns is what actInto reads.
const actColumns = "a.seq, a.doc"

func actInto(a *threads.Act) []any { return []any{&a.Seq, document(a)} }

// Acts implements [threads.View].
func (m *memory) Acts(claim string) ([]threads.Act, error) {
	query, args := "SELECT "+actColumns+" FROM acts a WHERE a.subject = $1", []any{m.subject}
	if claim != "" {
		query += " AND (a.claim = $2 OR (a.other = $2 AND a.other <> " + m.s.words.empty + "))"
		args = append(args, claim)
	}
	return collect(m.tx, query+" ORDER BY a.seq", args, actInto)
}

// AddAct implements [threads.Tx].
func (m *memory) AddAct(a threads.Act) error {
	claim, other := a.Claim, a.Other
	switch a.Verb {
	case conversation.Suggests, conversation.Adds:
		claim, other = conversation.ClaimID(a.Bucket, a.Text), ""
	case conversation.Undoes: // is about what the act is about that it undoes
		err := m.get("SELECT a.claim, a.other FROM acts a WHERE a.app = $1 AND a.id = $2 AND a.subject = $3",
			[]any{m.app, a.Undone, m.subject}, &claim, &other)
		if err != nil && !errors.Is(err, threads.ErrNotFound) {
			return err
		}
	}
	if err := bounded(a.ID, claim, other, a.Event); err != nil {
		return err
	}
	a.At, a.ExpiresAt = micros(a.At), micros(a.ExpiresAt)
	doc, err := json.Marshal(a)
	if err != nil {
		return err
	}
	err = m.add(`INSERT INTO acts (app, subject, seq, id, claim, other, event, at, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, m.app, m.subject, m.last+1, a.ID, claim, other, a.Event, a.At,
		doc)
	if err != nil {
		return err
	}
	m.next()
	m.time(a.At)
	m.put, m.grown = true, true
	return nil
}

// DeleteActs implements [threads.Tx].
func (m *memory) DeleteActs(ids []string, at time.Time) error {
	for _, id := range ids {
		err := m.must("DELETE FROM acts WHERE app = $1 AND id = $2 AND subject = $3", m.app, id, m.subject)
		if err != nil {
			return err
		}
		if err := m.erased(threads.KindAct, id, at); err != nil {
			return err
		}
		m.time(at)
		m.put, m.grown = true, true
	}
	return nil
}

// claimColumns is what claimInto reads.
const claimColumns = "c.id, c.created, c.updated, c.doc"

func claimInto(c *threads.Claim) []any {
	return []any{&c.ID, instant(&c.CreatedAt), instant(&c.UpdatedAt), document(c)}
}

// Claim implements [threads.View].
func (m *memory) Claim(id string) (threads.Claim, error) {
	return one(m.tx, "SELECT "+claimColumns+" FROM claims c WHERE c.app = $1 AND c.id = $2 AND c.subject = $3",
		[]any{m.app, id, m.subject}, claimInto)
}

// Claims implements [threads.View].
func (m *memory) Claims(q threads.ClaimQuery) ([]threads.Claim, error) {
	fits := func(c threads.Claim) bool {
		return (len(q.IDs) == 0 || slices.Contains(q.IDs, c.ID)) &&
			(len(q.States) == 0 || slices.Contains(q.States, c.State)) &&
			(len(q.Buckets) == 0 || slices.Contains(q.Buckets, c.Bucket)) &&
			(q.AsOf.IsZero() || c.TrueAt(q.AsOf) && (c.ExpiresAt.IsZero() || q.AsOf.Before(c.ExpiresAt))) &&
			q.Filter.Claim(c)
	}
	query, args := "SELECT "+claimColumns+" FROM claims c WHERE c.subject = $1", []any{m.subject}
	if states := conversation.States(); len(q.States) > 0 { // as many as there are, so that there are few queries
		query += " AND c.state IN (" + places(len(args)+1, len(states)) + ")"
		for _, state := range states {
			if !slices.Contains(q.States, state) {
				state = q.States[0]
			}
			args = append(args, string(state))
		}
	}
	found, err := collect(m.tx, query+" ORDER BY c.confidence DESC, c.reinforced DESC, c.updated DESC, c.id",
		args, claimInto)
	return q.Page(slices.DeleteFunc(found, func(c threads.Claim) bool { return !fits(c) })), err
}

// PutClaims implements [threads.Tx].
func (m *memory) PutClaims(claims []threads.Claim) error {
	have := map[string][]byte{}
	err := m.each("SELECT c.id, c.doc FROM claims c WHERE c.subject = $1", []any{m.subject},
		func(scan func(...any) error) error {
			var id string
			var doc []byte
			err := scan(&id, &doc)
			have[id] = doc
			return err
		})
	if err != nil {
		return err
	}
	docs := make([][]byte, len(claims))
	gone := map[string]bool{}
	for id := range have {
		gone[id] = true
	}
	for i, c := range claims {
		delete(gone, c.ID)
		if docs[i], err = claimDocument(c); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(gone)) { // first: another may take the place of its policy's name
		if err := m.deleteClaim(id); err != nil {
			return err
		}
	}
	for i, c := range claims {
		if old, ok := have[c.ID]; ok && bytes.Equal(old, docs[i]) {
			continue
		}
		if err := m.putClaim(c, docs[i]); err != nil {
			return err
		}
	}
	return nil
}

// claimDocument returns what is kept of a claim, with times to the microsecond.
func claimDocument(c threads.Claim) ([]byte, error) {
	c.Valid, c.Evidence = slices.Clone(c.Valid), slices.Clone(c.Evidence)
	for i, p := range c.Valid {
		c.Valid[i] = conversation.Period{From: micros(p.From), To: micros(p.To)}
	}
	for i := range c.Evidence {
		c.Evidence[i].At = micros(c.Evidence[i].At)
	}
	c.ExpiresAt = micros(c.ExpiresAt)
	return json.Marshal(c)
}

// putClaim adds or replaces a claim.
func (m *memory) putClaim(c threads.Claim, doc []byte) error {
	if err := bounded(c.ID, c.Claim.ID); err != nil {
		return err
	}
	n, err := m.exec(`UPDATE claims SET policy = $1, bucket = $2, state = $3, confidence = $4, reinforced = $5,
		expires = $6, updated = $7, doc = $8 WHERE app = $9 AND id = $10 AND subject = $11`, c.Claim.ID,
		string(c.Bucket), string(c.State), c.Confidence, c.Reinforced, c.ExpiresAt, stamp(c.UpdatedAt), doc, m.app,
		c.ID, m.subject)
	if err == nil && n == 0 {
		err = m.add(`INSERT INTO claims (app, subject, id, policy, bucket, state, confidence, reinforced, expires,
				created, updated, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, m.app, m.subject, c.ID, c.Claim.ID,
			string(c.Bucket), string(c.State), c.Confidence, c.Reinforced, c.ExpiresAt, stamp(c.CreatedAt),
			stamp(c.UpdatedAt), doc)
	}
	if err != nil {
		return err
	}
	return m.fed(threads.KindClaim, c.ID, opPut, c.UpdatedAt)
}

// deleteClaim deletes a claim with its vectors and jobs.
func (m *memory) deleteClaim(id string) error {
	err := m.must("DELETE FROM claims WHERE app = $1 AND id = $2 AND subject = $3", m.app, id, m.subject)
	if err != nil {
		return err
	}
	if err := m.forget(threads.KindClaim, id); err != nil {
		return err
	}
	at := m.now()
	return errors.Join(m.fed(threads.KindClaim, id, opDelete, at), m.deletedBy(threads.KindClaim, id, at))
}
