//go:build e2e

package browser

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTwoAreMadeOne in three clicks, taken back by one, told apart and corrected, with script and without.
func TestTwoAreMadeOne(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			var one, two string
			s := newSite(t, func(s *site) {
				const text = "The cache is warmed by the worker at start, in parallel, from the last snapshot on disk"
				one = s.remember("The cache is warmed at start", text+", within ten seconds.", "--tag", "cache",
					"--alias", "who fills the cache?")
				two = s.remember("Cache warming happens at start", text+", within ten seconds or so.", "--tag", "start")
				s.ltm("trust", "--revoke", s.remember("Ships enter by the north gate", "The pilot boards there."))
			})
			b := s.tab(l)
			if l.noScript {
				b.open("/review") // which counts
				b.open("/")
			}
			b.until(`document.querySelector(".waiting a[href$=tidy]") !== null`)
			b.follow(`.waiting a[href$="tidy"]`)
			require.Len(t, b.all(".group"), 1)
			b.follow(`.group a[href*="merge="]`)
			require.Contains(t, b.value("#content"), "The cache is warmed by the worker")
			require.Len(t, b.all(".beside article"), 2, "both texts are beside it")
			b.fits()
			b.fill("#content", "The worker warms it, in ten seconds.")
			b.follow(".edit .buttons button")
			require.Contains(t, b.text("article .text"), "The worker warms it, in ten seconds.")
			found := s.ltm("recall", "who fills the cache?")
			require.Contains(t, found, "The worker warms it", "aliases are kept")
			require.False(t, strings.Contains(s.ltm("list"), one) && strings.Contains(s.ltm("list"), two))
			b.follow(".done button")
			require.Contains(t, s.ltm("list"), one)
			require.Contains(t, s.ltm("list"), two)
			require.NotContains(t, s.ltm("recall", "who fills the cache?"), "The worker warms it")

			b.open("/memory/" + one)
			b.follow(`.links a[href*="merge="]`)
			require.Equal(t, "The cache is warmed at start", b.value("#topic"))
			b.open("/tidy")
			b.follow(`.group a[href*="supersedes="]`)
			require.Contains(t, "start cache", b.value("input[name=tags]"))
			b.open("/tidy")
			b.follow(`.group button[value="apart"]`)
			require.Contains(t, b.text(".done"), "Not the same")
			require.Empty(t, b.all(".group"))
			require.Contains(t, s.ltm("tidy", "--list"), "nothing to tidy")

			b.open("/new?supersedes=" + one)
			b.fill("#content", "It is not warmed any more.")
			b.follow(".edit .buttons button")
			require.Contains(t, b.text("article .text"), "It is not warmed any more.")
			found = s.ltm("recall", "who fills the cache?")
			require.Contains(t, found, "It is not warmed any more.", "the alias was kept")
			b.quiet()
		})
	}
}

// TestOnlyWhatIsAcceptedIsOffered of a group that is too large to be decided on at once, and of one with an unresolved
// merge.
func TestOnlyWhatIsAcceptedIsOffered(t *testing.T) {
	s := newSite(t, func(s *site) {
		const text = "Ship %d enters by the north gate when the tide is high and no other ship is near the pier.\n"
		s.linked(300)
		for i := range 300 {
			id := fmt.Sprintf("mem_%08x", i)
			s.rewrite(id, func(file []byte) []byte {
				head, _, _ := bytes.Cut(file, []byte("related:"))
				head, _, _ = bytes.Cut(head, []byte("\n---\n"))
				body := "\n\n## Summary\n" + fmt.Sprintf(text, i) + "\n## Content\n" + fmt.Sprintf(text, i)
				return append(append(head, "\n---"...), body...)
			})
		}
		s.ltm("trust", "--all", "--yes")
		s.remember("Redis listens in staging", "Redis for the tests in staging listens on port 6379 of the box.")
		s.rewrite(s.remember("Redis of staging", "Redis for the tests in staging listens on port 6380 of the box."),
			quarrel)
		const clock = "The clock of the tower is wound on Sundays by the keeper, with the key from the office"
		s.remember("The tower's clock is wound", clock+".")
		s.ltm("trust", "--revoke", s.remember("Who winds the tower's clock", clock+" downstairs."))
	})
	b := s.tab(look{})
	b.meant = []string{"status of 404"} // the form may be asked for again while it is being sent
	b.open("/tidy")
	require.Len(t, b.all(".group"), 3)
	elsewhere := `.group:has(.foreign) .buttons `
	require.Len(t, b.all(elsewhere+`a[href$="trust"]`), 1)
	require.Len(t, b.all(elsewhere+`[value="apart"]`), 1)
	require.Empty(t, b.all(elsewhere+`:is([value="keep"], a[href*="merge="])`))
	require.Less(t, eval[int](b, `document.documentElement.outerHTML.length`), 100_000)
	large := `.group:has(.count)`
	require.Len(t, b.all(large+" li"), 24)
	require.Equal(t, "276 more of them follow when these are done.", b.text(large+" .count"))
	require.Empty(t, b.all(large+` [value="keep"]`))
	require.Empty(t, b.all(`.group:has(.unresolved) :is([value="keep"], [value="apart"], a[href*="merge="])`))
	b.spotless()
	b.follow(large + ` button[value="apart"]`)
	require.Contains(t, b.text(".done"), "Not the same: 24 memories")
	b.follow(large + ` a[href*="merge="]`)
	require.Len(t, b.all(".beside article"), 24)
	b.follow(".edit .buttons button")
	require.Contains(t, b.text(".done"), "Merged")
	b.open("/tidy")
	b.follow(`.group:has(.unresolved) .buttons a`)
	require.Contains(t, b.text("h1"), "Merges")
	b.quiet()
}
