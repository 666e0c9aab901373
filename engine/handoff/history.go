package handoff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/memory/api"
	"ltm/packet"
)

// history is the runs of one check, whatever its arguments were.
type history struct {
	at      []int // the steps
	open    int   // the last one that failed, if nothing passed since that did as much; or -1
	similar bool  // something like it passed since
	unclear bool  // it ran again since, and nothing says how it ended
}

// histories sorts the runs by what they ran. A line that ran several checks is in the histories of all.
func (m *drafter) histories() {
	for i, s := range m.steps {
		if s.Kind != transcript.Ran {
			continue
		}
		known := false
		for k := range m.runs {
			if h := &m.runs[k]; s.Run.Like(m.steps[h.at[0]].Run) {
				known = true
				m.ran(h, i)
			}
		}
		if !known {
			m.runs = append(m.runs, history{open: -1})
			m.ran(&m.runs[len(m.runs)-1], i)
		}
	}
}

// ran adds a run to a history.
func (m *drafter) ran(h *history, step int) {
	r := m.steps[step].Run
	h.at = append(h.at, step)
	switch covers := h.open >= 0 && r.Covers(m.steps[h.open].Run); {
	case r.Ended == transcript.Failed:
		*h = history{at: h.at, open: step}
	case r.Ended == transcript.Passed && covers:
		h.open = -1
	case r.Ended == transcript.Passed:
		h.similar = true
	default:
		h.unclear = h.unclear || covers
	}
}

func (m *drafter) run(h history) *transcript.Run { return m.steps[h.at[len(h.at)-1]].Run }

// editedSince reports whether files were edited after a step.
func (m *drafter) editedSince(step int) bool { return m.last(transcript.Edited) > step }

// pending returns what still fails: checks first, and the last ones of them. Of other commands, only one after which no
// check passed.
func (m *drafter) pending() []history {
	var checks, others []history
	passed := -1
	for _, h := range m.runs {
		if r := m.run(h); r.Check && r.Ended == transcript.Passed {
			passed = max(passed, h.at[len(h.at)-1])
		}
	}
	for _, h := range m.runs {
		switch {
		case h.open < 0:
		case m.steps[h.open].Run.Check:
			checks = append(checks, h)
		case h.open > passed:
			others = append(others, h)
		}
	}
	latest := func(a, b history) int { return b.open - a.open }
	slices.SortFunc(checks, latest)
	checks = slices.CompactFunc(checks, func(a, b history) bool { return a.open == b.open })
	slices.SortFunc(others, latest)
	return append(checks, others[:min(len(others), 1)]...)
}

