package sqlstore

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
type form int

// The forms.
const (
	number form = iota // a time is a number of microseconds since 1970
	real               // a number with a fraction
	text               // a string, or {"base64": …} of what is not UTF-8
	hexed              // a string of hexadecimal digits
	coded              // a string in base64
	texts              // a list of texts
)

// tables returns all tables that a dump has, each after those that it refers to. What is not in them,
// the terms, follows from the packets.
func tables() []table {
	return append([]table{
		{kind: "scope", name: "scopes", key: []string{"seq"}, columns: []column{{"seq", number},
			{"packets", number}, {"bytes", number}, {"deleted", number}}},
		{kind: "user", name: "users", key: []string{"id"}, columns: []column{{"id", text}, {"scope", number},
			{"name", text}, {"email", text}, {"display", text}, {"created", number}, {"deleted", number}}},
		{kind: "disabled", name: "disabled", key: []string{"user_id"}, columns: []column{{"user_id", text},
			{"at", number}}},
		{kind: "token", name: "tokens", key: []string{"id"}, columns: []column{{"id", text}, {"user_id", text},
			{"name", text}, {"hash", hexed}, {"created", number}, {"expires", number}, {"revoked", number},
			{"used", number}}},
		{kind: "team", name: "teams", key: []string{"id"}, columns: []column{{"id", text}, {"scope", number},
			{"name", text}, {"owner_id", text}, {"created", number}, {"deleted", number}}},
		{kind: "member", name: "members", key: []string{"team_id", "user_id"}, columns: []column{
			{"team_id", text}, {"user_id", text}, {"joined", number}}},
		{kind: "invite", name: "invites", key: []string{"id"}, columns: []column{{"id", text}, {"team_id", text},
			{"hash", hexed}, {"created_by", text}, {"created", number}, {"expires", number}, {"closed", number}}},
		{kind: "packet", name: "packets", key: []string{"id", "scope"},
			// The rest of a deleted packet outlives its scope until the next purge at most, and has no meaning then.
			where: "EXISTS (SELECT 1 FROM scopes s WHERE s.seq = packets.scope)",
			columns: []column{{"scope", number}, {"id", text}, {"author_id", text}, {"parent", text},
				{"version", text}, {"goal", text}, {"project", text}, {"tags", texts}, {"created", number},
				{"stored", number}, {"deleted", number}, {"terms", coded}, {"body", text}}},
		{kind: "device", name: "devices", key: []string{"id"}, columns: []column{{"id", text}, {"hash", hexed},
			{"user_code", text}, {"name", text}, {"user_id", text}, {"created", number}, {"expires", number},
			{"polled", number}, {"state", number}}},
		{kind: "answer", name: "answers", key: []string{"user_id", "name"}, columns: []column{{"user_id", text},
			{"name", text}, {"request", hexed}, {"began", number}, {"status", number}, {"header", texts},
			{"body", text}}},
		{kind: "audit", name: "audit", key: []string{"seq"}, columns: []column{{"seq", number}, {"at", number},
			{"actor", text}, {"act", text}, {"id", text}, {"within", text}}},
	}, memoryTables()...)
}

// memoryTables returns the tables of applications and their users' memory.
func memoryTables() []table {
	of := func(columns ...column) []column {
		return append([]column{{"app", number}, {"subject", number}}, columns...)
	}
	return []table{
		{kind: "app", name: "apps", key: []string{"seq"}, columns: []column{{"seq", number}, {"id", text},
			{"name", text}, {"created", number}, {"deleted", number}, {"settings", text}}},
		{kind: "app_key", name: "app_keys", key: []string{"id"}, columns: []column{{"id", text}, {"app", number},
			{"name", text}, {"hash", hexed}, {"created", number}, {"expires", number}, {"revoked", number},
			{"used", number}}},
		{kind: "subject", name: "subjects", key: []string{"seq"}, columns: []column{{"seq", number}, {"app", number},
			{"name", text}, {"version", number}, {"last", number}, {"pruned", number}, {"imported", number}}},
		{kind: "thread", name: "threads", key: []string{"app", "id"}, columns: of(column{"id", text},
			column{"agent", text}, column{"title", text}, column{"meta", text}, column{"core", number},
			column{"created", number}, column{"updated", number}, column{"cursor", text})},
		{kind: "event", name: "events",
			where: ofSomeone("events"), key: []string{"subject", "seq"},
			columns: of(column{"seq", number},
				column{"id", text}, column{"thread", text}, column{"session", text}, column{"role", text},
				column{"lang", text}, column{"agent", text}, column{"own_key", text}, column{"importance", number},
				column{"unembedded", number},
				column{"occurred", number}, column{"recorded", number}, column{"meta", text}, column{"body", text})},
		{kind: "summary", name: "summaries", key: []string{"subject", "seq"}, columns: of(column{"seq", number},
			column{"id", text}, column{"thread", text}, column{"active", number}, column{"created", number},
			column{"updated", number}, column{"doc", text})},
		{kind: "act", name: "acts", key: []string{"subject", "seq"}, columns: of(column{"seq", number},
			column{"id", text}, column{"claim", text}, column{"other", text}, column{"event", text},
			column{"at", number}, column{"doc", text})},
		{kind: "claim", name: "claims", key: []string{"app", "id"}, columns: of(column{"id", text},
			column{"policy", text}, column{"bucket", text}, column{"state", text}, column{"confidence", real},
			column{"reinforced", number}, column{"expires", number}, column{"created", number},
			column{"updated", number}, column{"doc", text})},
		{kind: "reaction", name: "reactions", key: []string{"subject", "event"}, columns: of(column{"event", text},
			column{"thread", text}, column{"name", text}, column{"created", number}, column{"updated", number})},
		{kind: "vector", name: "vectors",
			where: ofSomeone("vectors"), key: []string{"subject", "kind", "id", "model"},
			columns: of(
				column{"kind", text}, column{"id", text}, column{"model", text}, column{"digest", hexed},
				column{"v", coded})},
		{kind: "job", name: "jobs",
			where: ofSomeone("jobs"), key: []string{"seq"},
			columns: append([]column{{"seq", number}}, of(
				column{"kind", text}, column{"thread", text}, column{"of_kind", text}, column{"of_id", text},
				column{"cause", text}, column{"state", number}, column{"attempts", number}, column{"reason", text},
				column{"created", number}, column{"run_at", number}, column{"done", number}, column{"lease", text},
				column{"leased_to", number})...)},
		// Not the transaction, whose number means nothing in another database.
		{kind: "change", name: "changes",
			where: thereStill("changes"), key: []string{"seq"},
			columns: append([]column{{"seq", number}}, of(
				column{"version", number}, column{"name", text}, column{"kind", text}, column{"id", text},
				column{"op", number}, column{"at", number})...)},
		{kind: "erased", name: "erased", key: []string{"seq"}, columns: append([]column{{"seq", number}}, of(
			column{"app_id", text}, column{"name", text}, column{"kind", text}, column{"id", text},
			column{"at", number})...)},
		{kind: "usage", name: "usages", key: []string{"app", "day"}, columns: []column{{"app", number}, {"day", text},
			{"requests", number}, {"input", number}, {"output", number}, {"estimated", number}, {"micros", number}}},
	}
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

// insert returns the statement that adds a row.
func (t table) insert() string {
	return "INSERT INTO " + t.name + " (" + t.list() + ") VALUES (" + places(1, len(t.columns)) + ")"
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
	for i, c := range t.columns {
		if c.name == name {
			return i
		}
	}
	return -1
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
