package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

// past is a version control that knows these versions of any file.
type past struct {
	versions []string
	err      error
	asked    *[]string
}

// Versions implements [audit.Past].
func (p past) Versions(_ context.Context, paths []string, fn func([]byte) bool) error {
	*p.asked = append(*p.asked, paths...)
	for _, text := range p.versions {
		if !fn([]byte(text)) {
			return nil
		}
	}
	return p.err
}

// TestALostFullTextComesBack recovers a full text from version control.
func TestALostFullTextComesBack(t *testing.T) {
	const lost = memory.ID("mem_00000002")
	full := "---\nid: mem_00000002\ntopic: Hint\nphase: 0\n---\n\n## Summary\nAll.\n\n## Content\nAll of it.\n"
	for name, c := range map[string]struct {
		versions []string
		err      error
		found    bool
	}{
		"at once": {[]string{full, strings.Replace(full, "All of it.", "An older text.", 1)}, nil, true},
		"behind what is not it": {[]string{
			"", "not a memory",
			strings.Replace(full, "phase: 0", "phase: 1", 1),
			strings.Replace(full, "phase: 0", "phase: 3", 1),
			strings.Replace(full, "mem_00000002", "mem_00000003", 1),
			strings.Replace(full, "All of it.\n", "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n", 1),
			full,
		}, nil, true},
		"nowhere":                 {[]string{strings.Replace(full, "phase: 0", "phase: 2", 1)}, nil, false},
		"no history to look into": {nil, errors.New("not in a work tree"), false},
		"found before an error":   {[]string{full}, errors.New("the rest is damaged"), true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBroken(t, "full_text_missing")
			var asked []string
			o := b.options()
			o.Past = past{c.versions, c.err, &asked}
			before := b.files()
			planned, err := engine.New(o).Fix(t.Context(), api.FixOptions{DryRun: true})
			require.NoError(t, err)
			require.Equal(t, before, b.files())
			require.Contains(t, asked, filepath.Join(b.dir, "memories", lost.File()))
			require.Contains(t, asked, filepath.Join(b.dir, "archives", lost.File()))
			done, err := engine.New(o).Fix(t.Context(), api.FixOptions{})
			require.NoError(t, err)
			requirePlan(t, planned, done)
			requireKept(t, before, b.files())
			if !c.found {
				require.NotContains(t, b.files(), "archives/mem_00000002.md")
				left := done.Left[0]
				require.Equal(t, "memories/mem_00000002.md", left.Where)
				require.Equal(t, memory.KindFoundLostForever, left.Reason[0].Kind)
				return
			}
			require.Contains(t, done.Actions, api.FixAction{Action: "recover", Target: string(lost),
				Reason: "the memory is fading (hint), and there is no archive of it; git has it"})
			require.Equal(t, full, b.files()["archives/mem_00000002.md"])
			require.NotContains(t, wheres(b.check().Problems), "memories/mem_00000002.md")
			_, err = b.engine().Restore(t.Context(), string(lost), "")
			require.NoError(t, err)
			require.Contains(t, b.files()["memories/mem_00000002.md"], "All of it.")
		})
	}
}

// TestALostFullTextIsFirstLookedForInTheArchives has an older version, and a version
// control that must not be asked for it.
func TestALostFullTextIsFirstLookedForInTheArchives(t *testing.T) {
	b := newBroken(t, "full_text_missing")
	var asked []string
	o := b.options()
	o.Past = past{asked: &asked}
	done, err := engine.New(o).Fix(t.Context(), api.FixOptions{})
	require.NoError(t, err)
	require.Equal(t, "mem_00000004", done.Actions[0].Target)
	require.NotContains(t, strings.Join(asked, " "), "mem_00000004")
	_, err = b.engine().Restore(t.Context(), "mem_00000004", "")
	require.NoError(t, err)
	require.Contains(t, b.files()["memories/mem_00000004.md"], "All of it.")
}
