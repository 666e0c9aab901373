package engine_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWasApproved(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "Fifty.", 0.1)
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	was, err := f.WasApproved(f.ctx, string(id), data)
	require.NoError(t, err)
	require.True(t, was)
	was, err = f.WasApproved(f.ctx, string(id), append(data, "More.\n"...))
	require.NoError(t, err)
	require.False(t, was)
	_, err = f.WasApproved(f.ctx, "../x", data)
	require.Error(t, err)
}
