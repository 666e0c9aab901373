package engine_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func TestDuplicatesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, topic, content string
		same                 bool
	}{
		{"the same", "The Retry budget", "It is 3 per host.\n\n- see retry.go", true},
		{"case of the topic", "the RETRY budget", "It is 3 per host.\n\n- see retry.go", true},
		{"white space of the topic", " The  Retry\tbudget", "It is 3 per host.\n\n- see retry.go", true},
		{"white space of the content", "The Retry budget", "It is 3\nper host.\r\n- see   retry.go\n\n", true},
		{"case of the content", "The Retry budget", "it is 3 per host.\n\n- see retry.go", false},
		{"other content", "The Retry budget", "It is 5 per host.\n\n- see retry.go", false},
		{"other topic", "A Retry budget", "It is 3 per host.\n\n- see retry.go", false},
		{"more content", "The Retry budget", "It is 3 per host.\n\n- see retry.go\n- and more", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newEngine(t)
			first := f.remember("The Retry budget", "It is 3 per host.\n\n- see retry.go", 0.5)
			_, err := f.Remember(f.ctx, api.Draft{Topic: tt.topic, Content: tt.content, Tags: []string{"other"}})
			list, listErr := f.List(f.ctx, api.ListFilter{})
			require.NoError(t, listErr)
			if !tt.same {
				require.NoError(t, err)
				require.Equal(t, 2, list.Total)
				return
			}
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
			require.ErrorContains(t, err, string(first)+" already has the same topic and content")
			require.Equal(t, memory.KindDuplicate, memory.KindOf(err))
			require.Equal(t, 1, list.Total)
		})
	}
}

// TestARefusedDuplicateKeepsTheSegment stores nothing, so the work before it
// still belongs to the next memory.
func TestARefusedDuplicateKeepsTheSegment(t *testing.T) {
	f := newEngine(t)
	f.remember("t", "c", 0.5)
	f.start("a")
	f.tools("a", 0, 1, 0)
	_, err := f.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Session: "a"})
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	r, err := f.Remember(f.ctx, api.Draft{Topic: "t", Content: "d", Session: "a"})
	require.NoError(t, err)
	// F = 1 − (4/5)·(4/5) = 0.36; 1 − 0.75·(1 − 0.55·0.36)·(1 − 0.25·1/26)
	require.Equal(t, 0.4, r.Difficulty)
}

// TestOneOfManyIsStored has several engines store the same memory at once.
func TestOneOfManyIsStored(t *testing.T) {
	f := newEngine(t)
	f.remember("first", "makes the folders", 0.5)
	errs := make([]error, 8)
	var wait sync.WaitGroup
	for i := range errs {
		ids := counter(100 * (i + 1))
		e := f.reopen(&ids)
		wait.Go(func() { _, errs[i] = e.Remember(f.ctx, api.Draft{Topic: "t", Content: "c"}) })
	}
	wait.Wait()
	stored := 0
	for _, err := range errs {
		if err == nil {
			stored++
		} else {
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "%v", err)
		}
	}
	require.Equal(t, 1, stored)
}

func TestSimilarMemoriesAreNamed(t *testing.T) {
	f := newEngine(t)
	for i := range 30 { // of another kind, in the same words' company
		f.remember(fmt.Sprintf("Worker %d of the queue", i),
			fmt.Sprintf("Queue%d drains handler%d nightly, see worker%d.go.", i, i, i), 0.5)
	}
	content := "Raise max_conns in db.go to 50: the pool was too small for the workers of the queue."
	for i := range 5 {
		f.remember(fmt.Sprintf("Pool size, take %d", i), content, 0.5)
	}
	r, err := f.Remember(f.ctx, api.Draft{Topic: "Pool size", Content: content + " Seen again."})
	require.NoError(t, err)
	require.Len(t, r.Similar, 3, "no more than three are named")
	for i, s := range r.Similar {
		require.NotEqual(t, r.ID, s.ID)
		require.Contains(t, s.Topic, "Pool size, take")
		require.GreaterOrEqual(t, s.Similarity, 0.6)
		if i > 0 {
			require.LessOrEqual(t, s.Similarity, r.Similar[i-1].Similarity)
		}
		require.Contains(t, r.Message.String(), string(s.ID))
	}
	again, err := f.Similar(f.ctx, string(r.ID))
	require.NoError(t, err)
	require.Equal(t, r.Similar, again, "and not itself")
	_, err = f.Similar(f.ctx, "mem_00000000")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	other, err := f.Remember(f.ctx, api.Draft{Topic: "Pool metrics",
		Content: "db_pool_wait_seconds tells how long workers wait for the pool."})
	require.NoError(t, err)
	require.Empty(t, other.Similar)
	require.NotContains(t, other.Message.String(), "similar")
}
