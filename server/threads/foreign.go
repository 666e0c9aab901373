package threads

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
)

// Foreign is a dump of another system to read.
type Foreign struct {
	Form string    // one of ForeignForms
	User string    // whose the rows are that do not say it; "": such rows are refused
	Now  time.Time // when a row was made that does not say it

	SkipBad bool // leave out memories of mem0 that cannot be read, each with a remark
}

// ForeignForms lists the systems whose dumps [Convert] reads.
func ForeignForms() []string { return []string{formCortex, formMem0, formZep} }

// The forms of dumps.
const (
	formCortex = "cortexltm"
	formMem0   = "mem0"
	formZep    = "zep"
)

// importer is the actor of an import's acts.
const importer = "import"

// roleOf returns the role that a name of another system means. An unknown one is the system's, so that
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

// importedConfidence is that of claims whose source gives none: another program was sure enough to keep them,
// and no one here has confirmed them.
const importedConfidence = 0.8

// Convert reads a dump of another system, which it holds in memory, and writes it as a file for [Service.Import]. What
// the form has no place for is kept in the meta of events and threads or in the notes of acts. The remarks name what
// was changed or left out, with how many rows that concerns. [ErrInvalid]: the dump is not of the form.
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
	text := bufio.NewReader(r)
	if mark, err := text.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = text.Discard(len(mark)) // which were peeked at
	}
	in := json.NewDecoder(text)
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
		if err := c.row(func() error { return read(c.withoutNUL(value)) }, "value %d", n); err != nil {
			return nil, Refuse(ErrInvalid, "%v", err)
		}
	}
	if c.Form == formCortex {
		if err := c.cortexRows(); err != nil {
			return nil, Refuse(ErrInvalid, "%v", err)
		}
	}
	for _, u := range c.users {
		u.endClaims(c.Form)
		u.repair()
	}
	return c.remarks(), c.write(w)
}

// withoutNUL leaves the character U+0000 out, which no text can be stored with.
func (c *conversion) withoutNUL(value json.RawMessage) json.RawMessage {
	escape := []byte(`\u0000`)
	if !bytes.Contains(value, escape) {
		return value
	}
	kept := make(json.RawMessage, 0, len(value))
	for i := 0; i < len(value); i++ {
		switch {
		case bytes.HasPrefix(value[i:], escape):
			c.note("the character U+0000, which is left out")
			i += len(escape) - 1
		case value[i] == '\\': // another escape
			kept = append(kept, value[i], value[i+1])
			i++
		default:
			kept = append(kept, value[i])
		}
	}
	return kept
}

// byteOrderMark is what some programs begin a file of UTF-8 with.
const byteOrderMark = "\ufeff"

// conversion collects the rows of a dump by user.
type conversion struct {
	Foreign
	users   map[string]*userRows
	threads map[string]*userRows // by the thread's id
	noted   map[string]int
	tables  map[string][]record // of cortexltm
	where   []string            // what is being read, from the whole to the part
}

// row reads a part of a dump, which its errors and those about its rows name.
func (c *conversion) row(read func() error, format string, args ...any) error {
	part := fmt.Sprintf(format, args...)
	c.where = append(c.where, part)
	err := read()
	c.where = c.where[:len(c.where)-1]
	if err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}

// each reads a list of objects, which what names. Errors call each of them by a word and its number.
func (c *conversion) each(what string, value json.RawMessage, word string, read func(n int, r record) error) error {
	all, err := records(what, value)
	for i, r := range all {
		if err == nil {
			err = c.row(func() error { return read(i, r) }, "%s %d", word, i+1)
		}
	}
	return err
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
		c.users[user] = &userRows{c: c, ids: map[string]bool{}, from: map[string]string{},
			spans: map[string][]span{}, threadAt: map[string]int{}, eventsOf: map[string][]string{}}
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

// write writes all rows in the order of the portable file. It refuses rows that an import would refuse.
func (c *conversion) write(w io.Writer) error {
	out, check := newLineWriter(w), &lineCheck{}
	if err := out.write(header{portableFormat, portableVersion}); err != nil {
		return err
	}
	for _, user := range slices.Sorted(maps.Keys(c.users)) {
		u := c.users[user]
		err := writeRows(u, out, check, lineUser, []userLine{{user}}, func(userLine) string { return "" })
		if err != nil {
			return err
		}
		if err := u.write(out, check); err != nil {
			return err
		}
	}
	return out.end()
}

// importedKey is where meta has what the form has no place for.
const importedKey = "imported"

// meta returns meta of its own form, and what is left of a record under importedKey.
func (c *conversion) meta(own record, rest record, id string) (Meta, error) {
	all := record{}
	maps.Copy(all, own)
	left, err := c.remnant(rest, id)
	if err != nil {
		return nil, err
	}
	if left != "" {
		all[importedKey] = json.RawMessage(left)
	}
	if len(all) == 0 {
		return nil, nil
	}
	b, err := marshal(all)
	return b, err
}

// remnant returns what is left of a record, with where it is from, as JSON.
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

// idOf returns a UUID for an id: the id itself in lower case, or one made from it, and then also the id. What has no id
// gets one that is made from what it is.
func (c *conversion) idOf(kind, id, is string) (uuid, other string) {
	if id == "" {
		return uuidFrom(c.Form, kind, is), ""
	}
	if same, ok := CanonicalID(id); ok {
		return same, ""
	}
	return uuidFrom(c.Form, kind, id), id
}

// dated returns when something was made, which is now if it does not say.
func (c *conversion) dated(made time.Time, what string) time.Time {
	if made.IsZero() {
		c.note("%s without a date, which get that of the import", what)
		return micro(c.Now)
	}
	return made
}

// uuidFrom makes a UUID of version 8 from texts: the same texts are the same id, so that an import can be repeated.
func uuidFrom(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// mem0 reads what get_all, an export or a page of the API of mem0 has: a list of memories, an object with one in
// "results" or "memories", or a memory by itself.
func (c *conversion) mem0(value json.RawMessage) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		return c.memories("the list", value)
	}
	page, err := recordOf(value)
	if err != nil {
		return err
	}
	for _, key := range []string{"results", "memories"} {
		if _, ok := page[key]; !ok {
			continue
		}
		if page.has("next") {
			c.note("pages that name a next one, which is not in the file unless you put it there")
		}
		if page.says("relations") {
			c.note("lists of relations left out, because there is no graph")
		}
		return c.memories(key, page[key])
	}
	return c.memory(page)
}

