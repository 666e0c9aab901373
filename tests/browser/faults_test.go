//go:build e2e

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// enter presses Enter in the element that a CSS selector names.
func (b *tab) enter(selector string) {
	b.t.Helper()
	b.do(chromedp.Focus(chromedp.CSS(selector)))
	b.strike(kb.Enter)
}

// checked counts the rows that are selected.
const checked = `document.querySelectorAll("tbody input[name=id]:checked").length`

// cloned makes the project a clone of one in which Mira stored memories, and returns their ids.
func (s *site) cloned(n int) (ids []string) {
	s.t.Helper()
	s.git("config", "user.name", "Mira")
	for i := range n {
		topic := fmt.Sprintf("Rule %d of the harbor", i)
		ids = append(ids, s.remember(topic, fmt.Sprintf("Ship %d goes first.", i*i+7)))
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "remember")
	theirs := s.dir + "-theirs"
	require.NoError(s.t, os.Rename(s.dir, theirs))
	s.dir = filepath.Dir(theirs)
	s.git("clone", "-q", theirs, filepath.Join(s.dir, "shop"))
	s.dir = filepath.Join(s.dir, "shop")
	s.git("config", "user.name", "Ada")
	s.git("config", "user.email", "ada@example.org")
	return ids
}

// TestACloneSaysWhoseItsMemoriesAre in each view, and lets a person approve or reject them where they are read.
func TestACloneSaysWhoseItsMemoriesAre(t *testing.T) {
	var ids []string
	s := newSite(t, func(s *site) { ids = s.cloned(6); s.remember("Ada's own rule", "She wrote it here.") })
	b := s.tab(look{})
	for view, n := range map[string]int{"/": 6, "/memories": 6, "/memories?q=rule": 6,
		"/memories?state=from+elsewhere": 6} {
		b.open(view)
		require.Len(t, b.all("main .mark.foreign"), n, view)
	}
	b.open("/memory/" + ids[0])
	require.Len(t, b.all("main .mark.foreign"), 1)
	require.Equal(t, "Reject", b.text(`button[value="forget"]`))
	b.follow(`button[value="approve"]`)
	require.Contains(t, b.text(".done"), "Approved")
	require.Empty(t, b.all("main .mark.foreign"))

	b.open("/trust")
	require.Contains(t, b.text("tbody tr"), "Mira")
	require.Contains(t, b.text("tbody tr .passage"), "goes first.")
	require.NotEmpty(t, b.all("tbody tr time"))
	b.enter(`tbody tr:nth-child(1) input[name=id]`)
	require.True(t, eval[bool](b, `!document.querySelector(".done")`), "Enter on a checkbox presses nothing")
	require.True(t, eval[bool](b, `[...document.querySelectorAll(".bulk button")].every(e => e.disabled)`))
	b.click("[data-all]")
	b.follow(`.bulk button[value="approve"]`)
	require.Contains(t, b.text(".done"), "5 memories")
	require.Contains(t, s.ltm("trust"), "everything was written or approved in this clone")
	s.rewrite(ids[1], func(text []byte) []byte { return append(text, "Since May.\n"...) })
	s.git("-c", "user.name=Bob", "commit", "-q", "-a", "-m", "change one")
	b.open("/trust")
	require.Equal(t, "Mira changed by Bob", strings.Join(strings.Fields(b.text("tbody td:nth-child(3)")), " "))
	b.quiet()
}

// TestEnterDoesWhatTheFieldIsFor, and says in the bar what was done, and by an undo what came back.
func TestEnterDoesWhatTheFieldIsFor(t *testing.T) {
	var id string
	s := newSite(t, func(s *site) {
		id = s.remember("Ships 🚢 wait outside", "They anchor there.", "--importance", "important")
		s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	})
	b := s.tab(look{})
	b.open("/memories?sort=topic")
	b.enter(`tbody tr:nth-child(1) input[name=id]`)
	b.click(`tbody tr:nth-child(1) input[name=id]`)
	require.Equal(t, 1, eval[int](b, checked))
	b.fill(`.bulk input[name=tag]`, "harbor")
	b.leave("Enter", chromedp.Func(func(context.Context, *chromedp.Target) error { b.strike(kb.Enter); return nil }))
	require.Contains(t, b.text(".done"), "Tagged Deploys go out on Tuesdays")
	require.Empty(t, b.all("tbody .importance-critical"))
	b.follow(".done button")
	require.Equal(t, []string{"Tags as before Deploys go out on Tuesdays"}, b.trimmed(".done"), "no bar is empty")

	b.open("/memory/" + id)
	for range 2 {
		value := b.value("[data-key=p]")
		b.strike("p")
		b.until(`document.readyState === "complete" && document.querySelector("[data-key=p]").value !== "` + value + `"`)
	}
	require.Contains(t, b.text(".done"), "Unpinned Ships")
	require.NotEmpty(t, b.all("h1 + .meta .importance-important"), "it is as important as before")

	for text, rows := range map[string]int{"🚢": 1, id: 1, id[:9]: 1, "zeppelin": 0} {
		b.open("/memories")
		b.fill("input[type=search]", text)
		b.until(`new URLSearchParams(location.search).get("q") === "` + text + `"`)
		require.Len(t, b.all("#results [data-row]"), rows, text)
	}
	b.do(chromedp.Focus(chromedp.CSS("input[type=search]")))
	b.strike(kb.Escape)
	b.until(`location.search === "" && document.querySelectorAll("#results [data-row]").length === 2`)

	b.open("/memory/" + id + "/edit")
	require.Equal(t, "## Summary\nThey anchor there.\n\n## Content\nThey anchor there.\n", b.value("#text"))
	require.False(t, eval[bool](b, `document.querySelector(".header").open`), "what ltm notes of it is out of the way")
	b.click(".header summary")
	b.fill("#header", "no header")
	b.meant = []string{"status of 422"}
	b.follow(`button[name=preview]`)
	require.NotEmpty(t, b.text("[role=alert]"), "a preview refuses what Save refuses")
	require.Equal(t, "no header", b.value("#header"))
	b.quiet()
}

