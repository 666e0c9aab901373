//go:build e2e

package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestTimeHasCommitsAndValues counts what commits changed, and says what the heights of its pictures stand for.
func TestTimeHasCommitsAndValues(t *testing.T) {
	s := newSite(t, func(s *site) {
		harbor(s)
		s.linked(7)
		s.git("add", "-A")
		s.git("commit", "-qm", "Seven parts")
	})
	for _, width := range []int64{1440, 1024, 390} {
		for _, dark := range []bool{false, true} {
			b := s.tab(look{width: width, dark: dark})
			b.open("/time")
			require.Regexp(t, `commit [0-9a-f]{10} by Ada: 7 added\s*Seven parts`, b.text(".history"))
			require.Contains(t, eval[string](b, `document.querySelector('[aria-labelledby="commits"] g title').textContent`),
				" added")
			require.Equal(t, []string{"20", "10", "0"}, b.all(`[aria-labelledby="commits"] .values span`))
			require.Len(t, b.all(`[aria-labelledby="commits"] .dates span`), 5)
			require.Equal(t, "", eval[string](b, `[...document.querySelectorAll(".axis span")].filter((a, i, all) => {
				const of = a.getBoundingClientRect(), next = all[i + 1]?.getBoundingClientRect();
				return next && a.parentElement === all[i + 1].parentElement && of.left < next.right && next.left < of.right &&
					of.top < next.bottom && next.top < of.bottom;
			}).map(a => a.textContent).join()`), "no value covers another")
			b.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true`))
			b.fits()
			b.spotless()
			b.quiet()
		}
	}
}

// TestTimeGroupsEvictions has a row for what one session evicted, which opens.
func TestTimeGroupsEvictions(t *testing.T) {
	s := newSite(t, func(s *site) {
		for i := range 12 {
			s.remember(fmt.Sprintf("Note %d", i), fmt.Sprintf("It is about part %d of %d.", i, i*i))
		}
		s.ltm("config", "max_memories", "4")
		s.ltm("evict")
	})
	b := s.tab(look{})
	b.open("/time")
	require.Regexp(t, `evicted \d+ memories`, b.text(".history li:has(details)"))
	const listed = `document.querySelector(".history details ul").checkVisibility({contentVisibilityAuto: true})`
	require.False(t, eval[bool](b, listed))
	b.click(".history details summary")
	require.True(t, eval[bool](b, listed))
	require.Regexp(t, `Note \d+`, b.text(".history details ul"))
}