// stale returns the last check that has to run again, though it did not fail, or nil.
func (m *drafter) stale() *transcript.Run {
	last := -1
	for _, h := range m.runs {
		i := h.at[len(h.at)-1]
		if r := m.run(h); r.Check && i > last && (r.Ended == transcript.Unknown || m.editedSince(i)) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	return m.steps[last].Run
}

// try is an attempt, and the step at which it ended.
type try struct {
	step, rank int
	packet.Attempt
}

// attempts offers what was tried: of each check, how it failed, what was done then, and how it passed.
func (m *drafter) attempts() {
	var all []try
	for _, h := range m.runs {
		all = append(all, m.tried(h)...)
	}
	slices.SortStableFunc(all, func(a, b try) int { return cmp.Or(a.step-b.step, a.rank-b.rank) })
	all = slices.CompactFunc(all, func(a, b try) bool { return a.step == b.step })
	all = last(all, draftRuns)
	for i, t := range slices.Backward(all) { // what a later output tells, an earlier one need not
		if t.Outcome == packet.Failed && t.Learned == "" {
			all[i].Learned = m.news(m.steps[t.step].Run)
		}
	}
	for _, t := range all {
		m.attempt(t.rank, t.Attempt)
	}
	if files, more := m.files(); len(files) > 0 || more > 0 {
		m.attempt(wanted, packet.Attempt{Outcome: packet.Partial, Tried: fmt.Sprintf(
			"[unverified] Edited in this session, the last one first: %s", listed(files, more))})
	}
	if i := m.last(transcript.Summarized); i >= 0 {
		m.attempt(mostWanted, packet.Attempt{Outcome: packet.Partial, Tried: "[unverified] The state at the last " +
			"compaction, as a model summarized it: " + m.line(m.steps[i].Text, 2*askChars)})
	}
	var stored []string
	for _, s := range last(m.Outline.Stored, draftStored) {
		stored = append(stored, s.ID+" ("+m.line(s.Topic, 100)+")")
	}
	if len(stored) > 0 {
		m.attempt(background, packet.Attempt{Outcome: packet.Succeeded, Tried: fmt.Sprintf(
			"[unverified] Stored as memories: %s", listed(stored, len(m.Outline.Stored)-len(stored)))})
	}
	for _, todo := range m.todos("completed") {
		m.attempt(background, packet.Attempt{Outcome: packet.Succeeded, Tried: "[unverified] Done: " + todo})
	}
}

func (m *drafter) attempt(rank int, a packet.Attempt) {
	a.Tried, a.Learned = clip(a.Tried, draftChars), clip(a.Learned, draftChars)
	m.offer(rank, func() { m.p.Attempts = append(m.p.Attempts, a) }, a.Tried, a.Learned)
}

func (m *drafter) tried(h history) []try {
	var all []try
	before, failed := -1, false
	for n, i := range h.at {
		r := m.steps[i].Run
		final := n == len(h.at)-1
		switch {
		case r.Ended == transcript.Failed:
			t := m.failure(before, i, i == h.open)
			if k := len(all) - 1; k >= 0 && t.bare && all[k].Outcome == packet.Failed {
				all = all[:k] // nothing was done in between
			}
			all = append(all, t.try)
		case r.Ended == transcript.Passed && (failed || final):
			all = append(all, m.success(before, i, failed))
		case r.Ended == transcript.Unknown && final:
			all = append(all, try{i, wanted, packet.Attempt{Outcome: packet.Partial, Learned: m.output(r),
				Tried: fmt.Sprintf("[unverified] %s\nNothing says for sure how it ended.", m.command(r))}})
		}
		failed = r.Ended == transcript.Failed || failed && r.Ended == transcript.Unknown
		before = i
	}
	return all
}

// failure is the attempt of a run that failed; bare: nothing was done for it.
type failure struct {
	try
	bare bool
}

func (m *drafter) failure(before, i int, open bool) failure {
	r := m.steps[i].Run
	did := m.did(before, i)
	f := failure{bare: did == "", try: try{i, telling, packet.Attempt{Outcome: packet.Failed}}}
	f.Tried = fmt.Sprintf("%s failed.%s", m.command(r), did)
	if !open {
		return f
	}
	f.rank, f.Learned = mostWanted, m.news(r)
	f.Tried = fmt.Sprintf("[pending: %s] It failed%s.%s", m.command(r), ended(r), did)
	for k := i + 1; k < len(m.steps); k++ {
		if text := m.said(k); text != "" {
			f.Learned += "\n" + unverified + "Then: " + text
			break
		}
	}
	f.Learned = strings.TrimPrefix(f.Learned, "\n")
	return f
}

func (m *drafter) success(before, i int, failed bool) try {
	r := m.steps[i].Run
	t := try{i, background, packet.Attempt{Outcome: packet.Succeeded}}
	did := ""
	if failed {
		t.rank, did = telling, m.did(before, i)
	}
	if t.Tried = fmt.Sprintf("[verified: %s] It passed.", m.command(r)); !r.Sure {
		t.Tried = fmt.Sprintf("[unverified] %s passed, as its output says.", m.command(r))
	}
	t.Tried += ifSet(m.editedSince(i), " Files were edited since it ran.") + did
	return t
}

// output returns what the output of a run tells.
func (m *drafter) output(r *transcript.Run) string { return m.text(r.Output, transcript.MaxOutput) }

// news returns what the output of a run tells that is not told yet.
func (m *drafter) news(r *transcript.Run) string {
	var lines []string
	for line := range strings.Lines(m.output(r)) {
		if line = strings.TrimSpace(line); !m.told[line] {
			lines = append(lines, line)
		}
		m.told[line] = true
	}
	return strings.Join(lines, "\n")
}

// did says what was done and said between two runs, and not told elsewhere.
func (m *drafter) did(from, to int) string {
	var files, texts []string
	for k := max(from, m.first) + 1; k < to; k++ {
		if s := m.steps[k]; s.Kind == transcript.Edited {
			name, inside := relative(s.Text, m.Roots)
			if name = m.line(name, commandChars); inside && !slices.Contains(files, name) {
				files = append(files, name)
			}
		} else if text := m.said(k); text != "" {
			texts = append(texts, text)
		}
	}
	did := ""
	if len(files) > 0 {
		did = " Edited before: " + listed(files[:min(len(files), draftFiles)], max(0, len(files)-draftFiles)) + "."
	}
	if len(texts) > 0 {
		did += "\n" + unverified + "Before: " + middle(strings.Join(texts, " "), saidChars)
	}
	return did
}

// said returns what the model said in a step, unless it says little or the packet has it.
func (m *drafter) said(step int) string {
	s := m.steps[step]
	if s.Kind != transcript.Said || m.used[step] || transcript.Words(s.Text) < transcript.AskWords {
		return ""
	}
	m.used[step] = true
	return m.line(s.Text, saidChars)
}

// checks are how the checks ended last, where that is sure.
func (m *drafter) checks() []api.PacketCheck {
	var all []api.PacketCheck
	for _, h := range m.runs {
		if r := m.run(h); r.Sure {
			all = append(all, api.PacketCheck{Command: m.line(r.Name, draftChars), Passed: r.Ended == transcript.Passed,
				At: r.At})
		}
	}
	return last(all, mostChecks)
}
