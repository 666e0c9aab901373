package main

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestProcessesShareTheLog stores from many processes at once: the log names
// every memory once.
func TestProcessesShareTheLog(t *testing.T) {
	const workers, rounds = 6, 8
	p := newProject(t)
	p.run("", "remember", "first", "content")
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for r := range rounds {
				if _, err := p.persist("", "remember", fmt.Sprintf("topic %d of %d", r, w), "content"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	var list api.Listing
	p.json(&list, "list", "--limit", "1000")
	var stored []memory.ID
	for _, m := range list.Memories {
		stored = append(stored, m.ID)
	}
	var h memory.History
	p.json(&h, "log", "--limit", "1000")
	var logged []memory.ID
	for _, e := range h.Events {
		require.Equal(t, memory.ActionStored, e.Action)
		logged = append(logged, e.ID)
	}
	require.Len(t, logged, workers*rounds+1)
	require.ElementsMatch(t, stored, logged)
}
