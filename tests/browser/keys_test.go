//go:build e2e

package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// strike types keys as a keyboard does: what a key types comes with the key, and not if the page takes the key for
// itself. [chromedp.KeyEvent] sends it apart.
func (b *tab) strike(keys string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			for _, e := range events {
				if e.Type == kb.KeyChar {
					events[0].Text, events[0].UnmodifiedText = e.Text, e.UnmodifiedText
				}
			}
			for _, e := range []*input.DispatchKeyEventParams{events[0], events[len(events)-1]} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// TestTheKeyboardAlone finds, opens, pins and edits a memory without a mouse.
func TestTheKeyboardAlone(t *testing.T) {
	s := newSite(t, func(s *site) {
		s.remember("Pool size is 20 connections", "Of each worker.")
		s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	})
	b := s.tab(look{})
	b.open("/memories")
	b.strike("jj")
	second := eval[string](b, `document.activeElement.closest("[data-row]").rowIndex + document.activeElement.textContent`)
	require.Contains(t, second, "2")
	b.strike("k")
	first := eval[string](b, `document.activeElement.textContent`)
	require.NotEqual(t, second[1:], first)

	b.strike("?")
	require.True(t, eval[bool](b, `document.getElementById("keys").open`))
	b.accessible()
	b.strike("j" + kb.Escape)
	require.False(t, eval[bool](b, `document.getElementById("keys").open`))

	b.strike("/jpe?")
	require.Equal(t, "jpe?", eval[string](b, `document.activeElement.value`), "keys are typed into a field")
	b.strike(kb.Escape + kb.Escape) // the first one empties the field
	require.Equal(t, "BODY", eval[string](b, `document.activeElement.tagName`))
	b.strike("/" + kb.Backspace) // what is there is selected
	b.until(`document.querySelectorAll("[data-row]").length === 2`)
	b.strike(kb.Escape + "j")
	b.strike(kb.Enter)
	b.until(`location.pathname.startsWith("/memory/mem_")`)
	b.until(`document.querySelector("[data-key=p]")?.value === "pin" && document.readyState === "complete"`)
	b.strike("p")
	b.until(`document.querySelector("[data-key=p]")?.value === "unpin" && document.readyState === "complete"`)
	b.strike("p")
	b.until(`document.querySelector("[data-key=p]")?.value === "pin" && document.readyState === "complete"`)
	b.strike("e")
	b.until(`location.pathname.endsWith("/edit") && document.readyState === "complete"`)

	b.open("/memories")
	b.strike("jp")
	b.until(`document.querySelectorAll("tr .importance-critical").length === 1 && document.readyState === "complete"`)
	b.click("tbody tr:nth-child(2) input[name=id]")
	require.True(t, eval[bool](b, `document.addEventListener("submit", (e) => e.preventDefault()) === undefined`))
	require.True(t, eval[bool](b, `document.querySelector("tbody tr:nth-child(1) a").focus() === undefined`))
	b.strike("p")
	require.Equal(t, []string{"2"}, eval[[]string](b, `[...document.querySelectorAll("tbody input[name=id]:checked")].map(
		e => String(e.closest("tr").rowIndex))`), "what is selected stays so, as the address says")
	b.strike("je")
	b.until(`location.pathname.endsWith("/edit") && document.readyState === "complete"`)
	b.strike("/")
	b.until(`location.pathname === "/memories" && document.activeElement?.type === "search"`)
	b.quiet()
}

// TestKeysOfRows select, approve, forget and take back, lead from the search into the results, and can be turned off.
func TestKeysOfRows(t *testing.T) {
	s := newSite(t, func(s *site) {
		for _, topic := range []string{"Pool size is 20 connections", "Deploys go out on Tuesdays"} {
			s.ltm("trust", "--revoke", s.remember(topic, "As the harbor master says."))
		}
	})
	b := s.tab(look{})
	ready := func(more string) { t.Helper(); b.until(`document.readyState === "complete" && ` + more) }
	b.open("/trust")
	b.strike("jx")
	require.Equal(t, 1, eval[int](b, checked))
	b.strike("x")
	require.Zero(t, eval[int](b, checked))
	b.strike("a")
	ready(`document.querySelector(".done")?.textContent.includes("Approved 1 memory") && ` +
		`document.querySelectorAll("tbody tr").length === 1`)
	b.strike("u")
	ready(`document.querySelectorAll("tbody tr").length === 2`)
	eval[chromedp.Void](b, `document.querySelector("tbody .passage").style.marginTop = "200vh"`)
	b.strike("kkk")
	eval[chromedp.Void](b, `scrollTo(0, 0)`)
	b.strike("a")
	require.Len(t, b.all("tbody tr"), 2, "its text is not in view")

	b.open("/memories?sort=topic")
	b.strike("/")
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	require.Contains(t, eval[string](b, `document.activeElement.textContent`), "Deploys")
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	require.Contains(t, eval[string](b, `document.activeElement.textContent`), "Pool")
	b.strike("#")
	ready(`document.querySelectorAll("tbody tr").length === 1`)
	b.strike("u")
	ready(`document.querySelectorAll("tbody tr").length === 2`)

	b.strike("?")
	b.click("#keys-on")
	b.strike(kb.Escape + "jx")
	require.Zero(t, eval[int](b, checked))
	b.open("/memories")
	b.strike("?")
	require.False(t, eval[bool](b, `document.getElementById("keys").open`))
	b.click("#show-keys")
	b.accessible()
	b.click("#keys-on")
	b.strike(kb.Escape + "jx")
	require.Equal(t, 1, eval[int](b, checked))
	b.quiet()
}
