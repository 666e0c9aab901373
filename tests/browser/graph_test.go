//go:build e2e

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// mouse does things with the mouse, one after another: where it moves with what is pressed.
func (b *tab) mouse(steps ...input.DispatchMouseEventParams) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, step := range steps {
			if _, err := cdp.Call(ctx, t, input.DispatchMouseEvent, step); err != nil {
				return err
			}
		}
		return nil
	}))
}

// middle returns where the middle of an element is.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	at := eval[[]float64](b, fmt.Sprintf(`(() => { const r = document.querySelector(%s).getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2]; })()`, quoted(selector)))
	return at[0], at[1]
}

// linked writes so many memories, each with a link to an earlier one.
func (s *site) linked(n int) {
	dir := filepath.Join(s.dir, ".claude", "ltm", "memories")
	require.NoError(s.t, os.MkdirAll(dir, 0o755))
	for i := range n {
		kind, tag := []string{"learnings", "architectural"}[i%2], fmt.Sprintf("part-%d", i%3)
		text := fmt.Sprintf("---\nid: \"mem_%08x\"\ntopic: \"What was learned about part %d\"\ntags:\n  - \"%s\"\n"+
			"phase: 0\ndifficulty: 0.25\ncreated_at: \"2026-01-02T03:04:05Z\"\ncreated_session: 0\nkind: %s\n",
			i, i, tag, kind)
		if i > 0 {
			text += fmt.Sprintf("related:\n  - \"mem_%08x\"\n", i/4)
		}
		text += fmt.Sprintf("---\n\n## Summary\nPart %d.\n\n## Content\nPart %d holds %d bolts.\n", i, i, i*7)
		require.NoError(s.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("mem_%08x.md", i)), []byte(text), 0o644))
	}
}

// places are where the nodes of the graph are, by their ids.
const places = `Object.fromEntries([...document.querySelectorAll(".graph svg > a")].map(
	a => [a.dataset.id, a.getAttribute("transform")]))`

