//go:build e2e

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// views are the addresses of the views of a site that [harbor] filled, %s being the id of a memory, %p that of a
// packet and %c that of a candidate.
var views = []string{"/", "/memories", "/memories?q=pool+size", "/memory/%s", "/memory/%s/edit", "/new",
	"/graph?of=%s&depth=2", "/graph?all", "/fading", "/review", "/trust", "/trust?scope=user", "/stale",
	"/conflicts", "/health",
	"/candidates", "/candidate/%c/edit", "/tidy", "/tidy?why=disputed", "/file?path=db/pool.go&line=1",
	"/new?supersedes=%s", "/health?doctor=1", "/time", "/packets", "/packet/%p", "/words"}

// looks are the ways in which each view is looked at.
var looks = map[string]look{"wide": {width: 1440}, "wide and dark": {width: 1440, dark: true}, "middle": {width: 1024},
	"middle and dark": {width: 1024, dark: true}, "narrow": {width: 390}, "narrow and dark": {width: 390, dark: true},
	"no script": {noScript: true}}

// seeded is what [harbor] stored: the ids of a memory with links, of a packet and of a candidate.
type seeded struct{ memory, packet, candidate string }

// harbor fills a store with what a project remembers.
func harbor(s *site) seeded {
	old := s.remember("Pool size is 20 connections", "The database takes 20 connections of each worker.",
		"--tag", "db", "--importance", "important")
	id := s.remember("Pool size is 50 connections", "Since the move to the larger box:\n\n- 50 connections a worker\n"+
		"- `db/pool.go` has the number\n\n| box | connections |\n|---|---|\n| small | 20 |\n| large | 50 |\n",
		"--tag", "db,performance", "--importance", "critical", "--related", old)
	s.remember("Deploys go out on Tuesdays",
		"Never on a Friday: [why](https://example.org/why) <script>alert(1)</script>", "--related", id)
	s.remember("Tests need Redis on port 6380", "CI starts it; on a laptop `make redis` does.", "--tag", "tests")
	s.remember("A person's own habit", "Short commit messages.", "--user")
	s.ltm("forget", s.remember("A note of no use", "Gone soon."))
	written := s.ltm("write", "--goal", "Move the pool to the larger box", "--next", "Measure 50 connections")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "remember")
	return seeded{id, regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`).FindString(written),
		s.propose("Never edit files below gen by hand")[0]}
}

// crowd adds what harbor has none of: a file that is referred to, memories from elsewhere, in dispute and alike, and an
// unresolved merge.
func (s *site) crowd(h seeded) {
	require.NoError(s.t, os.MkdirAll(filepath.Join(s.dir, "db"), 0o755))
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, "db", "pool.go"), []byte("package db\n"), 0o644))
	s.remember("Pool size is 70 connections", "As `db/pool.go:1` has it, not "+h.memory+".", "--disputes", h.memory)
	const text = "Redis for the tests in staging listens on port %d of the box."
	s.remember("Redis listens in staging", fmt.Sprintf(text, 6379))
	s.remember("Redis of staging", fmt.Sprintf(text, 6380))
	s.ltm("trust", "--revoke", s.remember("Ships enter by the north gate", "The pilot boards there."))
	s.rewrite(s.remember("Size of the other pool", "It takes 20 connections a worker."), quarrel)
}

// at puts the ids into the address of a view.
func (h seeded) at(view string) string {
	return strings.NewReplacer("%s", h.memory, "%p", h.packet, "%c", h.candidate).Replace(view)
}

// small is what can be pressed and is lower than 24 px, beside links in running text.
const small = `[...document.querySelectorAll("a, button, input, select, summary")].filter((e) => {
	const { height } = e.getBoundingClientRect();
	return height > 0 && height < 24 && !e.closest(".text, svg, .skip");
}).map((e) => e.outerHTML.slice(0, 200))`

func TestViewsAreForEverybody(t *testing.T) {
	var h seeded
	s := newSite(t, func(s *site) { h = harbor(s); s.crowd(h) })
	for name, l := range looks {
		t.Run(name, func(t *testing.T) {
			b := s.tab(l)
			b.t = t
			for _, view := range views {
				b.open(h.at(view))
				b.fits()
				if !l.noScript {
					eval[chromedp.Void](b, `for (const d of document.querySelectorAll("details")) d.open = true`)
					b.fits()
					b.spotless()
				}
				if l.width == 390 {
					require.Empty(t, eval[[]string](b, small), "smaller than 24 px: %s", view)
				}
			}
			b.quiet()
		})
	}
}

// TestPrintedTables have their heads above what they are of, and nothing to press.
func TestPrintedTables(t *testing.T) {
	s := newSite(t, func(s *site) { harbor(s) })
	b := s.tab(look{})
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	for _, view := range []string{"/", "/memories", "/trust?scope=user", "/fading"} {
		b.open(view)
		require.Empty(t, eval[string](b, `[...document.querySelectorAll("table.list")].filter(t => {
			const shown = (row) => [...row.cells].filter(c => c.offsetWidth > 0).length;
			return shown(t.tHead.rows[0]) !== shown(t.tBodies[0].rows[0]);
		}).map(t => t.textContent).join("")`), view)
		require.Zero(t, eval[int](b, `[...document.querySelectorAll(".bulk, .button")].filter(e => e.offsetWidth > 0).length`))
	}
}
