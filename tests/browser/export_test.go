//go:build e2e

package browser

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestFilesOfThePage are read without a server: with their style, from one to the next.
func TestFilesOfThePage(t *testing.T) {
	var h seeded
	s := newSite(t, func(s *site) { h = harbor(s) })
	dir := filepath.Join(t.TempDir(), "pages")
	s.ltm("ui", "--export", dir)
	b := s.tab(look{})
	at := "file://" + filepath.ToSlash(dir) + "/"
	b.do(chromedp.Navigate(at + "index.html"))
	b.follow(`a[href="./memories.html"]`)
	require.Contains(t, b.text("main"), "Deploys go out on Tuesdays")
	b.follow(`a[href="./memory-1.html#` + h.memory + `"]`)
	require.Contains(t, b.text("#"+h.memory+" h1"), "Pool size is 50 connections")
	require.Equal(t, 1, eval[int](b, `[...document.querySelectorAll(".sheet")].filter(e => e.offsetHeight > 0).length`))
	paper := `getComputedStyle(document.body).backgroundColor`
	require.Equal(t, "rgb(251, 250, 247)", eval[string](b, paper), "the style is there")
	b.fits()
	b.follow(`nav a[href="./graph.html"]`)
	require.Contains(t, b.text("main"), "Pool size is 20 connections")
	b.mu.Lock()
	require.Empty(t, b.trouble)
	b.mu.Unlock()
	for _, name := range []string{"index.html", "memories.html", "memory-1.html#" + h.memory,
		"graph.html"} { // axe asks for the style again
		b.do(chromedp.Navigate(at + name))
		b.accessible()
	}
}
