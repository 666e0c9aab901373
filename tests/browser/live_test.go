//go:build e2e

package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// show brings a tab to the front, as a person does who changes tabs.
func (b *tab) show() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.BringToFront, cdp.Empty{})
		return err
	}))
}

// has waits until a page shows a text.
func (b *tab) has(text string) {
	b.t.Helper()
	b.show()
	b.until(`document.body?.innerText.includes(` + quoted(text) + `)`)
}

func quoted(text string) string { return "`" + strings.ReplaceAll(text, "`", "\\`") + "`" }

// streams counts how often a tab asked for the stream of changes: once for each page that it showed.
func (b *tab) streams() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.asked {
		if strings.HasSuffix(address, "/events") {
			n++
		}
	}
	return n
}

// hears reports whether a tab has the stream, and not only asked for it.
func (b *tab) hears() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.heard > 0 }

func TestAChangeAppearsInEveryTab(t *testing.T) {
	s := newSite(t, func(s *site) { s.remember("Pool size is 20 connections", "Of each worker.") })
	one, two := s.tab(look{}), s.tab(look{})
	one.open("/memories")
	two.open("/")
	s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	one.has("Deploys go out on Tuesdays")
	two.has("Deploys go out on Tuesdays")
	require.Zero(t, eval[int](two, `document.querySelectorAll(".news:not(:empty)").length`))
	one.quiet()
	two.quiet()
}

// TestWhatGitAndEditorsChangeAppears has a memory that becomes stale by an edit and holds again by a checkout, and a
// commit, while its page stays open.
func TestWhatGitAndEditorsChangeAppears(t *testing.T) {
	const isStale = `document.querySelector(".mark.stale") !== null`
	var id, file string
	s := newSite(t, func(s *site) {
		file = filepath.Join(s.dir, "pool.go")
		require.NoError(t, os.WriteFile(file, []byte("package pool\n"), 0o644))
		id = s.remember("Pool size is 20 connections", "See pool.go.")
		s.git("add", "-A")
		s.git("commit", "-q", "-m", "begin")
	})
	b := s.tab(look{})
	b.open("/memory/" + id)
	b.show()
	b.until("!(" + isStale + ")")
	require.NoError(t, os.WriteFile(file, []byte("package pool // of 50\n"), 0o644))
	b.until(isStale)
	s.git("commit", "-q", "-a", "-m", "make the pool larger")
	b.has("make the pool larger")
	s.git("checkout", "-q", "HEAD~1")
	b.until("!(" + isStale + ")")
	b.quiet()
}

// TestTenTabsAtOnce share one stream: with one each, the seventh would wait for a connection forever. When the tab that
// has it is closed, another one takes over.
func TestTenTabsAtOnce(t *testing.T) {
	s := newSite(t, func(s *site) { s.remember("Pool size is 20 connections", "Of each worker.") })
	var tabs []*tab
	for range 10 {
		b := s.tab(look{})
		b.open("/memories")
		tabs = append(tabs, b)
	}
	s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	var leaders []int
	for i, b := range tabs {
		b.has("Deploys go out on Tuesdays")
		if b.streams() > 0 {
			leaders = append(leaders, i)
		}
	}
	require.Len(t, leaders, 1, "tabs with a stream")
	leader := leaders[0]
	require.NoError(t, chromedp.Cancel(tabs[leader].ctx))
	s.remember("Tests need Redis on port 6380", "CI starts it.")
	for i, b := range tabs {
		if i != leader {
			b.has("Tests need Redis on port 6380")
			b.quiet()
		}
	}
}

