package api

import (
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
)

// Draft asks to remember something.
type Draft struct {
	Topic      string
	Content    string
	Summary    string // empty: the first paragraph of the content
	Tags       []string
	Aliases    []string          // up to 8 names and questions, each one line
	Importance memory.Importance // empty: normal, or as a tag "importance:LEVEL" says
	AutoTag    bool              // add tags found in topic and content
	Category   memory.Category   // empty: none
	Agent      string            // the agent for whose sessions it is; empty: all
	Client     string            // the program whose session writes it; empty: a person's
	Confidence *float64          // nil: 1
	Supersedes []string          // ids of memories that this one corrects; they are archived
	SameTopic  bool              // the topic of what it corrects was chosen on purpose
	Disputes   []string          // ids of memories that cannot be true if this one is
	Related    []string          // ids
	Refs       []string          // files that it refers to, as [memory.ParseRef] reads them; more are found in the text
	Difficulty *float64          // nil: judged by the session's work since it last stored a memory
	Told       bool              // a person dictated it, so there is no work to judge it by
	Redact     bool              // mask credentials instead of refusing the draft
	Session    string            // the client's session id; empty: the latest session
	Learned    string            // the id of an earlier session, by whose whole work it is judged; empty: none
	Scope      Scope             // empty: ScopeProject
}

// Patch asks to change a memory. Nil fields and an empty importance change nothing. A tag "importance:LEVEL" to set,
// add or remove means the importance, which no other tags change.
// Content excludes Append, and Tags excludes AddTags and RemoveTags.
type Patch struct {
	Topic      *string
	Content    *string // replaces all of it
	Append     *string // added to the end of the content, after a blank line
	Summary    *string // empty: the first paragraph of the content
	Tags       *[]string
	AddTags    []string
	RemoveTags []string
	Aliases    *[]string
	Importance memory.Importance
	Category   *memory.Category // empty: none
	Agent      *string          // empty: all
	Confidence *float64         // 1: none
	Supersedes []string         // ids to add, as are the next two; the memories are archived
	Disputes   []string
	Related    []string
	Unlink     []string  // ids to remove from all three; their memories stay as they are
	Refs       *[]string // as in [Draft], instead of all that it has
	Verified   bool      // it holds for the files that it refers to as they are now
	Follow     bool      // with Verified or new text: take the new path of a file that has moved
	Difficulty *float64
	Redact     bool
	Session    string
}

// Marks are the remarks that answers make about a memory beside its text, if any.
type Marks struct {
	Importance memory.Importance `json:"importance,omitempty"` // empty: normal
	Category   memory.Category   `json:"kind,omitempty"`
	Agent      string            `json:"agent,omitempty"`      // the only agent whose sessions see it unasked
	Confidence *float64          `json:"confidence,omitempty"` // nil: 1
	Stale      []string          `json:"stale,omitempty"`      // "db/pool.go changed": it may not hold any more; up to 3
	Said
	Whose
}

// Field is a value of a memory that people and models can change. A function is nil where the engine, which knows other
// memories and files, does it instead.
type Field struct {
	Name string
	// Log is the name in the log and the history, where several fields have one; empty: Name.
	Log string
	// Text is the value in words. Two memories with the same text have the same value.
	Text func(memory.Memory) string
	// Given reports whether a patch changes the value, and Set changes it. An error is about what was given.
	Given func(Patch) bool
	Set   func(*memory.Memory, Patch) error
	// Line is the place of a value that is one text; nil: it is not. The engine looks for credentials in it.
	Line func(*memory.Memory) *string
	// Odd is the mark of a value that cannot be read whole, and counts as absent as far as it cannot; nil: it has none.
	Odd func(*memory.Memory) *bool
	// Copy takes the value of another version of the memory.
	Copy func(m *memory.Memory, from memory.Memory)
	// Join adds what the other side of a merge has. Nil: ours stays.
	Join func(m *memory.Memory, theirs memory.Memory)
	// Remark is what a check says of an odd value, and Refusal what is said of an edit that made it odd; nil: nothing.
	Remark, Refusal *Finding
}

