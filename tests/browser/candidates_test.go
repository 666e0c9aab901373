//go:build e2e

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// propose has a session for each rule in which a person stated it, and returns the ids of the candidates that it left.
func (s *site) propose(rules ...string) (ids []string) {
	s.t.Helper()
	dir := filepath.Join(s.home, ".claude", "projects", regexp.MustCompile("[^A-Za-z0-9]").ReplaceAllString(s.dir, "-"))
	require.NoError(s.t, os.MkdirAll(dir, 0o755))
	for _, rule := range rules {
		line := fmt.Sprintf(`{"type":"user","message":{"content":%q}}`+"\n", rule)
		name := strings.ReplaceAll(rule, " ", "-") + ".jsonl"
		require.NoError(s.t, os.WriteFile(filepath.Join(dir, name), []byte(line), 0o644))
	}
	s.ltm("review", "--sessions", "--yes")
	for _, rule := range rules {
		row := regexp.MustCompile(`(?m)^(cand_\w+)\t.*\t` + rule + `$`).FindStringSubmatch(s.ltm("review"))
		require.NotNil(s.t, row, rule)
		ids = append(ids, row[1])
	}
	return ids
}

// TestCandidatesAreReviewed accepts, edits and drops what sessions left, and takes it back, with script and without.
func TestCandidatesAreReviewed(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			var ids []string
			s := newSite(t, func(s *site) {
				s.remember("Pool size is 20 connections", "Of each worker.")
				ids = s.propose("Never edit files below gen by hand", "Always run the linter first",
					"Never rebase main", "Always sign commits")
			})
			b := s.tab(l)
			b.meant = []string{"status of 404"}
			b.open("/candidates")
			require.Len(t, b.all("section h2"), 4)
			of := func(id, what string) string {
				return `section[aria-labelledby="` + id + `"] button[value="` + what + `"]`
			}

			b.follow(of(ids[0], "drop"))
			require.Len(t, b.all("section h2"), 3)
			require.Contains(t, b.text(".done"), "Dropped a candidate")
			b.follow(".done button")
			require.Contains(t, b.text(".done"), "Proposed again")
			require.Len(t, b.all("section h2"), 4)

			b.follow(of(ids[1], "accept"))
			require.Contains(t, s.ltm("list"), "Always run the linter first")
			b.follow(".done button")
			require.NotContains(t, s.ltm("list"), "Always run the linter first")
			require.Contains(t, s.ltm("review"), ids[1], "it is proposed again")
			require.Len(t, b.all("section h2"), 4)

			b.follow(`a[href$="candidate/` + ids[2] + `/edit"]`)
			b.fill("#topic", "Never rebase main or release")
			b.fill("input[name=tags]", "git, team")
			b.follow(".buttons button")
			require.Contains(t, b.text("article"), "Never rebase main or release")
			b.open("/candidates")
			require.Contains(t, s.ltm("list", "--tag", "team"), "Never rebase main or release")
			require.Len(t, b.all("section h2"), 3)

			s.ltm("review", "--drop", ids[3])
			if !l.noScript {
				b.until(`document.querySelectorAll("section h2").length === 2`)
			}
			b.open("/candidates")
			require.Len(t, b.all("section h2"), 2)
			b.open("/candidate/" + ids[0] + "/edit")
			b.fill("#content", "Mine alone.")
			s.ltm("review", "--drop", ids[0])
			b.follow(".buttons button")
			require.Contains(t, b.text("[role=alert]"), "dropped or changed, here or elsewhere")
			require.Contains(t, b.value("#content"), "Mine alone.")
			b.follow(".buttons button")
			require.Contains(t, b.text("article"), "Mine alone.")
			b.quiet()
		})
	}
}
