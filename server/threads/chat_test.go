package threads_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
	"ltm/server/threads"
)

// chat says something and returns the reply as it came.
func (w *world) chat(thread, text, key string) (pieces []string, user, assistant string, err error) {
	user, assistant, err = w.Chat(w.ctx, w.user, thread, text, key, 0, func(piece string) error {
		pieces = append(pieces, piece)
		return nil
	})
	return pieces, user, assistant, err
}

// texts returns the texts of a thread's events.
func (w *world) texts(thread string) []string {
	all, err := w.ListEvents(w.ctx, w.user, threads.EventQuery{Thread: thread})
	require.NoError(w.t, err)
	var texts []string
	for _, e := range all {
		texts = append(texts, e.Text)
	}
	return texts
}

func TestChatWithAnotherTextAfterAFailure(t *testing.T) {
	fail := failing()
	w := newWorld(t, threads.Models{Chat: &scripted{chat: func(provider.Chat) (string, error) { return "fine", fail }}})
	id := w.thread()
	_, _, _, err := w.chat(id, "Where is the boat?", "")
	require.ErrorIs(t, err, threads.ErrUpstream)
	fail = nil
	_, _, _, err = w.chat(id, "Where is the car?", "")
	require.NoError(t, err)
	require.Equal(t, []string{"Where is the boat?", "Where is the car?", "fine"}, w.texts(id))
}

func TestChat(t *testing.T) {
	var got provider.Chat
	fail := error(nil)
	n := 0
	model := &scripted{chat: func(c provider.Chat) (string, error) {
		got = c
		n++
		return fmt.Sprint("reply ", n), fail
	}}
	w := newWorld(t, threads.Models{Chat: model})
	id := w.thread()
	w.state(rome, "")
	pieces, user, assistant, err := w.chat(id, "In which city do I live, Rome?", "k1")
	require.NoError(t, err)
	require.Equal(t, []string{"reply 1"}, pieces)
	require.Equal(t, []string{"In which city do I live, Rome?", "reply 1"}, w.texts(id))
	require.NotEqual(t, user, assistant)
	require.Contains(t, got.Memory, rome)
	require.Equal(t, []provider.Turn{{User: true, Text: "In which city do I live, Rome?"}}, got.Messages)

	again, u, a, err := w.chat(id, "In which city do I live, Rome?", "k1")
	require.NoError(t, err)
	require.Equal(t, []any{pieces, user, assistant, 1}, []any{again, u, a, n}, "a retry asks nobody")
	_, _, _, err = w.chat(id, "another text", "k1")
	require.ErrorIs(t, err, threads.ErrTaken)

	for _, key := range []string{"k2", ""} { // a failure, and a retry with and without a key
		said := "And where was I born? " + key
		before := len(w.texts(id))
		fail = failing()
		_, _, _, err = w.chat(id, said, key)
		require.ErrorIs(t, err, threads.ErrUpstream)
		require.Len(t, w.texts(id), before+1)
		fail = nil
		_, _, _, err = w.chat(id, said, key)
		require.NoError(t, err)
		require.Len(t, w.texts(id), before+2)
		require.Equal(t, provider.Turn{User: true, Text: said}, got.Messages[len(got.Messages)-1])
		require.NotEqual(t, said, got.Messages[len(got.Messages)-2].Text, "said once")
	}
	for _, keys := range [][2]string{{"", "k3"}, {"k4", ""}, {"k5", "k6"}} { // as clients do that add keys for retries
		said := "Where did I live before? " + keys[0]
		before := len(w.texts(id))
		fail = failing()
		_, _, _, err = w.chat(id, said, keys[0])
		require.ErrorIs(t, err, threads.ErrUpstream)
		fail = nil
		_, _, _, err = w.chat(id, said, keys[1])
		require.NoError(t, err)
		require.Len(t, w.texts(id), before+2, "%q, then %q", keys[0], keys[1])
	}
	fail = &provider.Error{Kind: provider.UsedUp, Message: "used up"}
	_, _, _, err = w.chat(id, "more", "")
	require.ErrorIs(t, err, threads.ErrNoModel)
	for _, text := range []string{"", " ", "\xff", "a\x00"} {
		_, _, _, err = w.chat(id, text, "")
		require.ErrorIs(t, err, threads.ErrInvalid)
	}
	_, _, _, err = w.chat("11111111-2222-4333-8444-555555555555", "hello", "")
	require.ErrorIs(t, err, threads.ErrNotFound)
}

// TestChatBlank: a reply without a text is a failure of the model.
func TestChatBlank(t *testing.T) {
	w := newWorld(t, threads.Models{Chat: &scripted{chat: func(provider.Chat) (string, error) { return " \n", nil }}})
	id := w.thread()
	_, _, _, err := w.chat(id, "hello", "")
	require.ErrorIs(t, err, threads.ErrUpstream)
	require.Equal(t, []string{"hello"}, w.texts(id))
}

func TestChatWithoutModel(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	_, _, _, err := w.chat(id, "hello", "")
	require.ErrorIs(t, err, threads.ErrNoModel)
	require.Empty(t, w.texts(id))
}

func TestChatStream(t *testing.T) {
	w := newWorld(t, threads.Models{Chat: &streaming{}})
	id := w.thread()
	pieces, _, _, err := w.chat(id, "count", "k")
	require.NoError(t, err)
	require.Equal(t, []string{"one ", "two ", "three"}, pieces)
	require.Equal(t, []string{"count", "one two three"}, w.texts(id))
	gone := errors.New("the client is gone")
	_, _, err = w.Chat(w.ctx, w.user, id, "again", "", 0, func(string) error { return gone })
	require.ErrorIs(t, err, gone)
	require.Equal(t, []string{"count", "one two three", "again"}, w.texts(id))
}

// TestChatHasMemoryInLongTalks: a long conversation does not push memory out, and stays within bounds.
func TestChatHasMemoryInLongTalks(t *testing.T) {
	var got provider.Chat
	w := newWorld(t, threads.Models{Chat: &scripted{chat: func(c provider.Chat) (string, error) {
		got = c
		return "yes", nil
	}}})
	id := w.thread()
	w.state("I live in Rome near the river", "")
	for range 4 {
		var texts []string
		for i := range 50 {
			words := strings.Repeat("word ", 200)
			texts = append(texts, fmt.Sprintf("Words %d of a talk that goes on and on. %s", i, words))
		}
		w.say(id, texts...)
	}
	const question = "Do I live in Rome near the river?"
	_, _, err := w.Chat(w.ctx, w.user, id, question, "", 200, func(string) error { return nil })
	require.NoError(t, err)
	require.Contains(t, got.Memory, "I live in Rome near the river")
	size := 0
	for _, m := range got.Messages {
		size += len(m.Text)
	}
	require.Less(t, size, 60_000)
	require.Greater(t, len(got.Messages), 20)
}
