package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory/api"
	"ltm/text/safe"
)

// review is a call's decision about candidates.
type review struct {
	accept, drop []string
	instead      api.Acceptance // what the one that is accepted says instead
}

// mostReviewed is how many candidates an answer has: a model pays for every byte, and a person decides about a few.
const mostReviewed = 10

func reviewCandidates(e Engine) boundTool {
	s := spec{
		name: "review_candidates",
		description: "What earlier sessions left to remember. Without arguments, lists it; never store or drop any " +
			"without the user's yes.",
		prints: "candidates.id candidates.topic candidates.text candidates.why stored.id dropped",
	}
	run := func(ctx context.Context, r review) (api.Review, error) {
		changed := r.instead != api.Acceptance{}
		if changed && len(r.accept) != 1 {
			return api.Review{}, invalid("topic, content and tags are for one accepted candidate")
		}
		sentence := api.Sentence{Drop: r.drop}
		for _, id := range r.accept {
			r.instead.ID, r.instead.Client = id, clientOf(ctx)
			sentence.Accept = append(sentence.Accept, r.instead)
		}
		out, err := e.Review(ctx, sentence)
		n := min(len(out.Candidates), mostReviewed)
		out.Candidates, out.More = out.Candidates[:n], len(out.Candidates)-n
		return out, err
	}
	return bind(s, reviewParams, run, reviewText)
}

func reviewParams(r *review) []param {
	return []param{
		{name: "accept", kind: ids(&r.accept), about: "ids to store"},
		{name: "drop", kind: ids(&r.drop), about: "ids"},
		{name: "topic", kind: orNil(&r.instead.Topic, text), about: "instead, for one"},
		{name: "content", kind: orNil(&r.instead.Text, text), about: "likewise"},
		{name: "tags", kind: orNil(&r.instead.Tags, texts), about: "likewise"},
	}
}

// reviewText shows what became of candidates, or those that there are: what sessions said stands behind a ">".
func reviewText(r api.Review) string {
	var b strings.Builder
	for _, stored := range r.Stored {
		fmt.Fprintln(&b, receiptText(stored))
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(&b, "dropped %s\n", strings.Join(r.Dropped, ", "))
	}
	left := fmt.Sprintf("%d left to review", len(r.Candidates)+r.More)
	if b.Len() > 0 {
		return b.String() + left
	}
	if r.More > 0 {
		left += fmt.Sprintf(", of which these are the %d oldest", len(r.Candidates))
	}
	for _, c := range r.Candidates {
		fmt.Fprintf(&b, "%s > %s\n  > (%s)\n", c.ID, safe.Line(c.Topic), safe.Line(c.Why))
		for line := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(&b, "  > %s\n", safe.Line(line))
		}
	}
	return b.String() + left
}
