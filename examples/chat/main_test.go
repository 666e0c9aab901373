package main

import (
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// TestChat talks in two conversations: the second one knows what was said in the first.
func TestChat(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "ltm.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	memory, err := threads.New(threads.Options{Storage: store.Threads(), Now: time.Now, Random: rand.Reader})
	require.NoError(t, err)
	now := time.Now()
	key, err := server.NewKey(rand.Reader)
	require.NoError(t, err)
	require.NoError(t, store.Threads().CreateApp(ctx, threads.App{ID: "A", Name: "demo", CreatedAt: now}))
	require.NoError(t, store.Threads().CreateKey(ctx, threads.Key{ID: "K", App: "A", Hash: server.Hash(key),
		CreatedAt: now}))
	s, err := server.New(server.Options{Storage: store, Memory: memory})
	require.NoError(t, err)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	file := filepath.Join(dir, "key")
	require.NoError(t, os.WriteFile(file, []byte(key+"\n"), 0o600))

	var out strings.Builder
	args := []string{"-url", h.URL, "-key-file", file, "-user", "ann"}
	lines := "My cat is called Socks.\n\n/new\nWhat is the cat called?\n"
	require.NoError(t, run(ctx, args, strings.NewReader(lines), &out))
	replies := strings.Split(out.String(), "> ")
	require.Equal(t, "I remember nothing about that.\n", replies[1])
	require.Contains(t, out.String(), "My cat is called Socks.", "of the conversation before")

	require.ErrorContains(t, run(ctx, append(args, "-model"), strings.NewReader("Hello!\n"), &out), "503",
		"the server has no model")
	require.ErrorContains(t, run(ctx, nil, nil, &out), "-key-file")
}
