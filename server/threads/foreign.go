package threads

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"ltm/conversation"
)

// Foreign is a dump of another system to read.
type Foreign struct {
	Form string    // one of ForeignForms
	User string    // whose the rows are that do not say it; "": such rows are refused
	Now  time.Time // when a row was made that does not say it
}

// ForeignForms lists the systems whose dumps [Convert] reads.
func ForeignForms() []string { return []string{formCortex, formMem0, formZep} }

// The forms of dumps.
const (
	formCortex = "cortexltm"
	formMem0   = "mem0"
	formZep    = "zep"
)

// importer is who an act of an import is by.
const importer = "import"

// roleOf returns the role that a name of another system stands for. One that is not known is the system's, so that
// nothing is taken for what the user said.
func roleOf(name string) (role conversation.Role, known bool) {
	switch strings.ToLower(name) {
	case "user", "human":
		return conversation.User, true
	case "assistant", "ai":
		return conversation.Assistant, true
	case "system":
		return "system", true
	case "tool", "function":
		return "tool", true
	}
	return "system", false
}

// importedConfidence is that of claims whose source gives none: someone else's program was sure enough to keep them,
// and nobody here has confirmed them.
const importedConfidence = 0.8

// Convert reads a dump of another system, which it holds in memory, and writes it as a file for [Service.Import]. What
// the form has no place for is kept in the meta of events and threads or in the notes of acts. The remarks name what
// was changed or left out, with how many rows that concerns. [Refusal]: the dump is not of the form.
//
// Ids that are UUIDs are kept: those of threads, events and summaries as they are, and those of claims as the ids of
// the acts that add them.
func Convert(f Foreign, r io.Reader, w io.Writer) (remarks []string, err error) {
	c := &conversion{Foreign: f, users: map[string]*userRows{}, threads: map[string]*userRows{},
		noted: map[string]int{}, tables: map[string][]record{}}
	read, ok := map[string]func(json.RawMessage) error{formCortex: c.cortex, formMem0: c.mem0, formZep: c.zep}[f.Form]
	if !ok {
		return nil, Refuse(ErrInvalid, "there is no form %q; allowed: %v", f.Form, ForeignForms())
	}
	in := json.NewDecoder(r)
	for n := 1; ; n++ {
		var value json.RawMessage
		err := in.Decode(&value)
		if errors.Is(err, io.EOF) && n > 1 {
			break
		}
		if errors.Is(err, io.EOF) {
			return nil, Refuse(ErrInvalid, "the file is empty")
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, Refuse(ErrInvalid, "not JSON at byte %d: %v", in.InputOffset(), err)
		}
		if err != nil {
			return nil, err
		}
		if err := read(value); err != nil {
			return nil, Refuse(ErrInvalid, "value %d: %v", n, err)
		}
	}
	if err := c.finish(); err != nil {
		return nil, Refuse(ErrInvalid, "%v", err)
	}
	return c.remarks(), c.write(w)
}

// conversion collects the rows of a dump by user.
type conversion struct {
	Foreign
	users   map[string]*userRows
	threads map[string]*userRows // by the thread's id
	noted   map[string]int
	tables  map[string][]record // of cortexltm
}

type userRows struct {
	threads   []threadLine
	events    []eventLine
	summaries []summaryLine
	acts      []actLine
	reactions []reactionLine
	ids       map[string]bool // with their kinds
}

// isNew notes an id, and reports whether it was not there.
func (u *userRows) isNew(kind, id string) bool {
	if u.ids[kind+id] {
		return false
	}
	u.ids[kind+id] = true
	return true
}

// of returns the rows of a user. Without a name it is the user that the operator gave.
func (c *conversion) of(user string) (*userRows, error) {
	user = cmp.Or(user, c.User)
	if user == "" {
		return nil, errors.New("it does not say whose it is, and no user is given for such rows")
	}
	if err := checkUser(user); err != nil {
		return nil, err
	}
	if c.users[user] == nil {
		c.users[user] = &userRows{ids: map[string]bool{}}
	}
	return c.users[user], nil
}

// note counts something that the operator has to know.
func (c *conversion) note(format string, args ...any) { c.noted[fmt.Sprintf(format, args...)]++ }

func (c *conversion) remarks() []string {
	all := []string{}
	for _, text := range slices.Sorted(maps.Keys(c.noted)) {
		all = append(all, fmt.Sprintf("%s: %d", text, c.noted[text]))
	}
	return all
}

// finish is called after the last value.
func (c *conversion) finish() error {
	if c.Form == formCortex {
		return c.cortexRows()
	}
	return nil
}

// write writes all rows in the order of the portable file.
func (c *conversion) write(w io.Writer) error {
	out := newLineWriter(w)
	if err := out.write(header{portableFormat, portableVersion}); err != nil {
		return err
	}
	for _, user := range slices.Sorted(maps.Keys(c.users)) {
		if err := out.row(lineUser, userLine{user}); err != nil {
			return err
		}
		if err := c.users[user].write(out); err != nil {
			return err
		}
	}
	return out.end()
}