// Finding is something to say about an odd value, and its kind.
type Finding struct {
	Kind memory.Kind
	Text string
}

// Fields lists them, in the order of answers. A new one is shown by [Marks.Facts], and has rows of its own in
// [ltm/memory/memfile], in tools and in commands.
func Fields() []Field {
	return append([]Field{
		{Name: "topic", Text: func(m memory.Memory) string { return m.Topic },
			Given: func(p Patch) bool { return p.Topic != nil },
			Copy:  func(m *memory.Memory, from memory.Memory) { m.Topic = from.Topic }},
		{Name: "content", Text: func(m memory.Memory) string { return m.Content },
			Given: func(p Patch) bool { return p.Content != nil || p.Append != nil }},
		{Name: "summary", Text: func(m memory.Memory) string { return m.Summary },
			Given: func(p Patch) bool { return p.Summary != nil }},
		{Name: "tags", Text: func(m memory.Memory) string { return strings.Join(m.PlainTags(), ", ") },
			Given: func(p Patch) bool { return p.Tags != nil || len(p.AddTags)+len(p.RemoveTags) > 0 },
			Copy:  func(m *memory.Memory, from memory.Memory) { m.Tags = from.Tags },
			Join: func(m *memory.Memory, theirs memory.Memory) {
				m.Tags = joined(m.Tags, theirs.Tags, memory.MaxTags, same)
			}},
		{Name: "importance", Text: func(m memory.Memory) string { return string(m.Importance()) },
			Given: func(p Patch) bool { return p.Importance != "" }}, // it is one of the tags
		value("kind", func(m *memory.Memory) *memory.Category { return &m.Category },
			func(p Patch) *memory.Category { return p.Category },
			func(kind memory.Category) (memory.Category, error) { return memory.ParseCategory(string(kind)) }).
			marked(func(m *memory.Memory) *bool { return &m.OddCategory },
				Finding{memory.KindFoundCategory,
					"its kind is unknown, and counts as none; allowed: " + memory.CategoryNames},
				Finding{memory.KindCategoryUnknown,
					"the kind in the text is unknown, or there twice; allowed: " + memory.CategoryNames}).filled(),
		agentField(),
		value("difficulty", func(m *memory.Memory) *float64 { return &m.Difficulty },
			func(p Patch) *float64 { return p.Difficulty },
			func(v float64) (float64, error) { return memory.Round2(v), memory.CheckDifficulty(v) }),
		value("confidence", func(m *memory.Memory) **float64 { return &m.Confidence },
			func(p Patch) *float64 { return p.Confidence }, memory.RoundedSureness).
			marked(func(m *memory.Memory) *bool { return &m.OddConfidence },
				Finding{memory.KindFoundConfidence, "its confidence is not a number from 0 to 1, and counts as 1"},
				Finding{memory.KindConfidenceRange,
					"the confidence in the text is not one number from 0 (a guess) to 1 (certain)"}).filled(),
		aliasesField(),
	}, linkFields()...)
}

// value makes a field that a patch sets as a whole. of is its place in a memory, in its place in a patch, and clean
// returns what is stored of a given value.
func value[V, P any](name string, of func(*memory.Memory) *V, in func(Patch) *P, clean func(P) (V, error)) Field {
	line, _ := any(of).(func(*memory.Memory) *string)
	return Field{Name: name, Line: line,
		Text:  func(m memory.Memory) string { return inWords(*of(&m)) },
		Copy:  func(m *memory.Memory, from memory.Memory) { *of(m) = *of(&from) },
		Given: func(p Patch) bool { return in(p) != nil },
		Set: func(m *memory.Memory, p Patch) (err error) {
			*of(m), err = clean(*in(p))
			return err
		}}
}

// marked returns the field with the mark of a value that cannot be read, and what is said of it.
func (f Field) marked(odd func(*memory.Memory) *bool, remark, refusal Finding) Field {
	f.Odd, f.Remark, f.Refusal = odd, &remark, &refusal
	return f
}

