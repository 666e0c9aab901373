package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNobodyWaitsForABrowserThatWasNotStarted, because no browser was found, or it cannot be given a file.
func TestNobodyWaitsForABrowserThatWasNotStarted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("TMPDIR", dir)
	var asked atomic.Int32
	page := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer page.Close()
	a := &app{getenv: func(name string) string { return map[string]string{"BROWSER": "/does/not/exist"}[name] }}
	a.openAndAwait(t.Context(), page.URL)
	require.Zero(t, asked.Load(), "nobody asked whether the link was used")
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestTheFileForABrowserHasAnotherPlace if its first one cannot be written to, as with a home that is read-only.
func TestTheFileForABrowserHasAnotherPlace(t *testing.T) {
	dir := t.TempDir()
	file, err := writeRedirect("http://127.0.0.1:5861/", filepath.Join(dir, "none"), dir)
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(filepath.Dir(file)))
	require.FileExists(t, file)
	_, err = writeRedirect("http://127.0.0.1:5861/", filepath.Join(dir, "none"))
	require.Error(t, err)
}
