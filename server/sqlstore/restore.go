package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Restore reads a dump into an empty database, whole or not at all. [ErrNotEmpty]; [ErrDamaged]: the
// dump is not what was written; [server.ErrNewer]: a newer program wrote it.
//
// It is one transaction, which writes each part of the file about once however many rows there are: the rows come in
// the order of their keys, the indexes are made after the rows, and the terms are sorted before they are added. An
// index that grows by keys in no order would be read and written again and again once it is larger than the memory.
func (s *Store) Restore(ctx context.Context, r io.Reader) (err error) {
	db := s.w
	if s.d.Filling != nil {
		if db, err = s.d.Filling(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
	}
	return s.whole(ctx, db, nil, func(t *tx) error {
		t.passing = true
		if err := t.empty(); err != nil {
			return err
		}
		indexes, err := t.withoutIndexes()
		if err != nil {
			return err
		}
		if err := t.restore(newReader(r)); err != nil {
			return err
		}
		if err := t.withIndexes(indexes); err != nil {
			return err
		}
		if err := t.all(s.words.restored); err != nil {
			return err
		}
		faults, err := t.faults(rowRules(true)) // the terms were made of the packets
		if err == nil && len(faults) > 0 {
			err = fmt.Errorf("%w: %s", ErrDamaged, faults[0])
		}
		return err
	})
}

// filled returns the names of the tables that a restore fills.
func filled() []string {
	names := []string{"terms"}
	for _, table := range tables() {
		names = append(names, table.name)
	}
	return names
}

// empty returns [ErrNotEmpty] if there is anything in the database.
func (t *tx) empty() error {
	for _, name := range filled() {
		var n int
		if err := t.get("SELECT count(*) FROM (SELECT 1 FROM "+name+" LIMIT 1) counted", nil, &n); err != nil {
			return err
		}
		if n > 0 {
			return ErrNotEmpty
		}
	}
	return nil
}

// index is an index that no constraint of its table needs.
type index struct{ table, name, definition string }

// withoutIndexes drops the indexes of the tables that are to be filled, until the end of the transaction or until
// withIndexes makes them again. Those of keys stay: the rows come in their order.
func (t *tx) withoutIndexes() (indexes []index, err error) {
	ours := filled()
	indexes, err = collect(t, t.s.words.indexes, nil, func(i *index) []any {
		return []any{&i.table, &i.name, &i.definition}
	})
	indexes = slices.DeleteFunc(indexes, func(i index) bool { return !slices.Contains(ours, i.table) })
	for _, i := range indexes {
		if err == nil {
			_, err = t.tx.ExecContext(t.ctx, "DROP INDEX "+i.name)
		}
	}
	return indexes, err
}

// withIndexes makes indexes again.
func (t *tx) withIndexes(indexes []index) error {
	for _, i := range indexes {
		if _, err := t.tx.ExecContext(t.ctx, i.definition); err != nil {
			if t.s.meaning(err) == Twice {
				err = twice(i.table)
			}
			return err
		}
	}
	return nil
}

// twice returns the error for a row that another one has the key of.
func twice(table string) error {
	return fmt.Errorf("%w: a row of %s is there twice", ErrDamaged, table)
}

// restore reads the lines of a dump.
func (t *tx) restore(in *reader) error {
	if err := in.header(); err != nil {
		return err
	}
	known := map[string]table{}
	for _, table := range tables() {
		known[table.kind] = table
	}
	f := &filling{t: t}
	for {
		line, err := in.line()
		if err != nil {
			return err
		}
		kind, value, err := only(line)
		if err != nil {
			return in.damaged(err.Error())
		}
		if kind == "end" {
			return errors.Join(in.end(value), f.end())
		}
		table, ok := known[kind]
		if !ok {
			return in.damaged(fmt.Sprintf("unknown kind %q", kind))
		}
		row, err := table.decode(value)
		if err != nil {
			return in.damaged(err.Error())
		}
		if err := f.add(table, row); err != nil {
			return err
		}
		in.sum.Write(in.read)
		in.rows++
	}
}

// only returns the one key of a line's object, and its value.
func only(line []byte) (key string, value json.RawMessage, err error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil || len(object) != 1 {
		return "", nil, errors.New("not an object with one key")
	}
	for key, value = range object {
	}
	return key, value, nil
}

// filling adds the rows of a dump to an empty database.
type filling struct {
	t     *tx
	table table     // of the last row
	one   *sql.Stmt // adds a row of the table
	rows  []row     // wait to be added together
	size  int       // how many bytes they have, about
	terms int64     // how many the packets have
}

// How much is added together at most: a statement costs about as much as a hundred rows.
const (
	mostRows  = 1000
	mostBytes = 1 << 20
)

// add adds a row, now or with later ones.
func (f *filling) add(table table, r row) error {
	if table.kind != f.table.kind {
		if err := f.flush(); err != nil {
			return err
		}
		f.table = table
	}
	if table.name == "packets" {
		if err := f.check(r); err != nil {
			return err
		}
	}
	if !f.t.s.d.Several { // it has no arrays
		return f.addOne(r)
	}
	f.rows = append(f.rows, r)
	for _, value := range r {
		b, _ := value.([]byte)
		f.size += len(b) + 8
	}
	if len(f.rows) < mostRows && f.size < mostBytes {
		return nil
	}
	return f.together()
}

// flush adds what waits, and forgets the table.
func (f *filling) flush() error {
	err := f.together()
	if f.one != nil {
		err = errors.Join(err, f.one.Close())
		f.one = nil
	}
	return err
}

// addOne adds a row by itself.
func (f *filling) addOne(r row) (err error) {
	if f.one == nil {
		query := orNothing("INSERT INTO " + f.table.name + " (" + f.table.list() + ") VALUES (" +
			places(1, len(f.table.columns)) + ")")
		if f.one, err = f.t.tx.PrepareContext(f.t.ctx, f.t.query(query)); err != nil {
			return err
		}
	}
	result, err := f.one.ExecContext(f.t.ctx, r...)
	return f.added(1, result, err)
}

// together adds the rows that wait.
func (f *filling) together() error {
	if len(f.rows) == 0 {
		return nil
	}
	args := make([]any, len(f.table.columns))
	for i, c := range f.table.columns {
		args[i] = c.array(f.rows, i)
	}
	result, err := f.t.tx.ExecContext(f.t.ctx, f.t.query(orNothing(f.table.insertArrays())), args...)
	n := len(f.rows)
	f.rows, f.size = f.rows[:0], 0
	return f.added(n, result, err)
}

// added checks that all rows were added.
func (f *filling) added(rows int, result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n != int64(rows) {
		err = twice(f.table.name)
	}
	return err
}

// check checks a packet.
func (f *filling) check(r row) error {
	table := f.table
	body, version := r[table.index("body")].([]byte), r[table.index("version")].([]byte)
	terms, _ := r[table.index("terms")].([]byte)
	switch deleted := r[table.index("deleted")] != nil; {
	case !deleted && Version(body) != string(version):
		return fmt.Errorf("%w: the version of packet %q is not that of its text", ErrDamaged, r[table.index("id")])
	case len(terms)%termSize != 0:
		return fmt.Errorf("%w: terms of a wrong length", ErrDamaged)
	}
	f.terms += int64(len(terms) / termSize)
	return nil
}

// end adds what waits and the terms of all packets.
func (f *filling) end() error {
	if err := f.flush(); err != nil || f.terms == 0 {
		return err
	}
	var n int64
	for _, statement := range f.t.s.words.fillTerms {
		result, err := f.t.tx.ExecContext(f.t.ctx, statement)
		if err != nil {
			if f.t.s.meaning(err) == Twice {
				err = twice("terms")
			}
			return err
		}
		if strings.HasPrefix(statement, "INSERT INTO terms") {
			if n, err = result.RowsAffected(); err != nil {
				return err
			}
		}
	}
	if n != f.terms {
		return fmt.Errorf("%w: %d terms instead of %d", ErrDamaged, n, f.terms)
	}
	return nil
}

// insertArrays returns the statement that adds rows, of which each column is an array.
func (t table) insertArrays() string {
	arrays := make([]string, len(t.columns))
	for i, c := range t.columns {
		arrays[i] = fmt.Sprintf("$%d::%s[]", i+1, c.arrayOf())
	}
	return "INSERT INTO " + t.name + " (" + t.list() + ") SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ")"
}

// arrayOf returns the type of a column's values.
func (c column) arrayOf() string {
	switch c.form {
	case number:
		return "bigint"
	case real:
		return "float8"
	}
	return "bytea"
}

// array returns the values of a column.
func (c column) array(rows []row, at int) any {
	switch c.form {
	case number:
		return pointers[int64](rows, at)
	case real:
		return pointers[float64](rows, at)
	}
	all := make([][]byte, len(rows))
	for i, r := range rows {
		all[i], _ = r[at].([]byte)
	}
	return all
}

// pointers returns the values of a column, nil for NULL.
func pointers[T any](rows []row, at int) []*T {
	all := make([]*T, len(rows))
	for i, r := range rows {
		if v, ok := r[at].(T); ok {
			all[i] = &v
		}
	}
	return all
}
