package rank

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/priority"
	"ltm/store"
)

// OftenShown is how many sessions a memory is shown to, without ever being opened, until it is one to tidy.
const OftenShown = 20

// leastTopicWords is how many words a topic needs for an answer to name the memory by it: a single word is in answers
// by chance.
const leastTopicWords = 2

// Heard is what a session that ends tells of the use of memories. The zero one tells nothing.
type Heard struct {
	Shown   []memory.ID // which of them its context had
	Answers string      // what the model wrote to the person
}

// Uses returns how often a memory was used in this clone.
func (u Usage) Uses(id memory.ID) api.Uses {
	st := u.Stats[id]
	return api.Uses{Shown: st.Shown, Opened: st.AccessCount, Named: st.Named}
}

// Idle reports whether a memory was shown often and never opened. One that a person has pinned is meant to be shown.
func (u Usage) Idle(m *memory.Memory) bool {
	st := u.Stats[m.ID]
	return st.Shown >= OftenShown && st.AccessCount == 0 && m.Importance() != memory.Critical
}

// Count adds a session to the uses of memories, each at most once.
func (h Heard) Count(tx *base.Tx, sessions int) error {
	if len(h.Shown) == 0 && h.Answers == "" {
		return nil
	}
	snapshot, err := tx.MemoriesQuick()
	if err != nil {
		return err
	}
	stats, err := base.Tolerate(tx.Stats())
	if err != nil {
		return err
	}
	u, answers, named := Usage{Stats: stats, Sessions: sessions}, foldText(h.Answers), idsIn(h.Answers)
	had := map[memory.ID]bool{}
	for _, id := range h.Shown {
		had[id] = true
	}
	for _, r := range snapshot.Records {
		shown := had[r.ID]
		said := named[r.ID] || shown && nameTopic(answers, r.Topic)
		if !shown && !said {
			continue
		}
		st := u.Of(r.ID)
		if shown {
			st.Shown++
		}
		if said {
			st.Named++
		}
		stats[r.ID] = st
	}
	tx.SetStats(stats)
	return nil
}

// Merge adds the uses of memories to those of the one that they were merged into or, if back is true, takes them away
// again. Their own stay.
func (u Usage) Merge(into memory.ID, from []memory.ID, back bool) {
	sign := 1
	if back {
		sign = -1
	}
	st := u.Of(into)
	st.Use, st.LastSession = u.Settings.PriorityProfile.Access(st.Use, u.Since(st), 0), u.Sessions
	for _, id := range from {
		o := u.Of(id)
		st.Use += float64(sign) * u.Settings.PriorityProfile.Access(o.Use, u.Since(o), 0)
		st.AccessCount += sign * o.AccessCount
		st.FirstHits += sign * o.FirstHits
		st.Shown += sign * o.Shown
		st.Named += sign * o.Named
		if !back {
			questions := slices.Concat(o.Questions(), st.Questions())
			st = st.WithQuestions(questions[max(0, len(questions)-memory.MaxAliases):])
		}
	}
	st.Use = max(st.Use, priority.Opened)
	st.AccessCount, st.FirstHits = max(st.AccessCount, 0), max(st.FirstHits, 0)
	st.Shown, st.Named = max(st.Shown, 0), max(st.Named, 0)
	u.Stats[into] = st
}

// idsIn returns the ids of memories in a text.
func idsIn(text string) map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	isPart := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, isPart) {
		if strings.HasPrefix(word, "mem_") {
			ids[memory.ID(word)] = true
		}
	}
	return ids
}

// nameTopic reports whether a folded text has a topic, as words of its own.
func nameTopic(text, topic string) bool {
	topic = foldText(topic)
	if strings.Count(topic, " ")+1 < leastTopicWords {
		return false
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := text; ; {
		before, after, found := strings.Cut(rest, topic)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !inWord(last) && !inWord(next) {
			return true
		}
		rest = after
	}
}

// foldText returns a text in lower case with single spaces.
func foldText(s string) string { return strings.ToLower(Flat(s)) }

// MarkStart notes which memories the block of a session's start has told, and which its context has kept. Those that it
// had before a compaction still count as shown.
func MarkStart(s *store.Session, kept, told []memory.ID) {
	before := slices.Concat(s.Earlier, s.Shown)
	s.Shown = kept
	MarkShown(s, told...)
	before = slices.DeleteFunc(before, func(id memory.ID) bool { return slices.Contains(s.Shown, id) })
	s.Earlier = before[max(0, len(before)-maxShown):]
}
