//go:build e2e

package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryAction carries out each action as a person would, without script and with it.
func TestEveryAction(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			var h seeded
			s := newSite(t, func(s *site) { h = harbor(s) })
			b := s.tab(l)
			b.meant = []string{"status of 422", "status of 409"}

			b.open("/memory/" + h.memory)
			b.follow(`button[value="forget"]`)
			require.Contains(t, b.text(".done"), "Pool size is 50 connections")
			require.NotContains(t, s.ltm("list"), "50 connections")
			b.follow(".done button")
			require.Contains(t, s.ltm("list"), "50 connections")

			b.open("/memories")
			b.click(`tbody tr:nth-child(1) input[type=checkbox]`)
			b.click(`tbody tr:nth-child(2) input[type=checkbox]`)
			b.fill(`.bulk input[name=tag]`, "harbor")
			b.follow(`button[value="tag"]`)
			require.Equal(t, 2, len(b.all(`a.tag[href$="tag=harbor"]`)))
			b.follow(".done button")
			require.Empty(t, b.all(`a.tag[href$="tag=harbor"]`), "one undo takes back what was one change")

			b.open("/memory/" + h.memory + "/edit")
			b.fill("textarea", "not a memory with a header")
			b.follow(".buttons button:first-child")
			require.NotEmpty(t, b.text("[role=alert]"))
			require.Contains(t, b.value("textarea"), "not a memory with a header")

			b.open("/memory/" + h.memory + "/edit")
			file := filepath.Join(s.dir, ".claude", "ltm", "memories", h.memory+".md")
			before, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, append(before, "Another line, from elsewhere.\n"...), 0o644))
			b.fill("textarea", string(before)+"Mine.\n")
			b.follow(".buttons button:first-child")
			require.Contains(t, b.text("[role=alert]"), "changed meanwhile")
			require.Contains(t, b.text(".diff"), "from elsewhere")
			b.follow(".buttons button:first-child")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(before)+"Mine.\n", string(after))

			b.open("/new")
			b.fill("#topic", "Backups run at three")
			b.fill("#content", "In the **night**.")
			b.follow(".buttons button")
			require.Equal(t, "night", b.text(".text strong"))
			require.Contains(t, s.ltm("list"), "Backups run at three")

			b.open("/fading")
			b.follow(`button[value="restore"]`)
			require.Contains(t, s.ltm("list"), "A note of no use")

			require.NoError(t, os.WriteFile(file, []byte("<<<<<<< HEAD\n"+string(after)+"=======\n"+string(before)+
				">>>>>>> other\n"), 0o644))
			b.open("/conflicts")
			require.Contains(t, b.text(".diff"), "Mine.")
			b.follow(`button[value="theirs"]`)
			resolved, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(before), string(resolved))
			b.quiet()
		})
	}
}