func (c *conversion) memories(what string, value json.RawMessage) error {
	return c.each(what, value, "memory", func(n int, r record) error {
		err := c.memory(r)
		if err != nil && c.SkipBad {
			c.note("%s: memory %d: %v; left out", c.where[0], n+1, err)
			return nil
		}
		return err
	})
}

// memory makes a claim of a memory.
func (c *conversion) memory(r record) error {
	f := r.fields()
	id, text, user, run := f.text("id"), f.first("memory", "data"), f.text("user_id"), f.text("run_id")
	made, ends := f.time("created_at"), f.time("expiration_date")
	if f.err != nil {
		return f.err
	}
	if conversation.Normal(text) == "" {
		return errors.New(`it has no "memory"`)
	}
	u, err := c.of(user)
	if err != nil {
		return err
	}
	delete(r, "score") // of a search, not of the memory
	made = c.dated(made, "memories")
	uuid, other := c.idOf("memory", id, user+"\x00"+text)
	if !u.isNew(lineAct, uuid) {
		c.note("memories that are in the file twice")
		return nil
	}
	bucket := bucketOf(r)
	note, err := c.remnant(r, other)
	if err != nil {
		return err
	}
	u.acts = append(u.acts, actLine{ID: uuid, At: made, Verb: string(conversation.Adds), By: importer,
		Bucket: string(bucket), Text: text, Session: run, Confidence: importedConfidence, Stability: "med",
		ExpiresAt: ends, Note: note})
	return nil
}

// bucketOf returns the bucket that the categories of a memory name. They are words of the application's own, so only
// the plain cases count.
func bucketOf(r record) conversation.Bucket {
	var names []string
	_ = json.Unmarshal(r["categories"], &names) // of another form, it names none, and is kept
	for _, name := range names {
		for _, b := range conversation.Buckets() {
			if strings.EqualFold(name, string(b)) {
				return b
			}
		}
		switch strings.ToLower(name) {
		case "personal_details", "personal_information", "identity", "family", "professional_details":
			return conversation.Profile
		case "user_preferences", "preference", "food", "music", "entertainment", "sports":
			return conversation.Preferences
		case "goal":
			return conversation.Goals
		case "project", "work":
			return conversation.Projects
		}
	}
	return conversation.LongRunningContext
}

// record is an object of a dump. Known fields are taken out of it; the rest is kept elsewhere.
type record map[string]json.RawMessage

// recordOf reads an object.
func recordOf(b json.RawMessage) (record, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil || r == nil {
		return nil, errors.New("not an object")
	}
	return r, nil
}

// records reads a list of objects, or none.
func records(what string, b json.RawMessage) (all []record, err error) {
	if b != nil && json.Unmarshal(b, &all) != nil {
		return nil, fmt.Errorf("%s is not a list of objects", what)
	}
	return all, nil
}

// has reports whether there is a value that says something.
func (r record) has(key string) bool {
	v := string(bytes.TrimSpace(r[key]))
	return v != "" && v != "null"
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

// fields takes values out of a record until one of them is wrong, which it remembers. After that it returns none, so
// that a form is read line by line and the error is looked at once.
type fields struct {
	r   record
	err error
}

func (r record) fields() *fields { return &fields{r: r} }

// take takes out a value, or the zero value if it is missing. wrong says, with its key, that it is of another type.
func take[T any](f *fields, key, wrong string) (v T) {
	if f.err != nil {
		return v
	}
	if f.r.has(key) && json.Unmarshal(f.r[key], &v) != nil {
		f.err = fmt.Errorf(wrong, key)
		return *new(T)
	}
	delete(f.r, key)
	return v
}

// text takes out a text; a number counts as one.
func (f *fields) text(key string) string {
	const wrong = "%q is not a text"
	if v := bytes.TrimSpace(f.r[key]); len(v) > 0 && v[0] != '"' {
		return take[json.Number](f, key, wrong).String()
	}
	return take[string](f, key, wrong)
}

// first takes out the first of several texts that is not empty.
func (f *fields) first(keys ...string) (text string) {
	for _, key := range keys {
		if text == "" {
			text = f.text(key)
		}
	}
	return text
}

func (f *fields) number(key string) (n float64, ok bool) {
	ok = f.r.has(key)
	return take[float64](f, key, "%q is not a number"), ok && f.err == nil
}

func (f *fields) is(key string) bool { return take[bool](f, key, "%q is neither true nor false") }

func (f *fields) object(key string) record { return take[record](f, key, "%q is not an object") }

// time takes out a time, which is in UTC if it does not say so.
func (f *fields) time(key string) time.Time {
	s := f.text(key)
	if s == "" {
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07",
		"2006-01-02 15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return micro(at)
		}
	}
	f.err = fmt.Errorf("%q is not a time: %.40q", key, s)
	return time.Time{}
}
