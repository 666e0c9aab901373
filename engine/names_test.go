package engine_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// fitsEverywhere reports whether a file of that name can be created, checked out and found again
// on every system. On Windows some names are devices whatever their extension, some characters
// are forbidden, trailing dots and spaces are dropped, and paths are limited to 260 characters.
func fitsEverywhere(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *$`)
	return name != "" && len(name) <= 100 && !device.MatchString(base) && !strings.ContainsAny(name, `<>:"/\|?*`) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) && !strings.HasSuffix(name, ".") &&
		!strings.HasSuffix(name, " ")
}

func TestFitsEverywhere(t *testing.T) {
	for name, want := range map[string]bool{
		"mem_1a2b3c4d.md": true, ".log.jsonl": true, "..log.jsonl.0123456789ab": true, "console": true, "com": true,
		"com10": true,
		"":      false, "CON": false, "nul.md": false, "Aux.tar.gz": false, "lpt1 .txt": false, "com¹": false,
		"a.": false, "a ": false, "a:b": false, `a\b`: false, "a?": false, "a\n": false, "é": false,
	} {
		require.Equal(t, want, fitsEverywhere(name), "%q", name)
	}
}

// TestNamesFitEverywhere writes files in every way, with outside names that some systems do not
// allow. Every file of the store must have a name that fits on every system, and no two names may
// differ only in case.
func TestNamesFitEverywhere(t *testing.T) {
	f := newEngine(t)
	var ids []memory.ID
	for _, topic := range []string{"CON", "nul.md", `a\b:c`, "trailing dot.", "Café", "CAFÉ"} {
		ids = append(ids, f.remember(topic, "The text of "+topic+" is long enough.\n\nAnd has more.", 0.1, "aux",
			"com1"))
	}
	for _, session := range []string{"CON", `C:\x`, "../x", "a:b", "A:B", "nul\x00"} {
		f.start(session)
		f.tools(session, 1, 1, 10)
		require.NoError(t, compacted(f.ctx, f, session))
	}
	_, err := f.SetConfig(f.ctx, "max_memories", "1", settings.Clone)
	require.NoError(t, err)
	_, err = f.SetConfig(f.ctx, "nudge", "off", settings.Team)
	require.NoError(t, err)
	require.NoError(t, f.EndSession(f.ctx, "CON"))
	_, err = f.Forget(f.ctx, string(ids[0]))
	require.NoError(t, err)
	_, err = f.Restore(f.ctx, string(ids[0]), "")
	require.NoError(t, err)
	_, err = f.Recall(f.ctx, api.Query{Text: "text", Limit: 5})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "memories", "broken.md"), []byte("x"), 0o644))
	_, err = f.Fix(f.ctx, api.FixOptions{})
	require.NoError(t, err)
	f.now = f.now.Add(48 * time.Hour)
	_, err = f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: time.Hour})
	require.NoError(t, err)

	seen := map[string]string{}
	require.NoError(t, filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		require.True(t, fitsEverywhere(d.Name()), "%q", path)
		require.Empty(t, seen[strings.ToLower(path)], "%q", path)
		seen[strings.ToLower(path)] = path
		return err
	}))
	require.Greater(t, len(seen), 15, "%v", seen)
}

// TestCheckedOutWithCRLF has git turn the line ends of every file, as it does on
// Windows with core.autocrlf: nothing is damaged, of elsewhere or without its
// archive, and a change keeps the line ends that it finds.
func TestCheckedOutWithCRLF(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Line ends", "One.\n\n```\ncode\n```\n\n- item", 0.5, "go")
	gone := f.remember("Another", "It was forgotten.", 0.5)
	_, err := f.Forget(f.ctx, string(gone))
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") || d.Name() == "state.json" ||
			d.Name() == "stats.json" || strings.Contains(path, ".cache") {
			return err
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(data), "\n", "\r\n")), 0o644)
	}))
	f.Engine = f.reopen(new(counter))
	block := f.start("s")
	require.Contains(t, block, "Line ends")
	require.NotContains(t, block, "elsewhere")
	require.NotContains(t, block, "\r")
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, report.OK, "%+v", report)
	detail, err := f.Get(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, "One.\n\n```\ncode\n```\n\n- item", detail.Content)

	topic := "Line ends of files"
	_, err = f.Update(f.ctx, string(id), api.Patch{Topic: &topic})
	require.NoError(t, err)
	_, data, err := f.File(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, strings.Count(string(data), "\n"), strings.Count(string(data), "\r\n"))
	_, err = f.Restore(f.ctx, string(gone), "")
	require.NoError(t, err)
	require.NotContains(t, f.start("s2"), "elsewhere")
}
