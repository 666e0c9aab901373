package candidates

import (
	"cmp"
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/text/search"
)

const (
	Max      = 3
	MaxChars = 2000 // of what was said, in a text

	maxRefs  = 12
	maxTags  = 3
	maxRules = 2
	maxTopic = 120 // characters
	maxAsk   = 300 // characters of what was asked for, in a text
)

// Candidate is what may be worth a memory.
type Candidate struct {
	Topic string   `json:"topic"`
	Text  string   `json:"text"`
	Tags  []string `json:"tags,omitempty"`
	Refs  []string `json:"refs,omitempty"` // files, as the session named them
	Why   string   `json:"why"`            // it is proposed
}

// passage is a part of what was said that may become a candidate.
type passage struct {
	topic, text, ask, why string
	finding               string // its most telling line

	next  []string // the files that were edited after it
	score float64
	plain bool // nothing but its place tells that it explains a failure
	alike search.Likeness
}

// tooAlike is the likeness from which two passages of a session say the same. They share their subject, so it is lower
// than [search.Near].
const tooAlike = 0.4

func Find(o transcript.Outline) []Candidate {
	out := rules(o)
	all := passages(o)
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.score, a.score) })
	var found []passage
	for _, p := range all {
		if p.score < leastScore {
			break
		}
		p.alike = search.NewLikeness(p.text)
		same := func(t passage) bool { return t.alike.Of(p.alike) >= tooAlike }
		if p.topic != "" && !slices.ContainsFunc(found, same) {
			found = append(found, p)
		}
	}
	if c, ok := work(o, found); ok {
		return append(out, c)
	}
	for _, p := range found {
		if p.score >= leastAlone {
			out = append(out, p.candidate(o.Files))
		}
	}
	return out[:min(len(out), Max)]
}

// passages returns what the model said, with how much there is to learn from it.
func passages(o transcript.Outline) []passage {
	var all []passage
	var ask string
	var f fix
	for _, s := range o.Steps {
		if s.Kind != transcript.Said {
			f.end(all)
		}
		switch s.Kind {
		case transcript.Asked:
			if transcript.Words(s.Text) >= leastAsk || ask == "" { // not "yes, do it"
				ask = s.Text
			}
		case transcript.Edited:
			if n := len(all); n > 0 && !slices.Contains(all[n-1].next, s.Text) {
				all[n-1].next = append(all[n-1].next, s.Text)
			}
		case transcript.Said:
			p := passageOf(s.Text)
			p.ask = ask
			all = append(all, p)
		case transcript.Summarized:
			for _, p := range sections(s.Text) {
				p.ask = ask
				all = append(all, p)
			}
		case transcript.Ran:
			f.ran(s.Run, len(all))
		}
	}
	f.end(all)
	return all
}

// fix is a command that failed and then passed, and the passages that may explain it.
type fix struct {
	failed *transcript.Run
	since  int  // the first passage since the failure
	passed bool // the same command passed, before the passage
	until  int
}

// ran notes a command, before which there were so many passages.
func (f *fix) ran(r *transcript.Run, said int) {
	switch {
	case r.Ended == transcript.Failed && f.failed == nil:
		f.failed, f.since = r, said
	case r.Ended == transcript.Passed && f.failed != nil && r.Like(f.failed):
		f.passed, f.until = true, said
	}
}

// end marks what explains a fix once all is said about it: of what was said before an edit, or after the pass, the one
// that tells most. It says what failed.
func (f *fix) end(all []passage) {
	if !f.passed {
		return
	}
	best := -1
	for i := f.since; i < len(all); i++ {
		if (len(all[i].next) > 0 || i >= f.until) && (best < 0 || all[i].score > all[best].score) {
			best = i
		}
	}
	failed := f.failed
	*f = fix{}
	if best < 0 {
		return
	}
	p := &all[best]
	if p.score <= 0 {
		if len(p.next) == 0 || len(strings.Fields(p.finding)) < leastExplained || isChore(p.text) ||
			isChore(failed.Output) {
			return
		}
		p.score, p.plain = unmarkedCause, true
	}
	p.score += afterFailure
	p.why = "it stands between a command that failed and its pass"
	p.text += "\n\nBefore, `" + clipped(flat(failed.Name), maxTopic) + "` failed"
	if output := clipped(flat(failed.Output), maxAsk); output != "" {
		p.text += ": " + output
	}
}

// candidate returns a passage as it is proposed. all are the files that the session edited.
func (p passage) candidate(all []string) Candidate {
	text := p.text
	if ask := clipped(flat(p.ask), maxAsk); ask != "" {
		text += "\n\nAsked for: " + ask
	}
	files := p.files(all)
	return Candidate{Topic: memory.ClipTopic(p.topic), Text: text, Tags: tagsOf(files), Refs: files, Why: p.why}
}

// files returns the files that a passage is about: those that it names of those that the session edited, those that
// were edited next, and the others.
func (p passage) files(all []string) []string {
	all = slices.Clone(all)
	slices.Reverse(all)
	unnamed := func(file string) bool { return !strings.Contains(p.text, baseOf(file)) }
	files := slices.DeleteFunc(slices.Clone(all), unnamed)
	for _, file := range slices.Concat(p.next, all) {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files[:min(len(files), maxRefs)]
}

func baseOf(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

func tagsOf(files []string) []string {
	var tags []string
	for _, file := range files {
		name, _, _ := strings.Cut(strings.ToLower(baseOf(file)), ".")
		name = strings.TrimSuffix(name, "_test")
		if name != "" && len(name) <= memory.MaxTagChars && !slices.Contains(tags, name) && len(tags) < maxTags {
			tags = append(tags, name)
		}
	}
	return tags
}

func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// clipped shortens a line, between words if it can.
func clipped(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	s = string(r[:most-1])
	if i := strings.LastIndex(s, " "); i > len(s)/2 {
		s = s[:i]
	}
	return s + "…"
}