// trimmed returns the texts of elements, without their buttons and with single spaces.
func (b *tab) trimmed(selector string) (texts []string) {
	b.t.Helper()
	for _, text := range b.all(selector) {
		texts = append(texts, strings.TrimSuffix(strings.Join(strings.Fields(text), " "), " Undo"))
	}
	return texts
}

// TestAnUnresolvedMergeShowsEverywhere, and nobody approves it with its marks.
func TestAnUnresolvedMergeShowsEverywhere(t *testing.T) {
	var id string
	s := newSite(t, func(s *site) {
		id = s.remember("Pool size", "It takes 20 connections a worker.")
		s.rewrite(id, quarrel)
	})
	b := s.tab(look{})
	for _, view := range []string{"/", "/memories?q=pool", "/memory/" + id, "/memories", "/trust"} {
		b.open(view)
		require.NotEmpty(t, b.all("main .mark.unresolved"), view)
		require.NotContains(t, b.text("main"), "<<<<<<<", view)
	}
	require.Empty(t, b.all(`tbody input[name=id]`))
	b.open("/memory/" + id)
	require.Empty(t, b.all(`button[value="approve"]`))
	b.quiet()
	narrow := s.tab(look{width: 390})
	narrow.open("/conflicts")
	narrow.fits()
	require.True(t, eval[bool](narrow, `document.querySelector(".diff").closest(".scroll").scrollWidth <= innerWidth`))
	narrow.accessible()
}

// TestTheReaderKeepsTheirPlace after an action, and after Back.
func TestTheReaderKeepsTheirPlace(t *testing.T) {
	s := newSite(t, func(s *site) {
		for i := range 30 {
			s.remember(fmt.Sprintf("Rule %02d of the harbor", i), fmt.Sprintf("Ship %d goes first.", i*i+7))
		}
		s.ltm("write", "--goal", "Move the pool", "--next", "Measure")
	})
	b := s.tab(look{})
	b.open("/memories?sort=topic")
	const twentieth = `tbody tr:nth-child(20) a`
	b.do(chromedp.Focus(chromedp.CSS(twentieth)))
	b.strike("p")
	b.until(`document.querySelector(".done") !== null && document.readyState === "complete"`)
	const here = `document.activeElement.textContent.includes("Rule 19") && scrollY > 100`
	b.until(here)
	b.strike(kb.Enter)
	b.until(`location.pathname.startsWith("/memory/") && document.readyState === "complete"`)
	b.do(chromedp.NavigateBack())
	b.until(here)

	b.open("/packets")
	b.follow("tbody a")
	require.True(t, strings.HasPrefix(b.text("pre.block"), "<ltm-packet"), "it is escaped once")
	b.follow(`form[action$="stop"] button`)
	require.Contains(t, b.text("main"), "You can close this tab")
	b.quiet()
}

// TestAStalledStreamIsNoticed: the connection is there, and nothing comes by it.
func TestAStalledStreamIsNoticed(t *testing.T) {
	s := newSite(t, nil)
	b := s.tab(look{})
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `{ const real = setTimeout; setTimeout = (f, ms, ...a) => real(f, ms >= 40000 ? 2000 : ms, ...a); }`})
		return err
	}))
	b.open("/memories")
	require.NoError(t, s.server.Process.Signal(syscall.SIGSTOP))
	t.Cleanup(func() { _ = s.server.Process.Signal(syscall.SIGCONT) })
	b.has("This page does not answer")
	require.NoError(t, s.server.Process.Signal(syscall.SIGCONT))
	b.until(`document.querySelector(".news:empty") !== null`)
}
