//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sessionsTogether is the number of concurrent sessions in one project.
const sessionsTogether = 4

// meeting makes each session wait until all have arrived.
type meeting struct {
	all     sync.WaitGroup
	arrived chan struct{}
}

func newMeeting(n int) *meeting {
	m := &meeting{arrived: make(chan struct{})}
	m.all.Add(n)
	go func() {
		m.all.Wait()
		close(m.arrived)
	}()
	return m
}

// then answers once all sessions have reached this step.
func (m *meeting) then(t *testing.T, s step) step {
	return func(r *request) []block {
		m.all.Done()
		select {
		case <-m.arrived:
		case <-time.After(timeLimit / 2):
			t.Error("the other sessions did not get there")
		}
		return s(r)
	}
}

// TestFourSessionsAtOnce has four clients work, read and store in one project: the counts of each
// must be exact, and its difficulty its own.
func TestFourSessionsAtOnce(t *testing.T) {
	t.Parallel()
	for _, version := range versions { // in sequence: four clients fill a machine
		t.Run(version, func(t *testing.T) {
			p := newProject(t, version)
			p.begun()
			shared := strings.TrimSuffix(filepath.Base(p.memories()[0]), ".md")
			all, played := p.workTogether(shared)

			state := p.state()
			require.Equal(t, 1+sessionsTogether, state.SessionCount)
			for i := range all {
				n := i + 1 // failures
				record := state.Sessions[all[i].current]
				require.Equal(t, n, record.ToolFailures, "session %d", n)
				require.Equal(t, 10-n, record.ToolSuccesses, "session %d", n)
				worked(t, 10, n, n-1, 11, record.Work)
				require.NotNil(t, record.EndedAt)
				all[i].stored(played[i].ok(8), 8, n, n-1)
			}
			require.Len(t, p.memories(), 1+sessionsTogether)
			var opened struct {
				AccessCount int `json:"access_count"`
			}
			require.NoError(t, json.Unmarshal([]byte(p.ltm("show", shared, "--json")), &opened))
			require.Equal(t, 3*sessionsTogether, opened.AccessCount)
			p.ltm("check")
		})
	}
}

// workTogether plays the sessions: the first has one failed call among ten, the second two, and so
// on. Each opens the shared memory three times.
func (p *project) workTogether(shared string) (all []*project, played []*session) {
	begin, store := newMeeting(sessionsTogether), newMeeting(sessionsTogether)
	all, played = make([]*project, sessionsTogether), make([]*session, sessionsTogether)
	open := tool("get_memory", input{"id": shared})
	var wait sync.WaitGroup
	for i := range all {
		own := *p
		all[i] = &own
		wait.Go(func() {
			steps := []step{begin.then(p.t, open)}
			for call := range 5 {
				command := "false"
				if call > i {
					command = "true"
				}
				steps = append(steps, bash(command))
			}
			steps = append(steps, open, open, store.then(p.t, own.lesson(fmt.Sprintf("Lesson %d", i+1))), bash("true"),
				text("end"))
			played[i] = own.claude(fmt.Sprintf("work %d", i+1), steps...)
		})
	}
	wait.Wait()
	for _, s := range played {
		require.NotNil(p.t, s, "a session failed")
	}
	return all, played
}
