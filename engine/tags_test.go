package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// TestTagsAreNotAnAccess changes tags and requires that nothing but the file's tags has changed.
func TestTagsAreNotAnAccess(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Topic", "Text.", 0.5, "a", "b")
	before, stats := f.header(id), f.stats()
	_, err := f.Retag(f.ctx, []string{string(id)}, []string{"C", "a"}, []string{"b"})
	require.NoError(t, err)
	_, err = f.RenameTag(f.ctx, "a", "d", nil)
	require.NoError(t, err)
	require.Equal(t, stats, f.stats())
	require.Equal(t, []string{"d", "c"}, f.header(id).Tags)
	before.Tags = f.header(id).Tags
	require.Equal(t, before, f.header(id))

	counts, err := f.Tags(f.ctx)
	require.NoError(t, err)
	require.Equal(t, []api.TagCount{{Tag: "c", Memories: 1}, {Tag: "d", Memories: 1}}, counts)
	found, err := f.Recall(f.ctx, api.Query{Text: "text", Tag: "c", Tags: []string{" D "}})
	require.NoError(t, err)
	require.Equal(t, 1, found.Total)
	list, err := f.List(f.ctx, api.ListFilter{Tag: "c", Tags: []string{"a"}})
	require.NoError(t, err)
	require.Zero(t, list.Total)
}