// TestGraphIsLookedAt with the mouse and with keys: as a whole, nearer, moved, and with the text of a node.
func TestGraphIsLookedAt(t *testing.T) {
	s := newSite(t, func(s *site) { s.linked(40) })
	b := s.tab(look{})
	b.open("/graph?all")
	b.until(`document.querySelector(".graph.moved .buttons") !== null`)
	inside := `[...document.querySelectorAll(".graph circle")].filter(c => {
		const r = c.getBoundingClientRect(), box = document.querySelector(".graph").getBoundingClientRect();
		return r.left >= box.left && r.right <= box.right && r.top >= box.top && r.bottom <= box.bottom; }).length`
	require.Equal(t, 40, eval[int](b, inside), "all fit")
	require.Greater(t, eval[int](b, `Math.max(...[...document.querySelectorAll(".graph div[dir]")].map(d => d.offsetHeight))`),
		20, "names have several lines")
	b.until(`document.querySelectorAll(".graph .unnamed").length < 20`)
	require.Zero(t, eval[int](b, `(() => {
		const all = [...document.querySelectorAll(".graph svg > a:not(.unnamed) div")].map(d => d.getBoundingClientRect());
		return all.filter((a, i) => all.some((b, j) => j > i && a.left < b.right - 1 && b.left < a.right - 1 &&
			a.top < b.bottom - 1 && b.top < a.bottom - 1)).length; })()`), "no name covers another")

	require.Empty(t, eval[[]string](b, `[...document.querySelectorAll(".graph svg > a.unnamed")].map(a => a.dataset.id).filter(
		id => id < "mem_00000009")`), "those with most links have their names, in the middle too")

	x, y := b.middle(`[data-id="mem_00000000"] circle`)
	b.mouse(input.DispatchMouseEventParams{Type: "mouseMoved", X: x, Y: y})
	b.until(`document.querySelector(".about").textContent.includes("Part 0 holds 0 bolts")`)
	require.Contains(t, b.text(".about"), "learnings")
	require.Equal(t, 4, eval[int](b, `document.querySelectorAll(".graph svg > a.near").length`), "it and what it is linked to")

	before := eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.width`)
	b.click(`.graph button[aria-label="Zoom in"]`)
	near := eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.width`)
	require.InDelta(t, before/1.4, near, 1)
	x, y = b.middle(`.graph`)
	was := eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.x`)
	b.mouse(input.DispatchMouseEventParams{Type: "mouseWheel", X: x, Y: y, DeltaX: 1, DeltaY: -100, Modifiers: 2})
	b.until(fmt.Sprintf(`document.querySelector(".graph svg").viewBox.baseVal.width < %f`, near))
	x, y = b.middle(`[data-id="mem_00000000"] circle`)
	const left = input.MouseButtonLeft
	b.mouse(input.DispatchMouseEventParams{Type: "mousePressed", X: x, Y: y, Button: left, ClickCount: 1},
		input.DispatchMouseEventParams{Type: "mouseMoved", X: x + 50, Y: y, Button: left, Buttons: 1},
		input.DispatchMouseEventParams{Type: "mouseMoved", X: x + 120, Y: y, Button: left, Buttons: 1},
		input.DispatchMouseEventParams{Type: "mouseReleased", X: x + 120, Y: y, Button: left, ClickCount: 1})
	moved, _ := b.middle(`[data-id="mem_00000000"] circle`)
	require.InDelta(t, x+120, moved, 2, "it was dragged")
	require.Equal(t, "?all", eval[string](b, "location.search"), "to drag a node is not to follow it")
	require.NotEqual(t, was, eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.x`))

	seen := eval[string](b, `document.querySelector(".graph svg").getAttribute("viewBox")`)
	b.open("/graph?all")
	b.until(`document.querySelector(".graph.moved .buttons") !== null`)
	require.Equal(t, seen, eval[string](b, `document.querySelector(".graph svg").getAttribute("viewBox")`), "a reload")
	b.do(chromedp.Focus(chromedp.CSS(".graph")))
	b.do(chromedp.KeyEvent("0"))
	require.InDelta(t, before, eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.width`), 1, "it fits")
	b.do(chromedp.KeyEvent("-"))
	require.InDelta(t, before*1.4, eval[float64](b, `document.querySelector(".graph svg").viewBox.baseVal.width`), 1)
	b.quiet()
}

// TestGraphStaysInPlace over a reload, in another tab, when it is filtered, and when a memory is stored meanwhile.
func TestGraphStaysInPlace(t *testing.T) {
	s := newSite(t, func(s *site) { s.linked(30) })
	b := s.tab(look{})
	b.open("/graph?all")
	b.until(`document.querySelector(".graph.moved") !== null`)
	was := eval[map[string]string](b, places)
	require.Len(t, was, 30)
	b.open("/graph?all")
	b.until(`document.querySelector(".graph.moved") !== null`)
	require.Equal(t, was, eval[map[string]string](b, places))
	other := s.tab(look{})
	other.open("/graph?all")
	other.until(`document.querySelector(".graph.moved") !== null`)
	require.Equal(t, was, eval[map[string]string](other, places), "nothing of it is by chance")

	eval[chromedp.Void](b, `{ const kind = document.querySelector("[name=kind]"); kind.value = "learnings";
		kind.dispatchEvent(new Event("input", {bubbles: true})); }`)
	b.until(`location.search.includes("kind=learnings") && document.querySelectorAll(".graph.moved svg > a").length < 30`)
	left := eval[map[string]string](b, places)
	require.NotEmpty(t, left)
	for id, place := range left {
		require.Equal(t, was[id], place, id)
	}
	b.open("/graph?all&tag=part-1&link=related")
	require.NotContains(t, b.all(".graph div[dir]"), "What was learned about part 0")

	b.open("/graph?all")
	s.remember("A new one", "It holds no bolts.", "--related", "mem_00000005")
	b.until(`document.querySelectorAll(".graph.moved svg > a").length === 31`)
	now := eval[map[string]string](b, places)
	for id, place := range was {
		require.Equal(t, place, now[id], id)
	}
	b.quiet()
}

// TestGraphIsBoundedAndForEverybody draws 500 of many, and has nothing that axe-core finds wrong, of any weight.
func TestGraphIsBoundedAndForEverybody(t *testing.T) {
	s := newSite(t, func(s *site) { s.linked(1200) })
	for _, width := range []int64{1440, 1024, 390} {
		for _, dark := range []bool{false, true} {
			b := s.tab(look{width: width, dark: dark})
			b.open("/graph?all")
			b.until(`document.querySelectorAll(".graph.moved .unnamed").length > 100`)
			require.Less(t, eval[int](b, `document.querySelectorAll(".graph .unnamed").length`), 496)
			require.Zero(t, eval[int](b, `document.querySelectorAll(".graph .middle.unnamed").length`))
			require.Contains(t, b.text("#drawn .count"), "Showing 500 of 1,200 around What was learned about part")
			require.Zero(t, eval[int](b, `(() => { const box = document.querySelector(".graph").getBoundingClientRect();
				return [...document.querySelectorAll(".graph svg > a:not(.unnamed) div")].map(d => d.getBoundingClientRect())
					.filter(r => r.left < box.left || r.right > box.right || r.top < box.top).length; })()`), "a name is cut off")
			b.fits()
			b.spotless()
			b.open("/graph?of=mem_00000003&depth=2")
			b.until(`document.querySelector(".graph.moved .buttons") !== null`)
			b.fits()
			b.spotless()
			b.quiet()
		}
	}
	b := s.tab(look{noScript: true})
	b.open("/graph?of=mem_00000003")
	require.Contains(t, b.text(`.graph [data-id="mem_00000000"] div`), "part 0")
	require.Greater(t, eval[int](b, `document.querySelector(".graph svg").clientWidth`), 300)
	b.fits()
}
