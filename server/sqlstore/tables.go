package sqlstore

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A table is how a dump holds the rows of a table.
type table struct {
	kind    string // of its lines
	name    string
	key     []string // what it is ordered by: columns of an index
	where   string   // which rows are dumped
	columns []column
}

// A column is how a dump holds the values of a column.
type column struct {
	name string
	form form
}

// A form is the JSON form of a value.
type form string

// The forms.
const (
	number form = ""      // a time is a number of microseconds since 1970
	real   form = "real"  // a number with a fraction
	text   form = "text"  // a string, or {"base64": …} of what is not UTF-8
	hexed  form = "hexed" // a string of hexadecimal digits
	coded  form = "coded" // a string in base64
	texts  form = "texts" // a list of texts
)

// tables returns all tables that a dump has, each after those that it refers to. What is not in them,
// the terms, follows from the packets.
func tables() []table {
	return []table{
		tableOf("scope", "scopes", "seq", "", "seq, packets, bytes, deleted"),
		tableOf("user", "users", "id", "", "id text, scope, name text, email text, display text, created, deleted"),
		tableOf("disabled", "disabled", "user_id", "", "user_id text, at"),
		tableOf("token", "tokens", "id", "",
			"id text, user_id text, name text, hash hexed, created, expires, revoked, used"),
		tableOf("team", "teams", "id", "", "id text, scope, name text, owner_id text, created, deleted"),
		tableOf("member", "members", "team_id, user_id", "", "team_id text, user_id text, joined"),
		tableOf("invite", "invites", "id", "",
			"id text, team_id text, hash hexed, created_by text, created, expires, closed"),
		// The rest of a deleted packet outlives its scope until the next purge at most, and has no meaning then.
		tableOf("packet", "packets", "id, scope", "EXISTS (SELECT 1 FROM scopes s WHERE s.seq = packets.scope)",
			"scope, id text, author_id text, parent text, version text, goal text, project text, tags texts, "+
				"created, stored, deleted, terms coded, body text"),
		tableOf("device", "devices", "id", "",
			"id text, hash hexed, user_code text, name text, user_id text, created, expires, polled, state"),
		tableOf("answer", "answers", "user_id, name", "",
			"user_id text, name text, request hexed, began, status, header texts, body text"),
		tableOf("audit", "audit", "seq", "", "seq, at, actor text, act text, id text, within text"),
		tableOf("app", "apps", "seq", "", "seq, id text, name text, created, deleted, settings text"),
		tableOf("app_key", "app_keys", "id", "",
			"id text, app, name text, hash hexed, created, expires, revoked, used"),
		tableOf("subject", "subjects", "seq", "", "seq, app, name text, version, last, pruned, imported"),
		tableOf("thread", "threads", "app, id", "",
			"app, subject, id text, agent text, title text, meta text, core, created, updated, cursor text"),
		tableOf("event", "events", "subject, seq", ofSomeone("events"),
			"app, subject, seq, id text, thread text, session text, role text, lang text, agent text, own_key text, "+
				"importance, unembedded, occurred, recorded, meta text, body text"),
		tableOf("summary", "summaries", "subject, seq", "",
			"app, subject, seq, id text, thread text, active, created, updated, doc text"),
		tableOf("act", "acts", "subject, seq", "",
			"app, subject, seq, id text, claim text, other text, event text, at, doc text"),
		tableOf("claim", "claims", "app, id", "",
			"app, subject, id text, policy text, bucket text, state text, confidence real, reinforced, expires, "+
				"created, updated, doc text"),
		tableOf("reaction", "reactions", "subject, event", "",
			"app, subject, event text, thread text, name text, created, updated"),
		tableOf("vector", "vectors", "subject, kind, id, model", ofSomeone("vectors"),
			"app, subject, kind text, id text, model text, digest hexed, v coded"),
		tableOf("job", "jobs", "seq", ofSomeone("jobs"),
			"seq, app, subject, kind text, thread text, of_kind text, of_id text, cause text, state, attempts, "+
				"reason text, created, run_at, done, lease text, leased_to"),
		// Not the transaction, whose number means nothing in another database.
		tableOf("change", "changes", "seq", thereStill("changes"),
			"seq, app, subject, version, name text, kind text, id text, op, at"),
		tableOf("erased", "erased", "seq", "", "seq, app, subject, app_id text, name text, kind text, id text, at"),
		tableOf("usage", "usages", "app, day", "", "app, day text, requests, input, output, estimated, micros"),
	}
}

// tableOf returns a table with the columns of its key, which rows are dumped (all, if that is empty), and its columns,
// each with its form unless that is number.
func tableOf(kind, name, key, where, columns string) table {
	t := table{kind: kind, name: name, key: strings.Split(key, ", "), where: where}
	for each := range strings.SplitSeq(columns, ", ") {
		named, is, _ := strings.Cut(each, " ")
		t.columns = append(t.columns, column{named, form(is)})
	}
	return t
}

