package threads_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/threads"
)

// TestRetentionOfWhatWasImported: what is imported behind many newer events is as old as its file says.
func TestRetentionOfWhatWasImported(t *testing.T) {
	w := newWorld(t, threads.Models{})
	app, err := w.store.Threads().AppOf(w.ctx, "app")
	require.NoError(t, err)
	app.Settings.Retention = 24 * time.Hour
	require.NoError(t, w.store.Threads().UpdateApp(w.ctx, app))
	id := w.thread()
	w.say(id, talk("garden", 300)...)
	w.drain()
	file, _, err := convert("zep", "", `{"sessions":[{"session_id":"s","user_id":"ann","created_at":"2026-01-01T00:00:00Z"}],
		"messages":[{"uuid":"11111111-1111-4111-8111-111111111119","session_id":"s","role_type":"user",
		"content":"An old boat.","created_at":"2026-01-02T00:00:00Z"}]}`)
	require.NoError(t, err)
	_, err = w.Import(w.ctx, w.who, strings.NewReader(file))
	require.NoError(t, err)
	n, err := w.Retain(w.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Len(t, w.texts(id), 600)
}
