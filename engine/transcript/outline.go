package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	MaxAsk     = 4000  // characters of an ask
	MaxSaid    = 1500  // characters of what the model said
	MaxSummary = 16000 // characters of the summary of a compaction
	MaxCommand = 1000  // characters of a command
	MaxAsks    = 60
	MaxSteps   = 400
	MaxFiles   = 100
	MaxStored  = 50
	MaxTodos   = 50

	maxTodo   = 500 // characters
	maxBranch = 250
)

// Outline is what a record says about the work of its session. It contains texts of the session, unlike the rest of the
// package.
//
// The zero Outline starts at the beginning of a file. Reading may go on from any Outline.
type Outline struct {
	Offset   int64 // bytes read: the start of the next line
	Skipping bool  // Offset is inside a line
	Missing  bool  // parts of the record were skipped, too long or broken

	// Steps is what happened since the context was last cleared, in order: the newest steps, and the newest asks.
	Steps  []Step
	Files  []string // as edited by the session, each once, the last one edited at the end
	Stored []Stored // memories stored, in order
	Todos  []Todo   // the session's list of tasks, in its order
	Packet string   // the id of the last packet that the session wrote or resumed

	Model     string // of the last answer
	Directory string // the session's, at last
	Branch    string // checked out there, at last

	open    []openCall
	work    int  // of the next step
	settled bool // a commit ended what was asked before
	typed   bool // the last step is an ask that the client may turn out to answer itself
}

type Kind int

const (
	Asked      Kind = iota // a person, or the program in their place, gave this text to the client
	Said                   // the model wrote this text
	Answered               // a person answered the model's question, or took its plan
	Edited                 // a file was edited: its path
	Ran                    // a command
	Summarized             // the context was compacted to this text
)

// Step is one thing that happened in a session.
type Step struct {
	Kind Kind
	Text string
	Run  *Run // of Ran

	// Work counts how often the person asked for something new after a commit. A commit that more edits or a failure
	// follow is one in the middle of the work.
	Work int
}

type Stored struct{ ID, Topic string }

// Todo is an entry of the session's list of tasks.
type Todo struct {
	Text   string
	Status string // pending, in_progress or completed

	id string
}

// Worked reports whether the session did more than ask and look.
func (o *Outline) Worked() bool {
	return len(o.Files) > 0 || len(o.Stored) > 0 || len(o.Todos) > 0 ||
		slices.ContainsFunc(o.Steps, func(s Step) bool { return s.Kind == Ran })
}

// SkipTo returns the outline for going on at a later offset, which may be inside a line. The rest
// of that line is not read.
func (o Outline) SkipTo(offset int64) Outline {
	o.Offset, o.Skipping, o.Missing = offset, true, true
	return o
}

// Read returns the outline with the lines in r, which must be positioned at o.Offset of the file; o is not changed. A
// last line without a newline is left for the next reading. Lines of subagents do not count.
//
// It stops after the line that reaches limit bytes, if limit is positive, and between two lines
// once ctx is done. An error is r's; the outline then covers the lines before it.
func (o Outline) Read(ctx context.Context, r io.Reader, limit int64) (Outline, error) {
	in := lines{r: r, long: o.Skipping}
	d := newOutliner(o)
	defer func() { // of the result
		for _, s := range d.Steps {
			if s.Run != nil {
				s.Run.read()
			}
		}
	}()
	for ctx.Err() == nil && (limit <= 0 || d.Offset-o.Offset < limit) {
		part, err := in.next()
		if errors.Is(err, io.EOF) {
			return d.Outline, nil
		}
		if err != nil {
			return d.Outline, err
		}
		d.Offset += int64(part.size)
		d.Skipping = !part.ends
		switch {
		case part.ends && !part.long:
			d.read(bytes.TrimSpace(part.line))
		case part.ends:
			d.Missing = true
		}
	}
	return d.Outline, nil
}

// openCall is a call without a result yet.
type openCall struct {
	id, tool string
	input    []byte
}

// outliner adds lines to an outline.
type outliner struct {
	Outline
	line line
}

func newOutliner(o Outline) *outliner {
	o.Files, o.Stored, o.Todos = slices.Clone(o.Files), slices.Clone(o.Stored), slices.Clone(o.Todos)
	o.open, o.Steps = slices.Clone(o.open), slices.Clone(o.Steps)
	for i, s := range o.Steps {
		if s.Run != nil { // its end may be learned later
			same := *s.Run
			o.Steps[i].Run = &same
		}
	}
	return &outliner{Outline: o}
}

// add adds a step, and drops the oldest one that may be dropped if there are too many.
func (d *outliner) add(s Step) {
	if n := len(d.Steps); n > 0 && s.Run == nil && d.Steps[n-1].Kind == s.Kind && d.Steps[n-1].Text == s.Text {
		return // the client repeats lines after a compaction
	}
	s.Work = d.work
	d.Steps = append(d.Steps, s)
	d.typed = false
	if len(d.Steps) > MaxSteps {
		i := slices.IndexFunc(d.Steps, func(s Step) bool { return s.Kind != Asked })
		d.Steps = slices.Delete(d.Steps, i, i+1)
	}
}

func (d *outliner) say(kind Kind, text string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if text != "" {
		most := MaxSaid
		if kind == Summarized {
			most = MaxSummary
		}
		d.add(Step{Kind: kind, Text: clip(text, most)})
	}
}

