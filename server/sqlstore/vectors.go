package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ltm/server/threads"
)

// floats makes bytes of a vector, the lowest byte of each number first.
func floats(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// unfloats undoes floats.
func unfloats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// vector is a destination for a vector.
type vector struct{ to *[]float32 }

// Scan implements sql.Scanner.
func (v vector) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok || len(b)%4 != 0 {
		return errors.New("the database holds a damaged vector")
	}
	*v.to = unfloats(b)
	return nil
}

// PutVector implements [threads.Tx].
func (m *memory) PutVector(v threads.Vector) error {
	if err := bounded(v.ID, v.Model); err != nil {
		return err
	}
	var own, value, updated string
	args := []any{m.app, m.subject, string(v.Kind), v.ID, v.Model, v.Of, floats(v.V)}
	if d := m.s.d.Vectors; d != nil {
		own, value, updated = ", "+d.Column, ", "+d.Value("$8"), ", "+d.Column+" = excluded."+d.Column
		args = append(args, VectorText(v.V))
	}
	_, err := m.exec("INSERT INTO vectors (app, subject, kind, id, model, digest, v"+own+
		") VALUES ($1, $2, $3, $4, $5, $6, $7"+value+`)
		ON CONFLICT (subject, kind, id, model) DO UPDATE SET digest = excluded.digest, v = excluded.v`+
		updated, args...)
	m.put, m.grown = true, true
	return err
}

// VectorOf implements [threads.View].
func (m *memory) VectorOf(model string, of threads.Ref) (threads.Vector, error) {
	v := threads.Vector{Ref: of, Model: model}
	err := m.get("SELECT digest, v FROM vectors WHERE subject = $1 AND kind = $2 AND id = $3 AND model = $4",
		[]any{m.subject, string(of.Kind), of.ID, model}, digest{&v.Of}, vector{&v.V})
	return v, err
}

// Nearest implements [threads.View].
func (m *memory) Nearest(model string, v []float32, kinds []threads.Kind, k int) ([]threads.Near, error) {
	var near []threads.Near
	if norm(v) == 0 || k <= 0 {
		return nil, nil
	}
	for _, kind := range kinds {
		found, ok, err := m.nearestThere(model, v, kind, k)
		if err == nil && !ok {
			found, err = m.compared(v, kind, `SELECT id, v FROM vectors
				WHERE model = $1 AND subject = $2 AND kind = $3`, model, m.subject, string(kind))
		}
		if err != nil {
			return nil, err
		}
		near = append(near, found...)
	}
	slices.SortFunc(near, func(a, b threads.Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), strings.Compare(string(a.Kind), string(b.Kind)),
			strings.Compare(a.ID, b.ID))
	})
	return near[:min(k, len(near))], nil
}

// compared returns the rows of a query for ids and vectors, in any order, those that cannot be compared left out. What
// the database has found nearest comes through here, too, so that all databases give the same numbers.
func (m *memory) compared(v []float32, kind threads.Kind, query string, args ...any) (near []threads.Near, err error) {
	size := norm(v)
	err = m.each(query, args, func(scan func(...any) error) error {
		n := threads.Near{Ref: threads.Ref{Kind: kind}}
		var w sql.RawBytes
		if err := scan(&n.ID, &w); err != nil {
			return err
		}
		if len(w) != 4*len(v) {
			return nil
		}
		if product, other := dotBytes(v, w); other > 0 {
			n.Cosine = product / size / math.Sqrt(other)
			near = append(near, n)
		}
		return nil
	})
	return near, err
}

// dotBytes returns the product of a vector with one in bytes, and that one's product with itself.
func dotBytes(v []float32, w []byte) (product, own float64) {
	for i, a := range v {
		b := float64(math.Float32frombits(binary.LittleEndian.Uint32(w[4*i:])))
		product += float64(a) * b
		own += b * b
	}
	return product, own
}

// dot returns the product of two vectors of one length.
func dot(v, w []float32) (sum float64) {
	for i := range v {
		sum += float64(v[i]) * float64(w[i])
	}
	return sum
}

// norm returns the length of a vector.
func norm(v []float32) float64 { return math.Sqrt(dot(v, v)) }

