package provider_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

// streams answers with events, each of which is sent before the next is made.
func streams(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, event := range events {
			_, _ = io.WriteString(w, event)
			w.(http.Flusher).Flush()
		}
	}
}

// piece is an event with a part of a reply.
func piece(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf("data: {\"model\":\"tiny-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},"+
		"\"finish_reason\":null}],\"usage\":null}\n\n", quoted)
}

// The ends of replies.
const (
	stops      = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	counts     = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5}}\n\n"
	done       = "data: [DONE]\n\n"
	refuses    = "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"}}]}\n\n"
	overloaded = "data: {\"error\":{\"code\":\"overloaded\"}}\n\n"
	filters    = "data: {\"choices\":[{\"finish_reason\":\"content_filter\"}]}\n\n"
	keepAlive  = ": still thinking\n\n"
)

// streamed asks for a reply, and returns what came of it.
func streamed(t *testing.T, c *provider.Client) (pieces []string, got provider.Reply, err error) {
	t.Helper()
	got, err = c.ChatStream(t.Context(), "app", provider.Chat{Messages: []provider.Turn{{User: true, Text: "hi"}}},
		func(piece string) error {
			pieces = append(pieces, piece)
			return nil
		})
	return pieces, got, err
}

func TestChatStream(t *testing.T) {
	e := newEndpoint(t, streams(keepAlive, "event: message\n"+piece("  Nice"), piece(" to "), piece(""),
		piece("meet\x00"), "id: 7\n"+piece(" you. \n"), stops, counts, done))
	meter := unlimited(newWorld())
	c, w := client(t, e, func(o *provider.Options) { o.Meter = meter })
	pieces, got, err := streamed(t, c)
	require.NoError(t, err)
	require.Equal(t, []string{"Nice", " to", " meet", " you."}, pieces)
	require.Equal(t, provider.Reply{Text: "Nice to meet you.", Model: "tiny"}, got)
	require.Contains(t, e.requests()[0].body, `"stream":true,"stream_options":{"include_usage":true}`)
	used := meter.Today("app", w.Now())
	require.Equal(t, []int64{20, 5, 0}, []int64{used.Input, used.Output, used.Estimated})
}

// TestPiecesComeAsTheyAre has an endpoint that goes on when the piece before has arrived.
func TestPiecesComeAsTheyAre(t *testing.T) {
	arrived := make(chan struct{})
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		streams()(w, r)
		for _, part := range []string{"one ", "two ", "three"} {
			_, _ = io.WriteString(w, piece(part))
			w.(http.Flusher).Flush()
			select {
			case <-arrived:
			case <-r.Context().Done():
				return
			}
		}
		_, _ = io.WriteString(w, stops+done)
	})
	c, _ := client(t, e, nil)
	got, err := c.ChatStream(t.Context(), "app", provider.Chat{Messages: []provider.Turn{{User: true, Text: "hi"}}},
		func(string) error { arrived <- struct{}{}; return nil })
	require.NoError(t, err)
	require.Equal(t, "one two three", got.Text)
}

func TestStreamsThatMisbehave(t *testing.T) {
	const gone = provider.Kind("")
	kilobytes := strings.Repeat("x", 9<<10)
	for name, tt := range map[string]struct {
		step     http.HandlerFunc
		pieces   int
		kind     provider.Kind
		requests int
	}{
		"breaks off at once":     {streams(piece("")), 0, provider.Unreachable, 3},
		"breaks off on the way":  {streams(piece("half"), piece(" of")), 2, provider.Unreachable, 1},
		"fails at once":          {streams(overloaded), 0, provider.Failed, 3},
		"fails on the way":       {streams(piece("half"), overloaded), 1, provider.Failed, 1},
		"garbled":                {streams("data: {{\n\n"), 0, provider.BadAnswer, 1},
		"garbled on the way":     {streams(piece("half"), "data: \xff\n\n"), 1, provider.BadAnswer, 1},
		"no text":                {streams(piece(" \n"), stops, done), 0, provider.BadAnswer, 1},
		"thoughts alone":         {streams(piece("<think>hm"), piece("</thin"), stops, done), 0, provider.BadAnswer, 1},
		"nothing":                {streams(), 0, provider.Unreachable, 3},
		"a long line":            {streams("data: " + strings.Repeat("x", 300<<10)), 0, provider.TooLarge, 1},
		"a long reply":           {streams(strings.Repeat(piece(kilobytes), 8)), 7, provider.TooLarge, 1},
		"comments without end":   {streams(strings.Repeat(keepAlive, 300_000)), 0, provider.TooLarge, 1},
		"a refusal":              {streams(piece("I "), refuses), 1, provider.Refused, 1},
		"a filter":               {streams(filters), 0, provider.Refused, 1},
		"an error before":        {says(401, `{"error":{"code":"invalid_api_key"}}`), 0, provider.Refused, 1},
		"fails before":           {says(503, ``), 0, provider.Failed, 3},
		"the connection is cut":  {cut(piece("half")), 1, provider.Unreachable, 1},
		"a reply at once":        {replies("<think>hm</think> All at once."), 1, gone, 1},
		"without a mark at last": {streams(piece("whole"), stops), 1, gone, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, tt.step)
			c, _ := client(t, e, nil)
			pieces, got, err := streamed(t, c)
			require.Equal(t, tt.kind, provider.KindOf(err), "%v", err)
			require.Len(t, pieces, tt.pieces)
			require.Len(t, e.requests(), tt.requests)
			if tt.kind != gone {
				require.Zero(t, got)
				require.NotContains(t, err.Error(), "half")
				return
			}
			require.NoError(t, err)
			require.Equal(t, strings.Join(pieces, ""), got.Text)
			require.NotContains(t, got.Text, "hm")
		})
	}
}