func (d *outliner) read(raw []byte) {
	if len(raw) == 0 {
		return
	}
	l := &d.line
	if !l.read(raw, func() bool { return l.side }) {
		d.Missing = true
		return
	}
	if l.side {
		return
	}
	if cwd := unquote(l.cwd); cwd != "" && l.kind != other {
		d.Directory = cwd
	}
	if branch := unquote(l.branch); branch != "" && l.kind != other {
		d.Branch = clip(branch, maxBranch)
	}
	switch l.kind {
	case assistant:
		d.answer(l)
	case user:
		for res := range l.of("tool_result") {
			d.result(res)
		}
		switch {
		case l.has("tool_result"):
		case l.summary:
			d.say(Summarized, SummaryText(l.text()))
		case !l.injected:
			d.ask(l.text())
		default:
			d.notified(l.text())
		}
	}
}

// answer adds what the model said and called.
func (d *outliner) answer(l *line) {
	if model := unquote(l.model); !strings.HasPrefix(model, "<") { // not the client's own answers
		d.Model = cmp.Or(model, d.Model)
		d.say(Said, l.text())
	}
	for b := range l.of("tool_use") {
		call := openCall{id: string(b.id), tool: string(b.name), input: bytes.Clone(b.input)}
		d.open = newest(append(d.open, call), maxOpen)
	}
}

// result adds what is known of a call that ended.
func (d *outliner) result(res block) {
	i := slices.IndexFunc(d.open, func(c openCall) bool { return c.id == string(res.call) })
	if i < 0 {
		return
	}
	call := d.open[i]
	d.open = without(d.open, i)
	if res.failed && (d.line.denied || refused(res.content)) {
		if _, said, ok := strings.Cut(resultText(res.content), "the user said:\n"); ok {
			d.asked(strings.TrimSpace(said))
		}
		return
	}
	name := call.tool
	if i := strings.LastIndex(name, "__"); strings.HasPrefix(name, "mcp__") && i >= 0 {
		name = name[i+2:]
	}
	switch name {
	case "Bash", "PowerShell":
		d.command(call, res)
	case "BashOutput", "TaskOutput", "Read":
		d.shown(call, res)
	default:
		if !res.failed {
			d.worked(name, call.input, res.content)
		}
	}
}

// worked adds what a call did that succeeded.
func (d *outliner) worked(name string, input, content []byte) {
	switch name {
	case "AskUserQuestion":
		d.say(Answered, resultText(content))
	case "Agent", "Task":
		d.say(Said, resultText(content))
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		d.edited(input)
	case "store_memory", "write_packet", "resume_packet":
		d.kept(name, input, content)
	case "TodoWrite", "TaskCreate", "TaskUpdate":
		d.todo(name, input, content)
	}
}

// EditedFile returns the file that the input of a tool that edits one names, or "".
func EditedFile(input []byte) string {
	var in struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
	}
	_ = json.Unmarshal(input, &in) // what has another type is empty
	return cmp.Or(in.File, in.Notebook)
}

func (d *outliner) edited(input []byte) {
	file := EditedFile(input)
	if file == "" {
		return
	}
	d.Files = slices.DeleteFunc(d.Files, func(f string) bool { return f == file })
	d.Files = newest(append(d.Files, file), MaxFiles)
	d.settled = false
	d.add(Step{Kind: Edited, Text: file})
}

// kept adds a memory that was stored, or notes the packet that was written or resumed.
func (d *outliner) kept(tool string, input, content []byte) {
	var in struct{ Topic string }
	var out struct{ ID string }
	_ = json.Unmarshal(input, &in)
	if json.Unmarshal([]byte(resultText(content)), &out) != nil || out.ID == "" || len(out.ID) > 64 {
		return
	}
	if tool != "store_memory" {
		d.Packet = out.ID
		return
	}
	d.Stored = newest(append(d.Stored, Stored{out.ID, clip(in.Topic, maxTodo)}), MaxStored)
}

// todo follows the session's list of tasks: older clients give all of it in one call, newer ones
// create and change tasks one by one.
func (d *outliner) todo(tool string, input, content []byte) {
	var in struct {
		Todos                   []struct{ Content, Status string }
		Subject, TaskID, Status string
	}
	if json.Unmarshal(input, &in) != nil {
		return
	}
	switch tool {
	case "TodoWrite":
		d.Todos = nil
		for _, t := range in.Todos[:min(len(in.Todos), MaxTodos)] {
			d.Todos = append(d.Todos, Todo{Text: clip(t.Content, maxTodo), Status: t.Status})
		}
	case "TaskCreate":
		_, rest, _ := strings.Cut(resultText(content), "Task #")
		id, _, _ := strings.Cut(rest, " ")
		d.Todos = append(d.Todos, Todo{Text: clip(in.Subject, maxTodo), Status: "pending", id: id})
		d.Todos = newest(d.Todos, MaxTodos)
	case "TaskUpdate":
		i := slices.IndexFunc(d.Todos, func(t Todo) bool { return t.id != "" && t.id == in.TaskID })
		switch {
		case i < 0:
		case in.Status == "deleted":
			d.Todos = slices.Delete(d.Todos, i, i+1)
		default:
			if in.Status != "" {
				d.Todos[i].Status = in.Status
			}
			if in.Subject != "" {
				d.Todos[i].Text = clip(in.Subject, maxTodo)
			}
		}
	}
}

// clip returns at most that many characters of a text.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// WithSummary returns the outline with the summary of a compaction as its newest step, unless it has that already.
func (o Outline) WithSummary(text string) Outline {
	d := newOutliner(o)
	for _, s := range d.Steps {
		if s.Kind == Summarized && s.Text == clip(SummaryText(text), MaxSummary) {
			return o
		}
	}
	d.say(Summarized, SummaryText(text))
	return d.Outline
}
