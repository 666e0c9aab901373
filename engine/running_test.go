package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheRunningSessionIsTold reads the counts of a session and requires that this changes
// nothing.
func TestTheRunningSessionIsTold(t *testing.T) {
	f := newEngine(t)
	none, err := f.Running(f.ctx, "a")
	require.NoError(t, err)
	require.Nil(t, none, "there is no store")
	f.remember("A memory", "It makes the store.", 0.5)
	none, err = f.Running(f.ctx, "a")
	require.NoError(t, err)
	require.Nil(t, none, "no session is open")

	f.start("a")
	f.tools("a", 6, 4, 50)
	before := f.everyFile()
	running, err := f.Running(f.ctx, "a")
	require.NoError(t, err)
	require.Equal(t, []int{10, 4, 500}, []int{running.Work.Calls, running.Work.Failures, running.Work.Tokens})
	require.Equal(t, before, f.everyFile())

	told := running.Difficulty
	require.Equal(t, told, f.store("The same", "a").Difficulty, "what a memory stored now would have")
	running, err = f.Running(f.ctx, "a")
	require.NoError(t, err)
	require.Zero(t, running.Work.Calls, "a store begins another segment")
	require.NoError(t, f.EndSession(f.ctx, "a"))
	none, err = f.Running(f.ctx, "a")
	require.NoError(t, err)
	require.Nil(t, none)
}