func (u *userRows) write(out *lineWriter) error {
	slices.SortFunc(u.threads, func(a, b threadLine) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
	slices.SortStableFunc(u.events, func(a, b eventLine) int { return a.RecordedAt.Compare(b.RecordedAt) })
	slices.SortFunc(u.summaries, func(a, b summaryLine) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(u.acts, func(a, b actLine) int { return a.At.Compare(b.At) })
	for _, write := range []func() error{
		func() error { return writeRows(out, lineThread, u.threads) },
		func() error { return writeRows(out, lineEvent, u.events) },
		func() error { return writeRows(out, lineSummary, u.summaries) },
		func() error { return writeRows(out, lineAct, u.acts) },
		func() error { return writeRows(out, lineReaction, u.reactions) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

func writeRows[T any](out *lineWriter, kind string, rows []T) error {
	for _, row := range rows {
		if err := out.row(kind, row); err != nil {
			return err
		}
	}
	return nil
}

// record is an object of a dump. What is taken out of it is known; the rest is kept elsewhere.
type record map[string]json.RawMessage

// recordOf reads an object.
func recordOf(b json.RawMessage) (record, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil || r == nil {
		return nil, errors.New("not an object")
	}
	return r, nil
}

// records reads a list of objects.
func records(what string, b json.RawMessage) ([]record, error) {
	var all []record
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s is not a list of objects", what)
	}
	return all, nil
}

// has reports whether there is a value that says something.
func (r record) has(key string) bool {
	v := string(bytes.TrimSpace(r[key]))
	return v != "" && v != "null"
}

// text takes out a text; a number is one too. "" is none.
func (r record) text(key string) (string, error) {
	if !r.has(key) {
		delete(r, key)
		return "", nil
	}
	var s string
	if json.Unmarshal(r[key], &s) == nil {
		delete(r, key)
		return s, nil
	}
	var n json.Number
	if json.Unmarshal(r[key], &n) == nil {
		delete(r, key)
		return n.String(), nil
	}
	return "", fmt.Errorf("%q is not a text", key)
}

// first takes out the first of several texts that is not empty.
func (r record) first(keys ...string) (string, error) {
	found := ""
	for _, key := range keys {
		if found != "" {
			break
		}
		s, err := r.text(key)
		if err != nil {
			return "", err
		}
		found = s
	}
	return found, nil
}

// number takes out a number.
func (r record) number(key string) (n float64, ok bool, err error) {
	if !r.has(key) {
		delete(r, key)
		return 0, false, nil
	}
	if json.Unmarshal(r[key], &n) != nil {
		return 0, false, fmt.Errorf("%q is not a number", key)
	}
	delete(r, key)
	return n, true, nil
}

// is takes out a truth value.
func (r record) is(key string) (b bool, err error) {
	if r.has(key) && json.Unmarshal(r[key], &b) != nil {
		return false, fmt.Errorf("%q is neither true nor false", key)
	}
	delete(r, key)
	return b, nil
}

// time takes out a time, which is in UTC if it does not say so. The zero time is none.
func (r record) time(key string) (time.Time, error) {
	s, err := r.text(key)
	if err != nil || s == "" {
		return time.Time{}, err
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07",
		"2006-01-02 15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return micro(at), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time: %.40q", key, s)
}

// object takes out an object; nil is none.
func (r record) object(key string) (record, error) {
	if !r.has(key) {
		delete(r, key)
		return nil, nil
	}
	o, err := recordOf(r[key])
	if err != nil {
		return nil, fmt.Errorf("%q is not an object", key)
	}
	delete(r, key)
	return o, nil
}

// says reports whether a value is anything but empty.
func (r record) says(key string) bool {
	return !slices.Contains([]string{"", "null", "{}", "[]", `""`}, string(bytes.TrimSpace(r[key])))
}

// clean removes what says nothing.
func (r record) clean() record {
	maps.DeleteFunc(r, func(key string, _ json.RawMessage) bool { return !r.says(key) })
	return r
}

// importedKey is where meta has what the form has no place for.
const importedKey = "imported"

// meta returns meta of its own form, and what is left of a record under importedKey.
func (c *conversion) meta(own record, rest record, id string) (*metaText, error) {
	all := record{}
	maps.Copy(all, own)
	rest = rest.clean()
	if id != "" {
		rest["id"], _ = marshal(id)
	}
	if len(rest) > 0 {
		rest["from"], _ = marshal(c.Form)
		b, err := marshal(rest)
		if err != nil {
			return nil, err
		}
		all[importedKey] = b
	}
	if len(all) == 0 {
		return nil, nil
	}
	b, err := marshal(all)
	m := metaText(b)
	return &m, err
}

// remnant returns what is left of a record for the note of an act.
func (c *conversion) remnant(rest record, id string) (string, error) {
	rest = rest.clean()
	if id != "" {
		rest["id"], _ = marshal(id)
	}
	if len(rest) == 0 {
		return "", nil
	}
	rest["from"], _ = marshal(c.Form)
	b, err := marshal(rest)
	return string(b), err
}

// idOf returns a UUID for an id: the id itself in lower case, or one made from it, and then also the id.
func (c *conversion) idOf(kind, id string) (uuid, other string) {
	lower := strings.ToLower(id)
	if regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`).MatchString(lower) {
		return lower, ""
	}
	return uuidFrom(c.Form, kind, id), id
}

// uuidFrom makes a UUID of version 8 from texts: the same texts are the same id, so that an import can be repeated.
func uuidFrom(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
