package rank

import (
	"strings"
	"unicode/utf8"

	"ltm/engine/trust"
	"ltm/memory"
	"ltm/store"
)

// WithTopics returns the memories in sight that have one of some topics, by the keys of those: the first of each in
// order, and none that is held back or for one agent. A store that cannot be read has none: it is about a mark.
func (e *Engine) WithTopics(topics []string) (found map[string]memory.ID) {
	if len(topics) == 0 || !e.Exists() {
		return nil
	}
	wanted := make(map[string]bool, len(topics))
	for _, topic := range topics {
		wanted[TopicKey(topic)] = true
	}
	_ = e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		some := &store.Snapshot{Full: snapshot.Full}
		for _, r := range snapshot.Records {
			if r.Agent == "" && wanted[TopicKey(r.Topic)] {
				some.Records = append(some.Records, r)
			}
		}
		if len(some.Records) == 0 {
			return nil
		}
		u, _, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		g, err := e.Filter(v, u.Settings)
		found = TopicsOf(Places(some, u), g)
		return err
	})
	return found
}

// Hides returns the memory in sight that has a topic, or "".
func (e *Engine) Hides(topic string) memory.ID { return e.WithTopics([]string{topic})[TopicKey(topic)] }

// TopicsOf returns the memories by their topics, without those that are held back.
func TopicsOf(all []Place, g trust.Filter) map[string]memory.ID {
	topics := make(map[string]memory.ID, len(all))
	for _, p := range all {
		key := TopicKey(p.Topic)
		if _, known := topics[key]; !known && !g.Hides(*p.Memory) {
			topics[key] = p.ID
		}
	}
	return topics
}

// TopicKey returns what topics that sameTopic compares as equal have in common.
func TopicKey(topic string) string {
	if hasLooseSpace(topic) {
		topic = Flat(topic)
	}
	return strings.ToLower(topic)
}

// Flat returns a text with every run of white space replaced by one space.
func Flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// hasLooseSpace reports whether flat may change a text. It may err towards true.
func hasLooseSpace(text string) bool {
	space := true // before the first character
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && space, c < ' ', c >= utf8.RuneSelf:
			return true
		default:
			space = c == ' '
		}
	}
	return space
}

// SameTopic reports whether a topic, which people may have edited, equals a normalized one but
// for case and white space.
func SameTopic(topic, normalized string) bool {
	return strings.EqualFold(topic, normalized) || hasLooseSpace(topic) && strings.EqualFold(Flat(topic), normalized)
}