// cut sends events and ends the connection without an end of the answer.
func cut(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		streams(events...)(w, r)
		panic(http.ErrAbortHandler)
	}
}

// TestAnotherAttemptOfAStream fails before the first piece: what came of it is forgotten.
func TestAnotherAttemptOfAStream(t *testing.T) {
	e := newEndpoint(t, streams(piece("<think>hm</think>"), piece(" ")), streams(piece(" well"), stops, done))
	c, w := client(t, e, nil)
	pieces, got, err := streamed(t, c)
	require.NoError(t, err)
	require.Equal(t, []string{"well"}, pieces)
	require.Equal(t, "well", got.Text)
	require.Len(t, w.waits(), 1)
}

// TestSlowStreams: a reply may take longer than an attempt if its parts do not, and ends when one of them does.
func TestSlowStreams(t *testing.T) {
	step := make(chan time.Duration, 8)
	slow := func(w http.ResponseWriter, r *http.Request) {
		streams()(w, r)
		for n := 0; ; n++ {
			select {
			case <-time.After(<-step):
				_, _ = io.WriteString(w, piece(fmt.Sprint(n)))
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
	e := newEndpoint(t, slow)
	c, _ := client(t, e, func(o *provider.Options) { o.AttemptTime = 500 * time.Millisecond })
	for range 4 {
		step <- 200 * time.Millisecond
	}
	step <- time.Hour
	pieces, _, err := streamed(t, c)
	require.Equal(t, provider.TimedOut, provider.KindOf(err))
	require.Len(t, pieces, 4, "together they took longer than one attempt may wait")

	c, _ = client(t, e, func(o *provider.Options) { o.CallTime = 300 * time.Millisecond })
	step <- 0
	step <- time.Hour
	pieces, _, err = streamed(t, c)
	require.Equal(t, provider.TimedOut, provider.KindOf(err), "the whole call")
	require.Len(t, pieces, 1)
	close(step)
}

func TestWhoDoesNotTakeAReplyEndsIt(t *testing.T) {
	ended := make(chan struct{})
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		streams(piece("one"))(w, r)
		<-r.Context().Done()
		close(ended)
	})
	c, _ := client(t, e, nil)
	gone := errors.New("the client is gone")
	_, err := c.ChatStream(t.Context(), "app", provider.Chat{Messages: []provider.Turn{{User: true, Text: "hi"}}},
		func(string) error { return gone })
	require.Equal(t, gone, err)
	<-ended
	require.Len(t, e.requests(), 1)
}

// TestPiecesMakeTheWhole cuts replies anywhere: the pieces are what the same reply is at once.
func TestPiecesMakeTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{"a plain reply", " \n spaces \t at both ends \n",
		"<think>some\nthoughts</think>\n\n a reply\n",
		"<think></think>x", "<thin", "<", "< think", "<thinking aloud", "a <think>late</think> thought",
		"<think>a</think><think>b</think> c", "\x00<think>a\x00</think>\x00 zero\x00s \x00", "\u00a0naïve \u2003"} {
		want, err := provider.ParseReply([]byte(replyBody(text, "stop")))
		require.NoError(t, err, "%q", text)
		for range 50 {
			var events []string
			for rest := []rune(text); len(rest) > 0; {
				n := 1 + r.IntN(min(len(rest), 6))
				events = append(events, piece(string(rest[:n])))
				rest = rest[n:]
			}
			pieces, err := provider.Pieces(strings.NewReader(strings.Join(events, "") + stops + done))
			require.NoError(t, err, "%q", events)
			require.Equal(t, want, strings.Join(pieces, ""), "%q", events)
			require.NotContains(t, pieces, "")
		}
	}
}
