package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
)

func TestFolder(t *testing.T) {
	long := "/" + strings.Repeat("a/", 120)
	for path, want := range map[string]string{
		"/home/ana/my_app.v2": "-home-ana-my-app-v2",
		"/home/ana/日本/é😀":     "-home-ana-------",
		`C:\work\app`:         "C--work-app",
		long:                  "-" + strings.Repeat("a-", 99) + "a-nkcon3",
	} {
		require.Equal(t, want, records.Folder(path), path)
	}
}

// TestARecordOfAResumedSession has the one that was written since the server began.
func TestARecordOfAResumedSession(t *testing.T) {
	dir, began := t.TempDir(), time.Now()
	put := func(project, session string, at time.Time) string {
		path := filepath.Join(dir, records.Folder(project), session+".jsonl")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
		require.NoError(t, os.Chtimes(path, at, at))
		return path
	}
	here := filepath.Join(dir, "shop")
	r := records.Running{Dirs: records.Dirs{dir}, Project: here, Began: began}
	_, ok := r.Find("unknown")
	require.False(t, ok)
	put(here, "yesterday", began.Add(-time.Hour))
	put(here+"2", "elsewhere", began.Add(time.Second))
	_, ok = r.Find("unknown")
	require.False(t, ok)
	resumed := put(here, "resumed", began.Add(time.Second))
	path, ok := r.Find("unknown")
	require.True(t, ok)
	require.Equal(t, resumed, path)
	path, ok = r.Find("yesterday")
	require.True(t, ok)
	require.Contains(t, path, "yesterday", "it is known by its id")
	_, ok = r.Find("")
	require.False(t, ok, "no session asks")
	put(here, "another", began.Add(2*time.Second))
	_, ok = r.Find("unknown")
	require.False(t, ok, "two sessions are at work")
}
