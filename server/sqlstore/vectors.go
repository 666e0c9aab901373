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
	"strconv"
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

// UnpackVector returns the numbers of a vector in bytes.
func UnpackVector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// vector is a destination for a vector.
func vector(to *[]float32) scanner {
	return func(src any) error {
		b, ok := src.([]byte)
		if !ok || len(b)%4 != 0 {
			return errors.New("the database holds a damaged vector")
		}
		*to = UnpackVector(b)
		return nil
	}
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
		[]any{m.subject, string(of.Kind), of.ID, model}, digest(&v.Of), vector(&v.V))
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

// norm returns the length of a vector.
func norm(v []float32) float64 {
	sum := 0.0
	for _, n := range v {
		sum += float64(n) * float64(n)
	}
	return math.Sqrt(sum)
}

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
		if next = fmt.Sprintf("%d.%d.%s", at.kind, at.app, at.id); at.kind >= len(kinds) {
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

// parsePlace reads a place: its parts with dots between them.
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
		{threads.KindEvent, "events", "CASE WHEN v.digest IS NULL AND o.unembedded = 0 THEN o.body END", true,
			func(b []byte) (string, error) { return string(b), nil }},
		{threads.KindSummary, "summaries", "o.doc", false, func(b []byte) (string, error) {
			var s threads.Summary
			err := document(&s).Scan(b)
			return cmp.Or(s.Written, s.Text()), err
		}},
		{threads.KindClaim, "claims", "o.doc", false, func(b []byte) (string, error) {
			var c threads.Claim
			err := document(&c).Scan(b)
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

// Vectors is what a database can do with vectors itself. It keeps a form of its own in a column of the table vectors,
// which may be missing in rows that another server wrote; the bytes stay what counts.
type Vectors struct {
	Column string

	// Value is the expression for the column of a parameter that [VectorText] makes.
	Value func(parameter string) string

	// Exact returns the query for the ids and bytes of the vectors that are nearest to one: of a subject ($1) and a
	// kind ($2) to the parameter $3, $4 rows. It compares all. "" if it cannot compare vectors of this size.
	Exact func(model string, size int) string

	// Indexed is the same by an index, which may miss some. The first statement is run before the query, and the
	// last one after it. ok is false if there is no such index, or not yet.
	Indexed func(model string, size int) (before, query, after string, ok bool)

	// Most is how many vectors of a subject and a kind are all compared.
	Most int

	// Missing is called when the column of some row is missing.
	Missing func()
}

// VectorsBy says what compares vectors.
func (s *Store) VectorsBy() string { return s.d.VectorsBy }

// VectorText returns a vector as [Vectors.Value] takes it. One with NaN or infinity, or with more than 16,000
// numbers, is not compared by a database, and a vector of one number is in its place.
func VectorText(v []float32) sql.NullString {
	const most = 16_000
	text := append(make([]byte, 0, 12*len(v)), '[')
	for i, f := range v {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) || len(v) > most {
			return sql.NullString{String: "[0]", Valid: true}
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(text, float64(f), 'g', -1, 32)
	}
	if len(v) == 0 {
		text = append(text, '0')
	}
	return sql.NullString{String: string(append(text, ']')), Valid: true}
}

// nearestThere asks the database for the k vectors of a kind nearest to one. ok is false if it cannot answer.
//
// A user who has few vectors gets all of them compared, however many others there are: an index over all users is
// looked through from its nearest vectors on, whose they are or not, and may end before it finds these.
func (m *memory) nearestThere(model string, v []float32, kind threads.Kind, k int) (near []threads.Near, ok bool,
	err error) {
	d := m.s.d.Vectors
	if d == nil {
		return nil, false, nil
	}
	exact := d.Exact(model, len(v))
	if exact == "" {
		return nil, false, nil
	}
	var n int
	var missing bool
	err = m.get(`SELECT (SELECT count(*) FROM (SELECT 1 FROM vectors WHERE model = $1 AND subject = $2 AND kind = $3
			LIMIT $4) n), EXISTS (SELECT 1 FROM vectors WHERE model = $1 AND subject = $2 AND kind = $3
			AND `+d.Column+" IS NULL)", []any{model, m.subject, string(kind), d.Most + 1}, &n, &missing)
	if err != nil || missing {
		if missing {
			d.Missing()
		}
		return nil, false, err
	}
	to := VectorText(v)
	if n > d.Most {
		near, err = m.indexed(model, v, kind, k)
		if err != nil || len(near) >= k {
			return near, true, err
		}
	}
	near, err = m.compared(v, kind, exact, m.subject, string(kind), to, k)
	return near, true, err
}

// indexed asks an index for more than k vectors, because it compares with fewer digits. There are none if it is not
// ready.
func (m *memory) indexed(model string, v []float32, kind threads.Kind, k int) ([]threads.Near, error) {
	before, query, after, ok := m.s.d.Vectors.Indexed(model, len(v))
	if !ok {
		return nil, nil
	}
	if _, err := m.exec(before); err != nil {
		return nil, err
	}
	near, err := m.compared(v, kind, query, m.subject, string(kind), VectorText(v), 2*k+20)
	if err != nil {
		return nil, err
	}
	_, err = m.exec(after)
	return near, err
}