// WithoutVector implements [threads.Storage]. Its order is events, summaries, claims, each by application and id.
func (s *Threads) WithoutVector(
	ctx context.Context, model, after string, limit int,
) (found []threads.Text, next string, err error) {
	var at place
	if after != "" {
		if at, err = parsePlace(after); err != nil {
			return nil, "", err
		}
	}
	start := at
	err = s.s.readAll(ctx, func(t *tx) error {
		found, at = nil, start
		kinds := embeddables()
		for range looksAtOnce {
			if at.kind >= len(kinds) || len(found) >= limit {
				break
			}
			texts, last, ended, err := t.withoutVector(kinds[at.kind], at, model, limit-len(found))
			if err != nil {
				return err
			}
			found = append(found, texts...)
			if at = last; ended {
				at = place{kind: at.kind + 1}
			}
		}
		if next = at.String(); at.kind >= len(kinds) {
			next = ""
		}
		return nil
	})
	return found, next, err
}

// A call of WithoutVector looks at so many rows at most, because nearly all of them may have their vectors.
const (
	looksAtOnce = 10
	rowsOfALook = 2000
)

// place is a place in the order of what is embedded.
type place struct {
	kind int
	app  int64
	id   string
}

// String returns what parsePlace reads.
func (p place) String() string { return fmt.Sprintf("%d.%d.%s", p.kind, p.app, p.id) }

// parsePlace undoes String.
func parsePlace(s string) (p place, err error) {
	n, err := fmt.Sscanf(s, "%d.%d.", &p.kind, &p.app)
	if parts := strings.SplitN(s, ".", 3); n == 2 && len(parts) == 3 && p.kind >= 0 {
		p.id = parts[2]
		return p, nil
	}
	return p, errors.Join(threads.ErrCursor, err)
}

// embeddable is a kind of rows that have vectors.
type embeddable struct {
	kind        threads.Kind
	table, text string
	fixed       bool // the text never changes, and is not read if there is a vector
	read        func(column []byte) (string, error)
}

// embeddables returns all kinds of rows that have vectors.
func embeddables() []embeddable {
	return []embeddable{
		{threads.KindEvent, "events", "CASE WHEN v.digest IS NULL THEN o.body END", true,
			func(b []byte) (string, error) { return string(b), nil }},
		{threads.KindSummary, "summaries", "o.doc", false, func(b []byte) (string, error) {
			var s threads.Summary
			err := summaryDoc{&s}.Scan(b)
			return cmp.Or(s.Written, s.Text()), err
		}},
		{threads.KindClaim, "claims", "o.doc", false, func(b []byte) (string, error) {
			var c threads.Claim
			err := claimDoc{&c}.Scan(b)
			return c.Text, err
		}},
	}
}

// withoutVector looks at rows of one kind, and returns those that have no vector of a model that was made of their
// text, where it ended, and whether the kind has no more.
func (t *tx) withoutVector(in embeddable, at place, model string, limit int) (
	found []threads.Text, last place, ended bool, err error,
) {
	last, ended = at, true
	rows := 0
	err = t.each("SELECT a.id, s.name, o.app, o.id, "+in.text+`, v.digest FROM `+in.table+` o
			JOIN subjects s ON s.seq = o.subject JOIN apps a ON a.seq = s.app
			LEFT JOIN vectors v ON v.subject = o.subject AND v.kind = $3 AND v.id = o.id AND v.model = $4
		WHERE (o.app, o.id) > ($1, $2) ORDER BY o.app, o.id LIMIT $5`,
		[]any{at.app, at.id, string(in.kind), model, rowsOfALook},
		func(scan func(...any) error) error {
			rows++
			if len(found) == limit {
				ended = false
				return nil
			}
			one := threads.Text{Ref: threads.Ref{Kind: in.kind}}
			var text, of []byte
			err := scan(&one.Subject.App, &one.Subject.User, &last.app, &one.ID, &text, &of)
			if last.id = one.ID; err != nil || in.fixed && of != nil {
				return err
			}
			if one.Text, err = in.read(text); err != nil {
				return err
			}
			if sum := sha256.Sum256([]byte(one.Text)); one.Text != "" && !bytes.Equal(of, sum[:]) {
				found = append(found, one)
			}
			return nil
		})
	return found, last, ended && rows < rowsOfALook, err
}

// DropVectors implements [threads.Storage].
func (s *Threads) DropVectors(ctx context.Context, model string, limit int) (int64, error) {
	return in(ctx, s.s.writeAll, func(t *tx) (int64, error) {
		return t.exec(`DELETE FROM vectors WHERE (subject, kind, id, model) IN
			(SELECT subject, kind, id, model FROM vectors WHERE model = $1 LIMIT $2)`, model, limit)
	})
}
