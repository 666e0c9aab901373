package engine

import (
	"strings"

	"ltm/engine/brief"
	"ltm/engine/transcript"
	"ltm/memory/api"
)

const (
	// recallTokens bounds a reply of DefaultRecall hits, in estimated tokens, which the model
	// pays for.
	recallTokens = 1500

	// hitTokens is the cost of the field names and numbers of a hit.
	hitTokens = 45

	// levelTokens is the cost of its importance, its kind or its confidence, if it has one.
	levelTokens = 9

	// leastSnippet is how short passages get, in characters, before topics and tags are cut.
	leastSnippet = 100
	// cutTopic and cutTags bound topics, in characters, and the number of tags when they are cut.
	cutTopic, cutTags = 100, 3
)

// passages fills in the summaries of hits, each as long as the reply's budget allows.
func passages(hits []api.Hit, excerpts []hit) {
	budget := float64(recallTokens) * max(1, float64(len(hits))/DefaultRecall)
	room := budget
	for _, h := range hits {
		room -= hitTokens + tokensOf(h)
	}
	if room < float64(len(hits))*leastSnippet/transcript.CharsPerToken {
		room = budget
		for i := range hits {
			hits[i].Topic = excerpts[i].pick.Of(hits[i].Topic, cutTopic)
			hits[i].Tags = hits[i].Tags[:min(len(hits[i].Tags), cutTags)]
			room -= hitTokens + tokensOf(hits[i])
		}
	}
	for i, x := range excerpts {
		// A passage leaves what it does not use to the next ones.
		most := min(snippetChars, int(room/float64(len(excerpts)-i)*transcript.CharsPerToken))
		hits[i].Summary = x.source.Passage(x.pick, max(most, leastSnippet/2))
		_, used := brief.Measure(hits[i].Summary)
		room -= used
	}
}

// tokensOf estimates the tokens of a hit's topic and tags.
func tokensOf(h api.Hit) float64 {
	_, tokens := brief.Measure(h.Topic + strings.Join(h.Tags, `","`))
	for _, there := range []bool{h.Importance != "", h.Category != "", h.Confidence != nil, len(h.SupersededBy) > 0,
		len(h.Disputes) > 0} {
		if there {
			tokens += levelTokens
		}
	}
	return tokens
}
