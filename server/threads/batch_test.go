package threads_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/provider"
	"ltm/server/threads"
)

// settings changes those of the application.
func (w *world) settings(s threads.Settings) {
	w.t.Helper()
	app, err := w.store.Threads().AppOf(w.ctx, "app")
	require.NoError(w.t, err)
	app.Settings = s
	require.NoError(w.t, w.store.Threads().UpdateApp(w.ctx, app))
}

// TestExtractionIsBatched: a model is asked about five messages at once, or when the first has waited for two minutes,
// and about each message once. Courtesies do not count.
func TestExtractionIsBatched(t *testing.T) {
	var asked [][]provider.Event
	model := &scripted{extract: func(events []provider.Event) ([]provider.Claim, error) {
		asked = append(asked, events)
		last := events[len(events)-1]
		return []provider.Claim{{Text: last.Text, Bucket: "PROFILE", Confidence: 0.9, Events: []string{last.ID}}}, nil
	}}
	w := newWorld(t, threads.Models{Extraction: model})
	w.settings(threads.Settings{})
	id := w.thread()
	var all []string
	for i := range 12 {
		all = append(all, w.say(id, fmt.Sprintf("Boat number %d sails to harbor %d", i, i), "< I see.", "thanks!")[0])
		w.drain()
	}
	require.Len(t, asked, 2, "two batches of five")
	covered := map[string]int{}
	for _, events := range asked {
		for _, e := range events {
			covered[e.ID]++
		}
	}
	for _, id := range all[:10] {
		require.NotZero(t, covered[id])
	}
	w.clock.pass(3 * time.Minute)
	w.drain()
	require.Len(t, asked, 3, "the last two, when they have waited")
	require.Equal(t, all[11], asked[2][len(asked[2])-1].ID)
	effects, err := w.Effects(w.ctx, w.user, id, all[0])
	require.NoError(t, err)
	require.Equal(t, threads.JobSkipped, effects[1].State)
	require.Contains(t, effects[1].Reason, "together")
	require.Len(t, w.claims(), 3)
	require.Zero(t, w.counts()[threads.JobPending])
	require.NoError(t, w.store.Close())
}

// TestAFailedBatchIsAskedAgain: about each message by itself, so that one about which the model cannot be asked costs
// the others nothing.
func TestAFailedBatchIsAskedAgain(t *testing.T) {
	model := &scripted{extract: func(events []provider.Event) (claims []provider.Claim, err error) {
		for _, e := range events {
			if strings.Contains(e.Text, "poison") {
				return nil, &provider.Error{Kind: provider.Refused}
			}
			claims = append(claims, provider.Claim{Text: e.Text, Bucket: "PROFILE", Confidence: 0.9,
				Events: []string{e.ID}})
		}
		return claims, nil
	}}
	w := newWorld(t, threads.Models{Extraction: model})
	w.settings(threads.Settings{})
	id := w.thread()
	said := w.say(id, "Boat one sails to Oslo", "Boat two carries poison", "Boat three sails to Bonn",
		"Boat four sails to Graz")
	w.drain()
	w.clock.pass(3 * time.Minute)
	w.drain()
	require.Len(t, w.claims(), 3)
	for i, want := range []threads.JobState{threads.JobDone, threads.JobFailed, threads.JobDone, threads.JobDone} {
		effects, err := w.Effects(w.ctx, w.user, id, said[i])
		require.NoError(t, err)
		require.Equal(t, threads.JobExtract, effects[1].Kind)
		require.Equal(t, want, effects[1].State, i)
		require.NotEqual(t, threads.JobExtract, effects[2].Kind, "once for each message")
	}
	require.NoError(t, w.store.Close())
}

// TestNoMessageIsLeftOutOfBatches: not of many that come at once, and not of an agent's, with its tools between them.
func TestNoMessageIsLeftOutOfBatches(t *testing.T) {
	for _, c := range []struct{ messages, tools, asked int }{{200, 0, 10}, {7, 30, 2}, {5, 59, 1}, {3, 90, 3}} {
		var asked [][]provider.Event
		model := &scripted{extract: func(events []provider.Event) ([]provider.Claim, error) {
			asked = append(asked, events)
			return nil, nil
		}}
		w := newWorld(t, threads.Models{Extraction: model})
		w.settings(threads.Settings{})
		id := w.thread()
		var all []threads.NewEvent
		for i := range c.messages {
			text := fmt.Sprintf("Boat number %d sails to harbor %d", i, i)
			all = append(all, threads.NewEvent{Role: conversation.User, Text: text})
			for range c.tools {
				all = append(all, threads.NewEvent{Role: "tool", Text: "ok"})
			}
		}
		added, err := w.AddEvents(w.ctx, w.user, id, all)
		require.NoError(t, err)
		w.drain()
		w.clock.pass(3 * time.Minute)
		w.drain()
		covered := map[string]bool{}
		for _, events := range asked {
			require.LessOrEqual(t, len(events), 60)
			for _, e := range events {
				covered[e.ID] = true
			}
		}
		for _, a := range added {
			require.True(t, covered[a.Event.ID] || a.Event.Role != conversation.User, "%+v", c)
		}
		require.Len(t, asked, c.asked, "%+v", c)
		require.NoError(t, w.store.Close())
	}
}

// TestActiveSuggestions: what the rules are sure of counts at once if the application says so, but not what was pasted.
func TestActiveSuggestions(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	w.say(id, "I live in Graz.")
	w.drain()
	w.settings(threads.Settings{ActiveSuggestions: true})
	w.say(id, "I work at Siemens. I like tea.", "> My name is Bob", "My name is Ada. "+longText())
	w.drain()
	require.Equal(t, map[string]conversation.State{"I live in Graz": conversation.Suggested,
		"I work at Siemens": conversation.Active, "I like tea": conversation.Suggested,
		"My name is Ada": conversation.Suggested}, w.claims())
}

func longText() string {
	return fmt.Sprintf("%01100d", 7)
}

// TestImportanceOfTheClient: what a client says of an event counts more than its words.
func TestImportanceOfTheClient(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	added, err := w.AddEvents(w.ctx, w.user, id, []threads.NewEvent{
		{Role: conversation.User, Text: "hm", Importance: 4}, {Role: conversation.User, Text: "My name is Ada"},
		{Role: conversation.User, Text: "hm", Importance: 6}})
	require.NoError(t, err)
	require.Equal(t, []int{4, 5}, []int{added[0].Event.Importance, added[1].Event.Importance})
	require.ErrorIs(t, added[2].Err, threads.ErrInvalid)
}
