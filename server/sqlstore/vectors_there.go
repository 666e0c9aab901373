package sqlstore

import (
	"database/sql"
	"math"
	"strconv"

	"ltm/server/threads"
)

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

// UnpackVector returns the numbers of a vector in bytes.
func UnpackVector(b []byte) []float32 { return unfloats(b) }

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
