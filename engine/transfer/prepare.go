package transfer

import (
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/text/abridge"
)

// Ready is a reading whose entries are in their stored form, as far as that does not depend on the store.
type Ready struct {
	Form    string
	Source  string
	Reading Reading
	items   []draft
}

// draft is an entry on its way into the store.
type draft struct {
	Item
	plainSummary bool // the summary only repeats the content
	masked       int
	kind         memory.Kind // of Err, as a plan reports it
	remarks      []string
}

// Prepare brings the entries of a reading into their stored form and screens them. It does what
// takes long, and needs no lock.
func Prepare(form, source string, r Reading, o Options) Ready {
	ready := Ready{Form: form, Source: source, Reading: r, items: make([]draft, len(r.Items))}
	seen := map[string]bool{}
	for i, item := range r.Items {
		d := draft{Item: item, kind: memory.KindImportMalformed}
		switch {
		case d.Err != nil:
		case item.Key == "":
			d.Err = Malformed(item.Entry, "it has neither an id nor a name")
		case seen[item.Key]:
			d.Err = Malformed(item.Entry, "another entry has the same id")
		}
		seen[item.Key] = true
		ready.items[i] = d
	}
	parts := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			for i := part; i < len(ready.items); i += parts {
				ready.items[i].prepare(o)
			}
		})
	}
	wait.Wait()
	return ready
}

func (d *draft) prepare(o Options) {
	for _, remark := range d.Remarks {
		d.remarks = append(d.remarks, remark.Text)
	}
	switch {
	case d.Err != nil || d.Forgets != "":
	case d.Own != nil:
		d.screenOwn(o)
		d.appointOwn(o)
	default:
		d.normalize(o)
	}
	if d.Err == nil && !o.AnyProject && d.Project != "" && Slug(d.Project) != Slug(o.Project) {
		d.fail(memory.KindImportProject, "it is from the project %s, and this one is %s",
			memory.Quote(d.Project, maxShown), memory.Quote(o.Project, maxShown))
	}
}

func (d *draft) fail(kind memory.Kind, format string, args ...any) {
	d.Err, d.kind = memory.NewError(memory.CodeInvalid, kind, d.Entry, format, args...), kind
}

// normalize brings a draft into its stored form.
func (d *draft) normalize(o Options) {
	m := &d.Memory
	if o.Agent != nil {
		m.Agent = *o.Agent
	}
	if strings.TrimSpace(m.Topic) == "" {
		m.Topic = TopicOf(m.Content)
	}
	m.Summary = memory.TrimBlank(m.Summary)
	if utf8.RuneCountInString(m.Summary) > memory.MaxSummaryChars {
		d.remarks = append(d.remarks, "its summary is too long and was left out")
		m.Summary = ""
	}
	if m.Phase = memory.Full; m.Difficulty == 0 {
		m.Difficulty = o.Difficulty
	}
	if d.Err = d.screen(o); d.Err != nil {
		return
	}
	derived := abridge.FirstParagraph(memory.TrimBlank(memory.UnixLines(m.Content)))
	d.plainSummary = m.Summary == "" || m.Summary == derived
	if m.Summary == "" && utf8.RuneCountInString(derived) <= memory.MaxSummaryChars {
		m.Summary = derived
	}
	m.ID = placeholder
	*m, d.Err = memory.Normalize(*m)
	m.ID = ""
}

// placeholder is in the place of the id that a draft gets later.
const placeholder = "mem_00000000"

// screen refuses or masks credentials.
func (d *draft) screen(o Options) error {
	if o.Screen == nil {
		return nil
	}
	n, err := o.Screen(&d.Memory)
	d.masked += n
	if memory.CodeOf(err) == memory.CodeSecret {
		d.kind = memory.KindImportSecret
	}
	return err
}

// screenOwn screens the files of a record. A masked file keeps its other bytes.
func (d *draft) screenOwn(o Options) {
	own := Record{}
	if d.Own.File != nil {
		own.File = d.screenFile(d.Own.File, o)
	}
	for _, v := range d.Own.Versions {
		data := d.screenFile(v.Data, o)
		if !memfile.Same(data, v.Data) {
			v.Name = versionLike(v.Name, data)
		}
		own.Versions = append(own.Versions, Version{v.Name, data})
	}
	d.Own = &own
}

// appointOwn gives the files of a record another agent. It takes off their signatures, which sign the agent.
func (d *draft) appointOwn(o Options) {
	if o.Agent == nil || d.Err != nil {
		return
	}
	appoint := func(data []byte) []byte {
		file, err := memfile.Parse(data)
		if err != nil || file.Memory.Agent == *o.Agent {
			return data
		}
		m := file.Memory
		m.Agent, m.Signature = *o.Agent, ""
		changed, err := file.With(m)
		if err != nil {
			d.Err = Malformed(d.Entry, "%v", err)
			return data
		}
		return changed
	}
	d.Memory.Agent = *o.Agent
	if d.Own.File != nil {
		d.Own.File = appoint(d.Own.File)
	}
	for i, v := range d.Own.Versions {
		if data := appoint(v.Data); !memfile.Same(data, v.Data) {
			d.Own.Versions[i] = Version{versionLike(v.Name, data), data}
		}
	}
}

// screenFile returns the bytes of a file without credentials, or sets Err.
func (d *draft) screenFile(data []byte, o Options) []byte {
	file, err := memfile.Parse(data)
	if err != nil || d.Err != nil || o.Screen == nil {
		return data
	}
	whole := memory.Memory{Content: string(data)} // with what no memory has, such as comments
	n, err := o.Screen(&whole)
	if err != nil {
		d.Err, d.kind = err, memory.KindImportSecret
	}
	if n == 0 || err != nil {
		return data
	}
	m := file.Memory
	n, err = o.Screen(&m)
	if err == nil {
		data, err = file.With(m)
	}
	if err == nil {
		whole = memory.Memory{Content: string(data)}
		if again, _ := o.Screen(&whole); again > 0 {
			err = memory.NewError(memory.CodeSecret, memory.KindImportSecret, d.Entry,
				"the credential in it cannot be masked: it is not in its texts")
		}
	}
	if err != nil {
		d.Err, d.kind = err, memory.KindImportSecret
	}
	d.masked += n
	return data
}

// TopicOf returns the topic of a text without one: its first line that has text, or its first
// sentence, in at most 200 characters.
func TopicOf(text string) string {
	line := ""
	for line = range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if line != "" {
			break
		}
	}
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) > memory.MaxTopicChars {
		line = abridge.FirstSentence(line)
	}
	if utf8.RuneCountInString(line) > memory.MaxTopicChars {
		line = strings.TrimSpace(string([]rune(line)[:memory.MaxTopicChars-1])) + "…"
	}
	return line
}

// Slug returns a project's name as programs compare it: lower-case letters, digits and "-".
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			r = '-'
		}
		if r != '-' || !strings.HasSuffix(b.String(), "-") {
			b.WriteRune(r)
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "default"
}
