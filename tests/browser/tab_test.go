//go:build e2e

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// look is how a tab shows pages.
type look struct {
	dark     bool
	width    int64 // 0: 1280
	noScript bool
}

// tab is a tab of a site's browser. All tabs of a site are signed in once the first one is.
type tab struct {
	*site
	ctx context.Context

	mu      sync.Mutex
	asked   []string // addresses
	heard   int      // answers that are streams
	trouble []string // exceptions and messages of the console
	meant   []string // parts of those that a test provokes
}

// tab opens a tab.
func (s *site) tab(l look) *tab {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(s.ctx)
	s.t.Cleanup(cancel)
	b := &tab{site: s, ctx: ctx}
	require.NoError(s.t, chromedp.Listen(ctx, b.watch))
	width := l.width
	if width == 0 {
		width = 1280
	}
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: l.noScript}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
				{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
	if s.first == nil {
		s.first = b
		b.do(chromedp.Navigate(s.address))
		b.until(`location.pathname == "/" && document.readyState == "complete"`) // the link leads there
	}
	return b
}

// watch notes what a page asks for and what goes wrong in it.
func (b *tab) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	case *network.EventResponseReceived:
		if e.Response.MimeType == "text/event-stream" {
			b.heard++
		}
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			b.trouble = append(b.trouble, e.Entry.Text+" "+e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		b.trouble = append(b.trouble, "dialog: "+e.Message)
	}
}

// actionLimit bounds one action, so that a page that never answers fails the test at the line that asked.
const actionLimit = 20 * time.Second

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	act(b, chromedp.Steps(steps...))
}

// act carries out an action and returns its value.
func act[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, actionLimit)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	require.NoError(b.t, err, "what ltm ui said: %s", b.output)
	return v
}

// open shows a view, which must be there.
func (b *tab) open(view string) {
	b.t.Helper()
	require.EqualValues(b.t, 200, b.load(view), view)
}

// load shows a view and returns its status.
func (b *tab) load(view string) int64 {
	b.t.Helper()
	status := act(b, chromedp.NavigateResponse(b.at(view))).Status
	b.shoot(view)
	return status
}

// shoot writes a picture of what is shown, if a person wants to look at it.
func (b *tab) shoot(what string) {
	b.t.Helper()
	dir := os.Getenv("LTM_E2E_SHOTS")
	if dir == "" {
		return
	}
	name := strings.NewReplacer("/", "-", "?", "-", "&", "-", "=", "-", " ", "_").Replace(b.t.Name() + " " + what)
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), act(b, chromedp.FullScreenshot(100)), 0o644))
}

// text returns what a person reads in the first element that a CSS selector names.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return act(b, chromedp.Text(chromedp.CSS(selector)))
}

// eval returns the value of an expression of JavaScript. It works in a tab whose pages may run none, but then no
// promise is ever kept.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return act(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits until an expression of JavaScript is true. While a page is left for another, it has no value.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, actionLimit)
	defer cancel()
	require.Eventually(b.t, func() bool {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		return err == nil && is
	}, actionLimit, 50*time.Millisecond, "never true: %s", expression)
}

// click clicks the first element that a CSS selector names.
func (b *tab) click(selector string) { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(selector))) }

// follow clicks an element that leads to another page, and waits for that.
func (b *tab) follow(selector string) {
	b.t.Helper()
	b.leave(selector, chromedp.Click(chromedp.CSS(selector)))
}

// submit sends the first form that a CSS selector names, with another value in a field, and waits for the next page.
func (b *tab) submit(form, field, value string) {
	b.t.Helper()
	b.leave(form, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const form = document.querySelector(%s);
		form.elements[%s].value = %s; form.requestSubmit(); }`, quoted(form), quoted(field), quoted(value))))
}

// leave carries out an action that leads to another page. If the page was replaced by its newest state before an
// element of it could be clicked, it tries again.
func (b *tab) leave(what string, action chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, actionLimit)
	defer cancel()
	for {
		_, err := chromedp.RunResponse(ctx, action)
		if err == nil || !strings.Contains(err.Error(), "Could not find node with given id") {
			require.NoError(b.t, err, "following %s", what)
			return
		}
	}
}

// fill replaces what is in a field, as pasting does.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	quoted, err := json.Marshal(selector)
	require.NoError(b.t, err)
	b.do(chromedp.Focus(chromedp.CSS(selector)))
	eval[chromedp.Void](b, "document.querySelector("+string(quoted)+").select()")
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// violation is what axe-core finds wrong.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

// accessible checks a page with axe-core, which may find nothing serious.
func (b *tab) accessible() { b.t.Helper(); b.axe(false) }

// spotless checks a page with axe-core, which may find nothing at all, nor a target that is hard to hit.
func (b *tab) spotless() { b.t.Helper(); b.axe(true) }

func (b *tab) axe(strict bool) {
	b.t.Helper()
	// The page's policy forbids scripts that are not its own, so axe comes by the browser's own door.
	eval[chromedp.Void](b, axe)
	found := eval[string](b, fmt.Sprintf(`axe.run(document, {resultTypes: ["violations"],
		rules: {"target-size": {enabled: %t}}}).then(r => JSON.stringify(r.violations))`, strict))
	var all []violation
	require.NoError(b.t, json.Unmarshal([]byte(found), &all))
	all = slices.DeleteFunc(all, func(v violation) bool {
		return !strict && v.Impact != "serious" && v.Impact != "critical"
	})
	for _, v := range all {
		for _, n := range v.Nodes {
			b.t.Errorf("%s: %s (%s): %s\n%s", eval[string](b, "location.pathname"), v.Help, v.ID, n.HTML,
				n.FailureSummary)
		}
	}
}

// fits checks that a page is not wider than its window.
func (b *tab) fits() {
	b.t.Helper()
	over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	require.LessOrEqual(b.t, over, 0, "%s is wider than the window", eval[string](b, "location.pathname"))
}

// quiet checks that pages asked for nothing but the site's own, and that nothing went wrong in them.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.asked {
		own := strings.HasPrefix(address, b.at("")) || address == "about:blank" ||
			strings.HasPrefix(address, "data:") // the browser's own pictures, as in a field for a date
		require.True(b.t, own, "asked for %s", address)
	}
	require.Empty(b.t, slices.DeleteFunc(slices.Clone(b.trouble), func(text string) bool {
		return slices.ContainsFunc(b.meant, func(part string) bool { return strings.Contains(text, part) })
	}))
}

// all returns the texts of all elements that a CSS selector names.
func (b *tab) all(selector string) []string {
	b.t.Helper()
	quoted, err := json.Marshal(selector)
	require.NoError(b.t, err)
	return eval[[]string](b, "Array.from(document.querySelectorAll("+string(quoted)+"), e => e.textContent)")
}

// value returns what is in a field.
func (b *tab) value(selector string) string {
	b.t.Helper()
	return act(b, chromedp.Value(chromedp.CSS(selector)))
}