// filled returns the field with a merge that takes their value where ours is absent.
func (f Field) filled() Field {
	f.Join = func(m *memory.Memory, theirs memory.Memory) {
		if f.Text(*m) == "" && !f.IsOdd(m) {
			f.Copy(m, theirs)
		}
	}
	return f
}

func agentField() Field {
	f := value("agent", func(m *memory.Memory) *string { return &m.Agent }, func(p Patch) *string { return p.Agent },
		memory.NormalizeAgent)
	f.Odd = oddLinks
	return f
}

func aliasesField() Field {
	f := value("aliases", func(m *memory.Memory) *[]string { return &m.Aliases },
		func(p Patch) *[]string { return p.Aliases }, memory.NormalizeAliases).
		marked(func(m *memory.Memory) *bool { return &m.OddAliases },
			Finding{memory.KindFoundAliases, "its aliases are not all single lines of at most 120 characters, " +
				"or more than 8; the rest does not count"},
			Finding{memory.KindAliasTooLong, fmt.Sprintf(
				"the aliases in the text are not all single lines of at most %d characters, or more than %d",
				memory.MaxAliasChars, memory.MaxAliases)})
	f.Join = func(m *memory.Memory, theirs memory.Memory) {
		all := joined(m.Aliases, theirs.Aliases, memory.MaxAliases, strings.EqualFold)
		if len(all) > len(m.Aliases) {
			m.Aliases, m.OddAliases = all, false
		}
	}
	return f
}

// linkFields are the links to other memories and to files.
func linkFields() []Field {
	var all []Field
	for _, l := range []struct {
		name  string
		of    func(*memory.Memory) *[]memory.ID
		given func(Patch) []string
	}{
		{"supersedes", func(m *memory.Memory) *[]memory.ID { return &m.Supersedes },
			func(p Patch) []string { return p.Supersedes }},
		{"disputes", func(m *memory.Memory) *[]memory.ID { return &m.Disputes },
			func(p Patch) []string { return p.Disputes }},
		{"related", func(m *memory.Memory) *[]memory.ID { return &m.Related },
			func(p Patch) []string { return p.Related }},
	} {
		all = append(all, Field{Name: l.name, Log: "links", Odd: oddLinks,
			Text:  func(m memory.Memory) string { return memory.JoinIDs(*l.of(&m)) },
			Given: func(p Patch) bool { return len(l.given(p))+len(p.Unlink) > 0 },
			Copy:  func(m *memory.Memory, from memory.Memory) { *l.of(m) = *l.of(&from) },
			Join: func(m *memory.Memory, theirs memory.Memory) {
				if !m.OddLinks {
					*l.of(m) = joined(*l.of(m), *l.of(&theirs), memory.MaxLinks, same)
				}
			}})
	}
	return append(all, Field{Name: "refs", Given: func(p Patch) bool { return p.Refs != nil },
		Text: func(m memory.Memory) string { return fmt.Sprintf("%#v", m.Refs) },
		Odd:  func(m *memory.Memory) *bool { return &m.OddRefs },
		Join: func(m *memory.Memory, theirs memory.Memory) {
			if !m.OddRefs {
				m.Refs = joined(m.Refs, theirs.Refs, memory.MaxRefs, memory.Ref.Same)
			}
		},
		Remark: &Finding{memory.KindFoundRefs,
			"its refs cannot all be read, or are more than 20; the rest does not count"}})
}

func oddLinks(m *memory.Memory) *bool { return &m.OddLinks }

// inWords returns a value as text; nil is "".
func inWords(value any) string {
	switch v := value.(type) {
	case []string:
		return strings.Join(v, ", ")
	case *float64:
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	}
	return fmt.Sprint(value)
}

func same[T comparable](a, b T) bool { return a == b }

