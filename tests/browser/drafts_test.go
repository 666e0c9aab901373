//go:build e2e

package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestADraftIsOfItsProject: another one may have the same port later, and be opened in the same tab.
func TestADraftIsOfItsProject(t *testing.T) {
	s := newSite(t, nil)
	b := s.tab(look{})
	b.open("/new")
	b.fill("#topic", "Deploys go out on Tuesdays")
	s.end()
	port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(s.address)[1]
	other := &site{t: t, ctx: s.ctx, dir: filepath.Join(t.TempDir(), "inn"), home: s.home, output: &output{}, first: b}
	require.NoError(t, os.MkdirAll(other.dir, 0o755))
	other.serve("--port", port)
	b.do(chromedp.Navigate(other.address))
	b.until(`location.pathname === "/" && document.readyState === "complete"`)
	b.open("/new")
	require.Empty(t, b.value("#topic"))
	other.end()
	s.output = &output{}
	s.serve("--port", port)
	b.do(chromedp.Navigate(s.address))
	b.until(`location.pathname === "/" && document.readyState === "complete"`)
	b.open("/new")
	require.Equal(t, "Deploys go out on Tuesdays", b.value("#topic"), "it is still there")
}

// TestDraftsSurviveAReload until they are stored or dropped.
func TestDraftsSurviveAReload(t *testing.T) {
	s := newSite(t, nil)
	id := s.remember("Pool size is 20 connections", "Of each worker.")
	b := s.tab(look{})
	b.open("/new")
	b.fill("#topic", "Deploys go out on Tuesdays")
	b.fill("#content", "Never on a Friday.")
	b.do(chromedp.Reload())
	require.Equal(t, "Deploys go out on Tuesdays", eval[string](b, `document.querySelector("#topic").value`))
	require.Equal(t, "Never on a Friday.", eval[string](b, `document.querySelector("#content").value`))
	require.Contains(t, b.text(".draft"), "is here again")
	b.accessible()
	b.follow("form.edit button")
	b.until(`location.pathname.startsWith("/memory/") && document.readyState === "complete"`)
	b.open("/new")
	require.Empty(t, eval[string](b, `document.querySelector("#topic").value`), "it was stored")
	require.Zero(t, eval[int](b, `document.querySelectorAll(".draft").length`))

	edit := "/memory/" + id + "/edit"
	b.open(edit)
	given := eval[string](b, `document.querySelector("#text").value`)
	b.fill("#text", "half a sentence")
	s.ltm("update", id, "--content", "Of each worker, since March.")
	b.open(edit)
	require.Equal(t, "half a sentence", eval[string](b, `document.querySelector("#text").value`))
	b.click(".draft button")
	now := eval[string](b, `document.querySelector("#text").value`)
	require.Contains(t, now, "since March")
	require.NotEqual(t, given, now)
	b.open(edit)
	require.Equal(t, now, eval[string](b, `document.querySelector("#text").value`), "it was dropped")

	// The draft of an older text is refused, and shown with what it would undo.
	b.fill("#text", "half a sentence")
	s.ltm("update", id, "--content", "Of each worker, since May.")
	b.open(edit)
	b.click("form.edit button")
	b.until(`document.querySelector("[role=alert]") !== null && document.readyState === "complete"`)
	require.Contains(t, b.text("[role=alert]"), "changed meanwhile")
	require.Equal(t, "half a sentence", eval[string](b, `document.querySelector("#text").value`))
	require.Zero(t, eval[int](b, `document.querySelectorAll(".draft").length`))
}
