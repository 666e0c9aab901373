package busyfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/internal/fs/busyfile"
)

func TestTry(t *testing.T) {
	busy, broken := errors.New("busy"), errors.New("broken")
	ms := func(n ...int) (all []time.Duration) {
		for _, n := range n {
			all = append(all, time.Duration(n)*time.Millisecond)
		}
		return all
	}
	for _, tt := range []struct {
		name   string
		errs   []error // the result of each try; the last one is repeated
		want   error
		pauses []time.Duration
	}{
		{"succeeds at once", []error{nil}, nil, nil},
		{"fails for good", []error{broken}, broken, nil},
		{"succeeds later", []error{busy, nil}, nil, ms(1)},
		{"succeeds much later", []error{busy, busy, busy, nil}, nil, ms(1, 2, 4)},
		{"is refused, then fails for good", []error{busy, broken}, broken, ms(1)},
		{"is always refused", []error{busy}, busy, ms(1, 2, 4, 8, 8, 7)}, // 30 in all
	} {
		t.Run(tt.name, func(t *testing.T) {
			tries := 0
			var pauses []time.Duration
			p := busyfile.Patience{Total: 30 * time.Millisecond, First: time.Millisecond, Longest: 8 * time.Millisecond,
				Sleep: func(d time.Duration) { pauses = append(pauses, d) }}
			err := p.Try(func() error {
				tries++
				return tt.errs[min(tries, len(tt.errs))-1]
			}, func(err error) bool { return errors.Is(err, busy) })
			require.Equal(t, tt.want, err)
			require.Equal(t, tt.pauses, pauses)
			require.Equal(t, len(pauses)+1, tries)
		})
	}
	t.Run("no time", func(t *testing.T) {
		tries := 0
		require.ErrorIs(t, busyfile.Patience{}.Try(func() error {
			tries++
			return busy
		}, func(error) bool { return true }), busy)
		require.Equal(t, 1, tries)
	})
}

func TestPassingCode(t *testing.T) {
	for code, want := range map[uint32]bool{
		0:    false,
		2:    false, // the file is not there
		5:    true,  // access denied
		32:   true,  // another process uses it
		33:   true,  // another process has locked a part of it
		112:  false, // the disk is full
		145:  false, // the directory is not empty
		303:  true,  // it is about to be removed
		1224: true,  // another process has mapped it
	} {
		require.Equal(t, want, busyfile.PassingCode(code), "%d", code)
	}
}

// TestOpenFiles renames over a file, and removes it, while this process reads it
// as ltm does.
func TestOpenFiles(t *testing.T) {
	emulated.SkipUnderWine(t, "8.0 does not rename over or remove a file that is open, whatever its reader shares")
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	for name, text := range map[string]string{"old": "one", "new": "two"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	reader, err := root.Open("old")
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, busyfile.Rename(root, "new", "old"))
	data, err := root.ReadFile("old")
	require.NoError(t, err)
	require.Equal(t, "two", string(data))
	require.NoError(t, busyfile.Remove(root, "old"))
	require.NoFileExists(t, filepath.Join(dir, "old"))
	require.ErrorIs(t, busyfile.Remove(root, "old"), os.ErrNotExist)
	require.ErrorIs(t, busyfile.Rename(root, "old", "new"), os.ErrNotExist)
}
