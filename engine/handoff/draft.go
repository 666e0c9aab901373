package handoff

import (
	"fmt"
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/internal/plural"
	"ltm/memory/api"
	"ltm/packet"
)

// DraftTag is the tag of packets that were drafted from a session's record.
const DraftTag = "draft"

const (
	draftChars   = 1024 // of a text
	askChars     = 400  // of an ask within another text
	askWords     = 3    // of an ask that says something: not "go on"
	commandChars = 200  // of a command within another text
	draftFiles   = 20   // edited files that are named
	draftStored  = 6    // memories
	draftTodos   = 16   // entries of each kind
)

// Worked is the material for a draft.
type Worked struct {
	Session string
	Outline transcript.Outline
	Roots   []string // the absolute paths of the project, however it is spelled

	// Parent is the packet that the session continues, or the session's last draft if Own is set.
	// It may be nil.
	Parent *packet.Packet
	Own    bool
}

// Draft makes a packet from a session's record, without a model. What the record shows about commands is prefixed by
// "[verified: …]" or "[pending: …]", what is inferred by "[unverified]", and what the parent said by "[from …]".
// Credentials and paths of the machine are masked, and paths in the project are relative. ok is false if the record
// names no goal.
func Draft(w Worked) (d api.PacketDraft, ok bool) {
	m := drafter{Worked: w}
	m.goal()
	if m.p.Goal == "" {
		return d, false
	}
	m.inherit()
	m.next()
	m.attempts()
	m.caps()
	m.p.Tags = m.tags()
	m.p.Provenance = &packet.Provenance{AuthorModel: m.text(w.Outline.Model, 128), Confidence: packet.Low}
	m.fit()
	return api.PacketDraft{Packet: m.p, Checks: m.checks(), Session: w.Session, Model: m.p.Provenance.AuthorModel,
		Drafted: true}, true
}

// SameWork reports whether two packets say the same, whoever wrote them and when.
func SameWork(a, b packet.Packet) bool {
	bare := func(p packet.Packet) string {
		p.Version, p.ID, p.ParentID, p.CreatedAt = packet.Version02, "0000000000", "", "2000-01-01T00:00:00Z"
		p.Project, p.Provenance = nil, nil
		data, err := p.Canonical()
		if err != nil {
			return err.Error() + p.Goal
		}
		return string(data)
	}
	return bare(a) == bare(b)
}

// drafter fills in a packet.
type drafter struct {
	Worked
	p packet.Packet
}

// text returns a text of the record as a packet may have it.
func (m *drafter) text(s string, most int) string { return clip(clean(s, m.Roots), most) }

// line is text on one line.
func (m *drafter) line(s string, most int) string {
	return m.text(strings.Join(strings.Fields(s), " "), most)
}

// command returns a command as a prefix has it.
func (m *drafter) command(c *transcript.Command) string { return m.line(c.Line, commandChars) }

func (m *drafter) goal() {
	m.p.Goal = m.text(m.Outline.FirstAsk, draftChars)
	if m.Parent != nil {
		m.p.Goal, m.p.ParentID = m.Parent.Goal, m.Parent.ID
	}
}

// next says where to go on.
func (m *drafter) next() {
	o := m.Outline
	var parts []string
	switch doing := m.todos("in_progress"); {
	case o.Failed != nil && !o.Failed.Same:
		text := fmt.Sprintf("[pending: %s] It failed%s%s. Run it again, and make it pass.", m.command(o.Failed),
			ended(o.Failed), ifSet(o.Failed.Edited, "; files were edited since"))
		parts = append(parts, text)
		criterion := fmt.Sprintf("[pending: %s] It passes.", m.command(o.Failed))
		m.p.SuccessCriteria = append(m.p.SuccessCriteria, criterion)
	case len(doing) > 0:
		parts = append(parts, "[unverified] Go on with: "+doing[0])
	}
	if len(strings.Fields(o.LastAsk)) >= askWords && (o.LastAsk != o.FirstAsk || m.Parent != nil && !m.Own) {
		parts = append(parts, "[unverified] Asked last: "+m.line(o.LastAsk, askChars))
	}
	if len(parts) == 0 {
		parts = append(parts, "[unverified] See what the goal still lacks: the record has no failing command and no "+
			"task in progress.")
	}
	m.p.NextStep = clip(strings.Join(parts, "\n"), draftChars)
	for _, todo := range slices.Concat(m.todos("in_progress"), m.todos("pending")) {
		m.p.OpenQuestions = append(m.p.OpenQuestions, clip("[unverified] To do: "+todo, draftChars))
	}
}

