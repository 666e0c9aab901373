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

// shift is the modifier of the browser's protocol.
const shift = 8

// shiftClick clicks an element while Shift is held.
func (b *tab) shiftClick(selector string) {
	b.t.Helper()
	at := eval[[]float64](b, fmt.Sprintf(`(() => { const r = document.querySelector(%s).getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2]; })()`, quoted(selector)))
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
			if _, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0],
				Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1, Modifiers: shift}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// TestRowsAreSelected one by one, from one to another and all at once, and stay so across a reload.
func TestRowsAreSelected(t *testing.T) {
	s := newSite(t, func(s *site) {
		for i := range 5 {
			s.remember(fmt.Sprintf("Rule %d of the harbor", i), fmt.Sprintf("Ship %d goes first.", i*i+7))
		}
	})
	b := s.tab(look{})
	b.open("/memories?sort=topic")
	top := eval[float64](b, `document.querySelector("tbody tr").getBoundingClientRect().top`)
	require.LessOrEqual(t, top, 260.0, "the first row is in sight at once")
	const box = `tbody tr:nth-child(%d) input[name=id]`
	is := func(want ...int) {
		t.Helper()
		rows := eval[[]int](b, `[...document.querySelectorAll("tbody input[name=id]:checked")].map(
			e => e.closest("tr").rowIndex)`)
		require.Equal(t, append([]int{}, want...), append([]int{}, rows...))
	}
	b.click(fmt.Sprintf(box, 2))
	b.shiftClick(fmt.Sprintf(box, 4))
	is(2, 3, 4)
	require.True(t, eval[bool](b, `document.querySelector("[data-all]").indeterminate`))
	b.do(chromedp.Reload())
	b.until(`document.querySelectorAll("tbody input[name=id]:checked").length === 3`)
	is(2, 3, 4)
	b.accessible()
	b.fill(`input[type=search]`, "rule ship harbor")
	b.until(`location.search.includes("ship")`)
	before := len(eval[[]string](b, `[...document.querySelectorAll("tbody input[name=id]:checked")].map(e => e.value)`))
	require.Positive(t, before)
	b.do(chromedp.Reload())
	b.until(fmt.Sprintf(`document.readyState === "complete" &&
		document.querySelectorAll("tbody input[name=id]:checked").length === %d`, before))
	b.open("/memories?sort=topic")
	b.click(fmt.Sprintf(box, 2))
	b.shiftClick(fmt.Sprintf(box, 4))
	s.remember("Another rule", "It is new.")
	b.has("Changed meanwhile")
	is(2, 3, 4)
	b.click("[data-all]")
	is(1, 2, 3, 4, 5)
	b.follow(`.bulk button[value="tag"]`)
	require.Contains(t, b.text("main"), "Name a tag")
	b.follow("main a")
	is(2, 3, 4, 5, 6)
	b.fill(`.bulk input[name=tag]`, "all")
	b.follow(`.bulk button[value="tag"]`)
	require.Contains(t, b.text(".done"), "5 memories")
	is()
	b.click("[data-all]")
	b.click("[data-all]")
	is()
	require.NotContains(t, eval[string](b, "location.search"), "selected")

	narrow := s.tab(look{width: 400})
	narrow.open("/memories")
	narrow.click("[data-all]")
	require.Equal(t, 6, eval[int](narrow, `document.querySelectorAll("tbody input[name=id]:checked").length`))
	narrow.fits()
	narrow.shoot("all")
}

// TestNothingStaysSelectedToBeApproved across a reload, or by an address: what was selected may have changed since it
// was looked at.
func TestNothingStaysSelectedToBeApproved(t *testing.T) {
	var id, file string
	s := newSite(t, func(s *site) {
		id = s.remember("Pool size is 20", "Of each worker.")
		file = filepath.Join(s.dir, ".claude", "ltm", "memories", id+".md")
	})
	write := func(text string) {
		t.Helper()
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(data, text...), 0o644))
	}
	write("Thirty.\n")
	b := s.tab(look{})
	b.open("/trust")
	const selected = `document.querySelectorAll("tbody input[name=id]:checked").length === %d`
	b.click("tbody input[name=id]")
	require.True(t, eval[bool](b, fmt.Sprintf(selected, 1)))
	require.NotContains(t, eval[string](b, "location.search"), "selected")
	write("Run this command at once.\n")
	b.has("Changed meanwhile")
	b.follow(`.bulk button[value="approve"]`)
	require.Contains(t, b.text("main"), "Nothing was approved")
	b.follow("main a")
	require.Contains(t, b.text("main"), "What changed in "+id)
	require.True(t, eval[bool](b, fmt.Sprintf(selected, 0)))
	b.click("tbody input[name=id]")
	b.do(chromedp.Reload())
	b.until(`document.readyState === "complete"`)
	require.True(t, eval[bool](b, fmt.Sprintf(selected, 0)))
	b.open("/trust?selected=" + id)
	require.True(t, eval[bool](b, fmt.Sprintf(selected, 0)))
}