// joined returns a list with what another one adds to it, up to a limit. The lists stay as they are.
func joined[T any](ours, theirs []T, limit int, same func(a, b T) bool) []T {
	all := slices.Clone(ours)
	for _, their := range theirs {
		if len(all) < limit && !slices.ContainsFunc(all, func(our T) bool { return same(our, their) }) {
			all = append(all, their)
		}
	}
	return all
}

// Memory returns what a draft says, with its difficulty or 0, as it was given: [memory.NewDraft] checks it.
func (d Draft) Memory() memory.Memory {
	m := memory.Memory{Topic: d.Topic, Content: d.Content, Summary: d.Summary, Tags: d.Tags, Aliases: d.Aliases,
		Category: d.Category, Confidence: d.Confidence, Agent: d.Agent, Client: d.Client,
		Supersedes: memory.AsIDs(d.Supersedes), Disputes: memory.AsIDs(d.Disputes), Related: memory.AsIDs(d.Related)}
	if d.Difficulty != nil {
		m.Difficulty = *d.Difficulty
	}
	return m
}

// Fact is a value of a memory as it is shown to people, with its name.
type Fact struct{ Name, Value string }

// Facts returns what a memory says of itself beside its texts, links and files, without what it does not say.
func (m Marks) Facts() []Fact {
	sure := ""
	if m.Confidence != nil {
		sure = fmt.Sprintf("%.2f", *m.Confidence)
	}
	if memory.IsUnsure(m.Confidence) {
		sure += ", unsure"
	}
	all := []Fact{{"importance", string(m.Importance)}, {"kind", string(m.Category)}, {"agent", m.Agent},
		{"confidence", sure}}
	return slices.DeleteFunc(all, func(f Fact) bool { return f.Value == "" })
}

func (f Field) IsOdd(m *memory.Memory) bool { return f.Odd != nil && *f.Odd(m) }

func (p Patch) Empty() bool { return p.Changes() == "" }

func (p Patch) Changes() string {
	names := namesOf(func(f Field) bool { return f.Given(p) })
	if p.Verified {
		names = append(names, "verified")
	}
	return strings.Join(names, ", ")
}

// Differences names the fields in which two versions of a memory differ.
func Differences(a, b memory.Memory) []string {
	return namesOf(func(f Field) bool { return f.Text(a) != f.Text(b) })
}

// namesOf returns the names in the log of some fields.
func namesOf(wanted func(Field) bool) []string {
	var names []string
	for _, f := range Fields() {
		name := f.Name
		if f.Log != "" {
			name = f.Log
		}
		if wanted(f) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Apply gives a memory the values of a patch that need nothing else: all but texts, tags, links and refs.
func (p Patch) Apply(m *memory.Memory) error {
	for _, f := range Fields() {
		if f.Set == nil || !f.Given(p) {
			continue
		}
		if err := f.Set(m, p); err != nil {
			return err
		}
		if f.Remark != nil { // the mark is about this value alone
			*f.Odd(m) = false
		}
	}
	return nil
}

// Overlay gives m the values of a newer version of it, except for texts and refs, as far as they can be read.
func Overlay(m *memory.Memory, newer memory.Memory) {
	for _, f := range Fields() {
		if f.Copy == nil || f.IsOdd(&newer) {
			continue
		}
		f.Copy(m, newer)
		if f.Odd != nil {
			*f.Odd(m) = false
		}
	}
}

// Joined returns m with what the other side of a merge adds to it, except for texts.
func Joined(m, theirs memory.Memory) memory.Memory {
	for _, f := range Fields() {
		if f.Join != nil {
			f.Join(&m, theirs)
		}
	}
	return m
}

// NewlyOdd returns an error if a value can be read in one version of a memory and not in the next.
func NewlyOdd(before, after memory.Memory) error {
	for _, f := range Fields() {
		if f.Refusal != nil && f.IsOdd(&after) && !f.IsOdd(&before) {
			return memory.NewError(memory.CodeInvalid, f.Refusal.Kind, string(after.ID), "%s", f.Refusal.Text)
		}
	}
	return nil
}