// ended says how a command ended that failed.
func ended(c *transcript.Command) string {
	if c.Status < 0 {
		return ""
	}
	return fmt.Sprintf(" with status %d", c.Status)
}

func ifSet(set bool, text string) string {
	if !set {
		return ""
	}
	return text
}

// todos returns the tasks of a status.
func (m *drafter) todos(status string) []string {
	var all []string
	for _, t := range m.Outline.Todos {
		if t.Status != status || len(all) == draftTodos {
			continue
		}
		if text := m.line(t.Text, askChars); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func (m *drafter) attempts() {
	add := func(outcome packet.Outcome, format string, args ...any) {
		tried := clip(fmt.Sprintf(format, args...), draftChars)
		m.p.Attempts = append(m.p.Attempts, packet.Attempt{Tried: tried, Outcome: outcome})
	}
	o := m.Outline
	if c := o.Passed; c != nil {
		edited := ifSet(c.Edited, " Files were edited since.")
		if c.Sure {
			add(packet.Succeeded, "[verified: %s] It passed.%s", m.command(c), edited)
		} else {
			add(packet.Succeeded, "[unverified] %s\nIt ended with status 0, which may be that of a part of it.%s",
				m.command(c), edited)
		}
	}
	if c := o.Failed; c != nil {
		add(packet.Failed, "[pending: %s] It failed%s.%s", m.command(c), ended(c),
			ifSet(c.Same, " A similar command passed later."))
	}
	if files, more := m.files(); len(files) > 0 || more > 0 {
		add(packet.Partial, "[unverified] Edited in this session, the last one first: %s", listed(files, more))
	}
	var stored []string
	for _, s := range last(o.Stored, draftStored) {
		stored = append(stored, s.ID+" ("+m.line(s.Topic, 100)+")")
	}
	if len(stored) > 0 {
		add(packet.Succeeded, "[unverified] Stored as memories: %s", listed(stored, len(o.Stored)-len(stored)))
	}
	for _, todo := range m.todos("completed") {
		add(packet.Succeeded, "[unverified] Done: %s", todo)
	}
}

// files returns the names of the edited files in the project, the last one first, and how many more
// there are.
func (m *drafter) files() (names []string, more int) {
	for _, file := range slices.Backward(m.Outline.Files) {
		name, inside := relative(file, m.Roots)
		if !inside || len(names) == draftFiles {
			more++
			continue
		}
		names = append(names, m.line(name, commandChars))
	}
	return names, more
}

// listed joins names, and says how many are missing.
func listed(names []string, more int) string {
	text := strings.Join(names, ", ")
	if more == 0 {
		return text
	}
	if text != "" {
		text += " and "
	}
	return text + plural.Of(more, "other", "others")
}

// checks are the commands whose end is sure.
func (m *drafter) checks() []api.PacketCheck {
	var all []api.PacketCheck
	for _, c := range []*transcript.Command{m.Outline.Passed, m.Outline.Failed} {
		if c == nil || !c.Sure {
			continue
		}
		all = append(all, api.PacketCheck{Command: m.line(c.Line, draftChars), Passed: c == m.Outline.Passed, At: c.At})
	}
	return all
}

func (m *drafter) tags() []string {
	tags := []string{DraftTag}
	if m.Parent != nil {
		for _, tag := range m.Parent.Tags {
			if tag != DraftTag && len(tags) < 16 {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}