// TestWhatIsTypedStays has a form with typed text and a field with the focus while something is stored.
func TestWhatIsTypedStays(t *testing.T) {
	s := newSite(t, nil)
	id := s.remember("Pool size is 20 connections", "Of each worker.")
	form, list := s.tab(look{}), s.tab(look{})
	form.open("/memory/" + id + "/edit")
	form.show()
	form.fill("#text", "half a sentence")
	list.open("/memories")
	list.show()
	list.do(chromedp.Focus(chromedp.CSS(`input[type=search]`)))
	// What changes before a stream begins is in no message of it.
	require.Eventually(t, func() bool { return form.hears() || list.hears() }, actionLimit, 50*time.Millisecond)
	s.ltm("update", id, "--content", "Of each worker, since March.")
	s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	list.has("Changed meanwhile")
	list.until(`document.querySelector(".news").innerText.includes("(stored: Deploys")`)
	require.NotContains(t, list.text("main"), "Deploys")
	told, before := list.text(".news"), eval[int](list, `Number(document.querySelector("main").dataset.version)`)
	file := filepath.Join(s.dir, ".claude", "ltm", "memories", id+".md")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(whole, "A line of an editor.\n"...), 0o644))
	list.until(fmt.Sprintf(`Number(document.querySelector("main").dataset.version) > %d`, before))
	require.Equal(t, told, list.text(".news"), "no log has what the editor did")
	eval[chromedp.Void](list, `{ const main = document.querySelector("main"), version = Number(main.dataset.version) + 9;
		main.dataset.version = version;
		new BroadcastChannel(new URL("/events", location)).postMessage({ version, what: "forgotten: Ships" }); }`)
	list.until(`document.querySelector(".news").innerText.includes("(forgotten: Ships)")`) // the page was faster
	list.click(".news button")
	list.has("Deploys go out on Tuesdays")
	form.has("Changed meanwhile")
	require.Equal(t, "half a sentence", eval[string](form, `document.querySelector("#text").value`))
	require.Equal(t, "_blank", eval[string](form, `document.querySelector(".news a").target`))
	form.accessible()
	form.quiet()
	list.quiet()
}

// TestNumbersOfWhatWaitsAreNoNews: they change beside what a view shows, and nothing is offered for it.
func TestNumbersOfWhatWaitsAreNoNews(t *testing.T) {
	var id string
	s := newSite(t, func(s *site) { id = s.remember("Pool size is 20 connections", "Of each worker.") })
	b := s.tab(look{})
	b.open("/conflicts")
	b.show()
	b.until(`document.querySelector(".top .badge").textContent === ""`)
	eval[chromedp.Void](b, `getSelection().selectAllChildren(document.querySelector("h1"))`)
	for i, want := range []string{"1", "2", "3"} {
		s.remember("Pool size is now "+strings.Repeat("many ", i+1), "Of each worker.", "--disputes", id)
		b.until(`document.querySelector(".tabs [data-count='disputes-project']").textContent === ` + quoted(want))
		require.NotEmpty(t, b.text(".top .badge"))
		require.Empty(t, b.all(".news:not(:empty)"))
	}
	require.Equal(t, "Merges", eval[string](b, "getSelection().toString()"))
	b.quiet()
}

// TestTheBarSaysWhyNothingIsHeard when other browsers have all streams, and when the page has ended.
func TestTheBarSaysWhyNothingIsHeard(t *testing.T) {
	s := newSite(t, func(s *site) { s.remember("Pool size is 20 connections", "Of each worker.") })
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	other := &http.Client{Jar: jar}
	ctx, end := context.WithCancel(t.Context())
	ask := func(address string) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		require.NoError(t, err)
		answer, err := other.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = answer.Body.Close() })
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	ask(printed.FindString(s.ltm("ui", "--no-open")))
	for range 16 {
		ask(s.at("/events"))
	}
	b := s.tab(look{})
	b.meant = []string{"status of 503", "ERR_"}
	b.open("/memories")
	b.has("This browser does not follow changes")
	b.accessible()
	b.shoot("full")
	end()
	b.until(`document.querySelector(".news:empty") !== null`)
	s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	b.has("Deploys go out on Tuesdays")
	require.NoError(t, s.server.Process.Signal(syscall.SIGTERM))
	b.has("This page does not answer")
	require.Contains(t, b.text(".news"), "in the project's directory")
	require.Contains(t, b.text("main"), "Deploys go out on Tuesdays")
	b.shoot("ended")
}