// list returns the names of the columns.
func (t table) list() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// places returns parameters: $1, $2, …
func places(from, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(all, ", ")
}

// page returns the query for the next rows after a key; without one, for the first.
func (t table) page(after bool, limit int) string {
	conditions := []string{}
	if t.where != "" {
		conditions = append(conditions, t.where)
	}
	if after {
		conditions = append(conditions, "("+strings.Join(t.key, ", ")+") > ("+places(1, len(t.key))+")")
	}
	q := "SELECT " + t.list() + " FROM " + t.name
	if len(conditions) > 0 {
		q += " WHERE " + strings.Join(conditions, " AND ")
	}
	return q + fmt.Sprintf(" ORDER BY %s LIMIT %d", strings.Join(t.key, ", "), limit)
}

// A row is the values of a row: int64, float64, []byte or nil.
type row []any

// scanned returns destinations for a row.
func (t table) scanned(r row) []any {
	into := make([]any, len(r))
	for i := range r {
		into[i] = value{&r[i], t.columns[i].form}
	}
	return into
}

// value is a destination for a number, a text or NULL. A text is copied.
type value struct {
	to   *any
	form form
}

// Scan implements sql.Scanner.
func (v value) Scan(src any) error {
	*v.to = nil
	if src == nil {
		return nil
	}
	switch v.form {
	case number:
		var n sql.NullInt64
		err := n.Scan(src)
		*v.to = n.Int64
		return err
	case real:
		var n sql.NullFloat64
		err := n.Scan(src)
		*v.to = n.Float64
		return err
	}
	b, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("%T is not bytes", src)
	}
	*v.to = append([]byte{}, b...)
	return nil
}

// keyOf returns the values of a row that it is ordered by.
func (t table) keyOf(r row) []any {
	var key []any
	for _, name := range t.key {
		key = append(key, r[t.index(name)])
	}
	return key
}

// index returns the place of a column.
func (t table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// encode returns the line of a row.
func (t table) encode(r row) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"%s":{`, t.kind)
	for i, c := range t.columns {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s":`, c.name)
		if err := encodeValue(&b, c.form, r[i]); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", c.name, t.name, err)
		}
	}
	b.WriteString("}}\n")
	return b.Bytes(), nil
}

// encodeValue writes a value.
func encodeValue(b *bytes.Buffer, f form, v any) error {
	made := v
	if raw, ok := v.([]byte); ok {
		switch f {
		case text:
			made = textForm(raw)
		case hexed:
			made = hex.EncodeToString(raw)
		case coded:
			made = base64.StdEncoding.EncodeToString(raw)
		case texts:
			parts, err := unpack(raw)
			if err != nil {
				return err
			}
			forms := []any{}
			for _, part := range parts {
				forms = append(forms, textForm([]byte(part)))
			}
			made = forms
		}
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(made); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	return nil
}

// odd is the form of a text that is not UTF-8.
type odd struct {
	Base64 *[]byte `json:"base64"`
}

// textForm returns the form of a text.
func textForm(raw []byte) any {
	if utf8.Valid(raw) {
		return string(raw)
	}
	return odd{&raw}
}

// errForm is returned for a value that does not have the form of its column.
var errForm = errors.New("a value of another form")

// decode returns the row of a line's object.
func (t table) decode(object []byte) (row, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, err
	}
	if len(fields) != len(t.columns) {
		return nil, fmt.Errorf("%d fields instead of %d", len(fields), len(t.columns))
	}
	r := make(row, len(t.columns))
	for i, c := range t.columns {
		raw, ok := fields[c.name]
		if !ok {
			return nil, fmt.Errorf("no %s", c.name)
		}
		v, err := decodeValue(c.form, raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		r[i] = v
	}
	return r, nil
}

// decodeValue undoes encodeValue.
func decodeValue(f form, raw json.RawMessage) (any, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	switch f {
	case number:
		var n int64
		err := json.Unmarshal(raw, &n)
		return n, err
	case real:
		var n float64
		err := json.Unmarshal(raw, &n)
		return n, err
	case text:
		return decodeText(raw)
	case texts:
		var forms []json.RawMessage
		if err := json.Unmarshal(raw, &forms); err != nil {
			return nil, err
		}
		parts := make([]string, len(forms))
		for i, form := range forms {
			part, err := decodeText(form)
			if err != nil {
				return nil, err
			}
			parts[i] = string(part)
		}
		return pack(parts), nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if f == hexed {
		return hex.DecodeString(s)
	}
	return base64.StdEncoding.DecodeString(s)
}

// decodeText undoes textForm.
func decodeText(raw json.RawMessage) ([]byte, error) {
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return []byte(s), err
	}
	var b odd
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, err
	}
	if b.Base64 == nil {
		return nil, errForm
	}
	return *b.Base64, nil
}
