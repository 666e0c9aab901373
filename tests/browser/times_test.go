//go:build e2e

package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestTimesAreInTheReadersZone, as are the days by which charts count, and what the server wrote is beside them. A day
// alone is the same everywhere.
func TestTimesAreInTheReadersZone(t *testing.T) {
	s := newSite(t, func(s *site) {
		dir := filepath.Join(s.dir, ".claude", "ltm", "memories")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for id, at := range map[string]string{"mem_0000000a": "2026-03-01T20:30:00Z",
			"mem_0000000b": "2026-03-01T00:00:00Z"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, id+".md"), []byte("---\nid: "+id+"\ntopic: Pool "+id+
				"\ntags: []\nphase: 0\ndifficulty: 0.3\ncreated_at: \""+at+"\"\n---\n\n## Content\nFifty.\n"), 0o644))
		}
	})
	for zone, want := range map[string][2]string{"Asia/Tokyo": {"Mar 2, 2026, 5:30 AM", "Mar 1, 2026"},
		"America/Los_Angeles": {"Mar 1, 2026, 12:30 PM", "Mar 1, 2026"}} {
		b := s.tab(look{})
		b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetTimezoneOverride,
				emulation.SetTimezoneOverrideParams{TimezoneID: zone})
			return err
		}))
		for i, id := range []string{"mem_0000000a", "mem_0000000b"} {
			b.open("/memory/" + id)
			const shown = `document.querySelector(".facts time")`
			require.Equal(t, want[i], eval[string](b, shown+`.textContent.replaceAll("\u202f", " ")`))
			require.Contains(t, eval[string](b, shown+`.title`), "2026-03-01")
		}
		b.open("/time")
		require.Contains(t, eval[string](b, `document.querySelector("details .hint").textContent`),
			"Days begin at midnight in "+zone+".")
	}
	b := s.tab(look{noScript: true})
	b.open("/memory/mem_0000000a")
	require.Equal(t, "2026-03-01 20:30 UTC", b.text(".facts time"))
}
