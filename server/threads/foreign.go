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
		if err := writeRows(out, check, lineUser, []userLine{{user}}, nil); err != nil {
			return err
		}
		if err := c.users[user].write(out, check); err != nil {
			return err
		}
	}
	return out.end()
}

// importedKey is where meta has what the form has no place for.
const importedKey = "imported"

// meta returns meta of its own form, and what is left of a record under importedKey.
func (c *conversion) meta(own record, rest record, id string) (*metaText, error) {
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
	m := metaText(b)
	return &m, err
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
