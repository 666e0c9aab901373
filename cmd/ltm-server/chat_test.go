package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// aloud is a model that replies word by word. It goes on with the next word when it is told to, and breaks off after
// the words if it is told so.
type aloud struct {
	words  []string
	next   chan struct{} // nil: at once
	breaks bool
}

func (m *aloud) answer(w http.ResponseWriter, r *http.Request, _ int) bool {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, word := range m.words {
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", word)
		w.(http.Flusher).Flush()
		if m.next == nil {
			continue
		}
		select {
		case <-m.next:
		case <-r.Context().Done():
			return true
		}
	}
	if m.breaks {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	return true
}

// withModel starts a server whose model for chat is on loopback.
func withModel(t *testing.T, m *modelServer, options ...string) *chatting {
	c := chat(t)
	require.Zero(t, c.stop(t))
	c.process = start(t, serving(c.db, append([]string{"--chat-url", m.URL + "/v1", "--chat-model", "aloud"},
		options...)...)...)
	return c
}

// listen says something, and calls back with each event of the reply as it comes.
func (c *chatting) listen(thread, text string, heard func(event string)) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/v1/threads/"+thread+"/chat",
		strings.NewReader(fmt.Sprintf(`{"text":%q}`, text)))
	require.NoError(c.t, err)
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	defer response.Body.Close()
	event := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if lines.Text() != "" {
			event += lines.Text() + "\n"
			continue
		}
		heard(event)
		event = ""
	}
}

// said returns the texts of a thread.
func (c *chatting) said(thread string) (texts []string) {
	c.t.Helper()
	for _, m := range c.request(http.MethodGet, "threads/"+thread+"/events", "")["messages"].([]any) {
		texts = append(texts, m.(map[string]any)["content"].(string))
	}
	return texts
}

// TestRepliesComeWordByWord has a model that says the next word when the one before has arrived at the application.
func TestRepliesComeWordByWord(t *testing.T) {
	m, model := newModelServer(t), &aloud{words: []string{"Nice ", "to meet", " you."}, next: make(chan struct{})}
	m.fail = model.answer
	c := withModel(t, m)
	thread := c.request(http.MethodPost, "threads", `{"user_id":"ann"}`)["thread_id"].(string)
	var events []string
	c.listen(thread, "I am Ann.", func(event string) {
		events = append(events, event)
		if len(events) <= len(model.words) {
			require.Equal(t, []string{"I am Ann."}, c.said(thread), "a reply is stored when it is whole")
			model.next <- struct{}{}
		}
	})
	require.Len(t, events, 4)
	require.Equal(t, "data: {\"text\":\"Nice\"}\ndata: {\"text\":\" to meet\"}\ndata: {\"text\":\" you.\"}\n",
		strings.Join(events[:3], ""))
	require.True(t, strings.HasPrefix(events[3], "event: done\n"), events[3])
	require.Equal(t, []string{"I am Ann.", "Nice to meet you."}, c.said(thread))
}

// TestRepliesThatBreakOff has models that end or stop in a reply. Nothing of it is stored, and to say the same again
// brings a whole one.
func TestRepliesThatBreakOff(t *testing.T) {
	m := newModelServer(t)
	c := withModel(t, m, "--models-timeout", "1s", "--metrics")
	thread := c.request(http.MethodPost, "threads", `{"user_id":"ann"}`)["thread_id"].(string)
	for _, model := range []*aloud{{words: []string{"half a"}, breaks: true},
		{words: []string{"half a"}, next: make(chan struct{})}} {
		m.mu.Lock()
		m.fail = model.answer
		m.mu.Unlock()
		var events []string
		c.listen(thread, "Hello.", func(event string) { events = append(events, event) })
		require.Len(t, events, 2)
		require.Equal(t, "data: {\"text\":\"half a\"}\n", events[0])
		require.True(t, strings.HasPrefix(events[1], "event: error\n"), events[1])
		require.Equal(t, []string{"Hello."}, c.said(thread))
	}
	metrics := string(ask(http.DefaultClient, http.MethodGet, c.url+"/metrics", "", "").body)
	require.Contains(t, metrics, `ltm_model_calls_total{purpose="chat",result="unreachable"} 1`)
	require.Contains(t, metrics, `ltm_model_calls_total{purpose="chat",result="timed_out"} 1`)
	whole := &aloud{words: []string{"Good ", "day."}}
	m.mu.Lock()
	m.fail = whole.answer
	m.mu.Unlock()
	c.listen(thread, "Hello.", func(string) {})
	require.Equal(t, []string{"Hello.", "Good day."}, c.said(thread))
}
