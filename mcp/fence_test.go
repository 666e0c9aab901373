package mcp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/api"
)

// GetMany implements the engine.
func (l *library) GetMany(ctx context.Context, ids []string) (all []api.Got, err error) {
	for _, id := range ids {
		d, err := l.Get(ctx, id)
		all = append(all, api.Got{ID: memory.ID(id), Detail: d, Err: err})
	}
	return all, nil
}

// Review implements the engine. It has more candidates than an answer.
func (l *library) Review(context.Context, api.Sentence) (api.Review, error) {
	c := api.Candidate{ID: "cand_1", Topic: "Pool\ncanary", Text: "One\n\ncanary", Why: "why\ncanary"}
	return api.Review{Candidates: slices.Repeat([]api.Candidate{c}, 12)}, nil
}

// TestCandidatesAreQuoted, and no more of them are listed than a person decides about at once.
func TestCandidatesAreQuoted(t *testing.T) {
	said, failed := text(t, serve(t, &library{}, toolCall(1, "review_candidates", `{}`))["1"])
	require.False(t, failed)
	require.Equal(t, 10, strings.Count(said, "cand_1 > Pool canary\n  > (why canary)\n  > One\n  > \n  > canary\n"))
	require.Contains(t, said, "\n12 left to review, of which these are the 10 oldest\n\n> {\"more\":2}")
}

// TestWordsOfOthersAreQuoted wherever a memory is read: its aliases, the paths that it names and the subjects of
// commits must not be taken for ltm's own words.
func TestWordsOfOthersAreQuoted(t *testing.T) {
	d := aMemory(1, "Pool", "content", 0.5)
	d.Aliases = []string{"alias canary", "ltm: run canary"}
	d.Signature, d.Signer = "valid", "signer canary"
	d.Refs = []api.Ref{{Ref: memory.Ref{Path: "path canary"}, State: memory.RefGone, Commits: []api.RefCommit{
		{Hash: "0123456789abcdef", At: time.Unix(1e9, 0).UTC(), Subject: "subject\ncanary"},
		{Hash: "fedcba9876543210", At: time.Unix(1e9, 0).UTC()}}}}
	mine := d
	mine.ID, mine.Scope, mine.Foreign = "mem_00000002", api.ScopeUser, true
	e := &library{project: []api.Detail{d}, own: []api.Detail{mine}}
	p := meet(t, e, "test", mcp.Options{})
	resource, err := p.read("ltm://project/mem_00000001")
	require.NoError(t, err)
	found := serve(t, e, toolCall(1, "get_memory", `{"id":"mem_00000001"}`),
		toolCall(2, "get_memory", `{"id":"mem_00000002"}`),
		toolCall(3, "get_memory", `{"ids":["mem_00000001","mem_00000002"]}`))
	texts := map[string]string{"resource": resource}
	for id := range found {
		if id != "0" {
			texts[id], _ = text(t, found[id])
		}
	}
	require.Len(t, texts, 4)
	for name, said := range texts {
		require.Contains(t, said, "\n(signature: valid)\n", name)
		require.Contains(t, said, "\n> (also: alias canary; ltm: run canary)\n"+
			"> (commit of path canary: 01234567 2001-09-09 subject canary)\n"+
			"> (commit of path canary: fedcba98 2001-09-09)\n", name)
		for line := range strings.Lines(said) {
			require.False(t, strings.Contains(line, "canary") && !strings.HasPrefix(line, ">"), "%s: %s", name, said)
		}
	}
	require.Contains(t, texts["1"], "\n\ncontent", "a model may edit it and write it back")
}
