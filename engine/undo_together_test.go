package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/api"
)

func TestASelectionIsTakenBackByOneUndo(t *testing.T) {
	f := newEngine(t)
	a, b := f.remember("First", "One.", 0.1), f.remember("Second", "Two.", 0.1)
	_, err := f.Retag(api.WithOneUndo(f.ctx), []string{string(a), string(b)}, []string{"harbor"}, nil)
	require.NoError(t, err)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	tags, err := f.Tags(f.ctx)
	require.NoError(t, err)
	for _, tag := range tags {
		require.NotEqual(t, "harbor", tag.Tag)
	}
	_, err = f.ForgetAll(api.WithOneUndo(f.ctx), []string{string(a), string(b)})
	require.NoError(t, err)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Equal(t, 2, list.Total)
}
