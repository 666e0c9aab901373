//go:build e2e

package browser

import (
	"os"
	"path/filepath"
	"regexp"
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

			code := filepath.Join(s.dir, "db", "pool.go")
			require.NoError(t, os.MkdirAll(filepath.Dir(code), 0o755))
			require.NoError(t, os.WriteFile(code, []byte("package db\n"), 0o644))
			for _, topic := range []string{"The pool opens late", "The pool closes early"} {
				s.remember(topic, "See `db/pool.go`.", "--ref", "db/pool.go")
			}
			require.NoError(t, os.WriteFile(code, []byte("package db // changed\n"), 0o644))
			b.open("/memories?state=stale")
			b.click(`tbody tr:nth-child(1) input[type=checkbox]`)
			b.click(`tbody tr:nth-child(2) input[type=checkbox]`)
			b.follow(`button[value="verify"]`)
			require.Contains(t, b.text(".done"), "2 memories")
			require.Contains(t, s.ltm("stale"), "0 of 2 memories")
			b.follow(".done button")
			require.Equal(t, 2, len(b.all("tbody tr .stale")), "one undo takes back both")

			b.open("/memory/" + h.memory + "/edit")
			b.click(".header summary")
			b.fill("#header", "not a memory with a header")
			b.follow(".buttons button:first-child")
			require.NotEmpty(t, b.text("[role=alert]"))
			require.Equal(t, "not a memory with a header", b.value("#header"))

			b.open("/memory/" + h.memory + "/edit")
			file := filepath.Join(s.dir, ".claude", "ltm", "memories", h.memory+".md")
			whole, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, append(whole, "Another line, from elsewhere.\n"...), 0o644))
			if !l.noScript {
				b.click(".draft button") // what was refused was kept
			}
			b.fill("#text", b.value("#text")+"Mine.\n")
			b.follow(".buttons button:first-child")
			require.Contains(t, b.text("[role=alert]"), "changed meanwhile")
			require.Contains(t, b.text(".diff"), "from elsewhere")
			b.follow(".buttons button:first-child")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			ref := regexp.MustCompile(`refs:\n  - \{path: "db/pool.go", blob: "[0-9a-f]{40}"\}\n`)
			require.Regexp(t, ref, string(after), "the text names a file")
			require.Equal(t, string(whole)+"Mine.\n", ref.ReplaceAllString(string(after), ""))

			b.open("/new")
			b.fill("#topic", "Backups run at three")
			b.fill("#content", "In the **night**.")
			b.follow(".buttons button")
			require.Equal(t, "night", b.text(".text strong"))
			require.Contains(t, s.ltm("list"), "Backups run at three")

			b.open("/fading")
			b.follow(`button[value="restore"]`)
			require.Contains(t, s.ltm("list"), "A note of no use")

			require.NoError(t, os.WriteFile(file, []byte("<<<<<<< HEAD\n"+string(after)+"=======\n"+string(whole)+
				">>>>>>> other\n"), 0o644))
			b.open("/conflicts")
			require.Contains(t, b.text(".diff"), "Mine.")
			b.follow(`button[value="theirs"]`)
			resolved, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(whole), string(resolved))

			dir := filepath.Dir(file)
			one, two := filepath.Join(dir, "mem_0000000a.md"), filepath.Join(dir, "mem_0000000b.md")
			require.NoError(t, os.WriteFile(one, []byte("---\nno: ["), 0o644))
			b.open("/health")
			plan := b.value(`form[action$="fix"] input[name="plan"]`)
			require.NoError(t, os.WriteFile(two, []byte("---\nno: ["), 0o644))
			b.submit(`form[action$="fix"]`, "plan", plan) // the page may have another one by now
			require.Contains(t, b.text("[role=alert]"), "nothing was repaired")
			require.FileExists(t, two)
			b.follow(`form[action$="fix"] button`)
			require.Contains(t, b.text(".done"), "repaired in")
			require.NoFileExists(t, two)

			b.open("/memory/" + h.memory + "/edit")
			b.fill("textarea", string(whole)+"Ours.\n")
			s.ltm("forget", "--yes", h.memory)
			b.follow(".buttons button:first-child")
			require.Contains(t, b.text("[role=alert]"), "Your text was not stored")
			require.Contains(t, b.value("textarea"), "Ours.")
			b.shoot("gone")
			b.follow(`button[value="1"]`)
			require.Equal(t, "Pool size is 50 connections", b.value("#topic"))
			require.Contains(t, b.value("#content"), "Ours.")
			b.follow(".buttons button")
			require.Contains(t, b.text("article"), "Ours.")
			b.quiet()
		})
	}
}
