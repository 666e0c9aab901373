//go:build e2e

package browser

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestOneMemory has links in its text, its file as it is, and values that are changed in place, with script and
// without.
func TestOneMemory(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			var one, two string
			s := newSite(t, func(s *site) {
				require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "db"), 0o755))
				code := "package db\n\nvar n = 20\n"
				require.NoError(t, os.WriteFile(filepath.Join(s.dir, "db", "pool.go"), []byte(code), 0o644))
				one = s.remember("Pool size is 20 connections", "Of each worker.", "--tag", "db")
				two = s.remember("مقاس المجمع", "As "+one+" says; `db/pool.go:3` has it.")
			})
			b := s.tab(l)
			b.open("/memory/" + two)
			require.Equal(t, "rtl", eval[string](b, `getComputedStyle(document.querySelector("h1")).direction`))
			b.follow(`.text a[href*="file?"]`)
			require.Equal(t, "var n = 20", b.text("tr.meant td"))
			b.open("/memory/" + two)
			b.follow(`.text a[href$="` + one + `"]`)
			b.click(".source summary")
			require.Contains(t, b.text(".source .block"), "topic: \"Pool size is 20 connections\"")

			b.fill(".values input[name=topic]", "Pool size is 30 connections")
			b.fill(".values input[name=tags]", "db, pool")
			eval[chromedp.Void](b, `{ const form = document.querySelector(".values");
				form.elements.importance.value = "important"; form.elements.kind.value = "learnings"; }`)
			s.ltm("update", one, "--content", "Of each worker, since March.")
			b.follow(".values button")
			require.Contains(t, b.text(".done"), "Changed Pool size is 30 connections")
			require.Contains(t, b.text(".text"), "since March", "other values are as they were changed elsewhere")
			listed := s.ltm("list", "--tag", "pool", "--importance", "important", "--kind", "learnings")
			require.Contains(t, listed, "Pool size is 30 connections")
			b.follow(".done button")
			require.Equal(t, "Pool size is 20 connections", b.text("h1"))
			require.Equal(t, "db", b.value(".values input[name=tags]"))

			three := s.remember("Pool size is 50 connections", "Of each machine.", "--disputes", one)
			b.open("/tidy?why=disputed")
			require.Len(t, b.all(`.group button[value="keep"]`), 2)
			b.follow(`li:has(a[href$="` + one + `"]) button[value="keep"]`)
			require.Contains(t, b.text(".done"), "Kept Pool size is 20 connections")
			require.NotContains(t, s.ltm("list"), three)
			require.Contains(t, s.ltm("show", one), "since March")
			b.follow(".done button")
			require.Contains(t, s.ltm("list"), three)
			b.open("/memory/" + three)
			require.Equal(t, []string{"Of each machine.", "Of each worker, since March."}, b.trimmed(".opposed .text"))
			require.Less(t, eval[float64](b, `document.querySelector(".opposed button").getBoundingClientRect().bottom`),
				700.0, "both are in sight at once")
			b.follow(`.opposed article:last-child button[value="keep"]`)
			require.Contains(t, b.text(".done"), "Kept Pool size is 20 connections")
			require.NotContains(t, s.ltm("list"), three)
			b.follow(".done button")
			b.open("/memory/" + three)
			b.follow(`.opposed article:first-child button[value="keep"]`)
			require.NotContains(t, s.ltm("list"), one)

			s.remember("Redis listens in staging", "Redis for the tests in staging listens on port 6379 of the box.")
			s.remember("Redis of staging", "Redis for the tests in staging listens on port 6380 of the box.")
			b.open("/tidy")
			require.Equal(t, "These say about the same, and may contradict each other", b.text(".group h2"))
			require.Len(t, b.all(`.group button[value="keep"]`), 2)
			require.Len(t, b.all(`.group button[value="apart"]`), 1)
			s.remember("Use **pgx**", "Not `lib/pq`: see [why](https://ok.example) first.")
			b.open("/memories")
			require.Contains(t, b.text("tbody"), "listens on port 6379 of the box")
			require.Contains(t, b.text("tbody"), "Use pgx")
			require.Contains(t, b.text("tbody"), "Not lib/pq: see why first.", "there is no markdown in a list")
			b.quiet()
		})
	}
}

// TestPackets are written, kept, resumed, sent and done, with script and without.
func TestPackets(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			b := s.tab(l)
			b.meant = []string{"status of 422"}
			b.open("/packets")
			b.click("details.fold summary, form.fold summary")
			b.fill("#goal", "  ")
			b.fill("#next", "Measure 50 connections")
			b.fill("#done-when", "All tests pass\nNo timeouts")
			b.follow(`button[value="write"]`)
			require.NotEmpty(t, b.text("[role=alert]"), "it has no goal")
			b.fill("#goal", "Move the pool")
			b.follow(`button[value="write"]`)
			require.Contains(t, b.text(".done"), "Wrote packet")
			require.Contains(t, b.text("pre.block"), "No timeouts")
			id := b.text("h1 + .meta code")
			require.Equal(t, `claude "$(ltm resume `+id+`)"`, b.text("#resume"))
			require.Equal(t, "ltm push "+id, b.text("#push"))
			require.Contains(t, s.ltm("resume", id), "Measure 50 connections")
			b.follow(`button[value="done"]`)
			require.NotContains(t, s.ltm("packet", "ls"), id)
			b.follow(`button[value="open"]`)
			require.Contains(t, s.ltm("packet", "ls"), id)

			s.propose("Never edit files below gen by hand")
			s.ltm("write", "--draft", "--session", "Never-edit-files-below-gen-by-hand")
			b.open("/packets")
			b.follow("tbody a")
			b.follow(`button[value="keep"]`)
			require.Contains(t, b.text(".done"), "The packet is kept")
			require.Empty(t, b.all(`button[value="keep"]`))
			require.NotContains(t, s.ltm("packet", "ls"), "\tdraft\t")
			if !l.noScript {
				require.Equal(t, "Copy", b.text(`[data-copy="resume"]`))
			}
			b.quiet()
		})
	}
}

// TestAPacketIsSent to a server that the person is signed in to, with script and without.
func TestAPacketIsSent(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			p, s := newServer(t), newSite(t, nil)
			const text = "No key is in the table twice"
			s.ltm("write", "--goal", "Rebuild the index", "--next", "Count the keys", "--criterion", text)
			b := s.tab(l)
			b.meant = []string{"status of 404", "status of 502"}
			b.open("/packets")
			b.follow("tbody a")
			require.Empty(t, b.all("select[name=host]"), "the person is signed in to none")
			s.sign(p)
			b.open("/packets")
			b.follow("tbody a")
			require.Equal(t, strings.TrimSuffix(p.address, "/")+" as Mira K.", b.text("select[name=host]"))
			require.Empty(t, b.all("#push"))
			id := b.text("h1 + .meta code")
			b.fill("[name=team]", "nobody")
			b.follow(`button[value="send"]`)
			require.Contains(t, b.text("[role=alert]"), "nobody")
			require.Len(t, b.all(`[name=team][value="nobody"]`), 1, "what was typed is kept")
			b.fill("[name=team]", "")
			b.follow(`button[value="send"]`)
			require.Contains(t, b.text(".done"), "Sent packet "+id)
			got := p.ask(p.token, http.MethodGet, "/v1/packets/"+id, nil)
			require.Equal(t, []any{text}, got["success_criteria"])

			p.end()
			b.follow(`button[value="send"]`)
			require.Contains(t, b.text("[role=alert]"), "Cannot reach")
			require.Contains(t, b.text("[role=alert]"), "Packet "+id+" waits here")
			require.Contains(t, s.ltm("status"), "not sent yet")
			b.quiet()
		})
	}
}

// sign signs the person in to a server.
func (s *site) sign(p *people) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(bin, "ltm"), "auth", strings.TrimSuffix(p.address, "/"))
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env(), strings.NewReader(p.token)
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "%s", out)
}

// TestTheCountsAreTheSame in the strip of the start page, with script and without.
func TestTheCountsAreTheSame(t *testing.T) {
	var ids []string
	s := newSite(t, func(s *site) { ids = s.cloned(3) })
	plain := s.tab(look{noScript: true})
	plain.open("/")
	require.Equal(t, "3 to approve", plain.text(".waiting"))
	require.Equal(t, "3", plain.text(".top .badge"))
	s.ltm("trust", ids[0])
	plain.open("/memories")
	require.Equal(t, "2", plain.text(".top .badge"))
	b := s.tab(look{})
	b.open("/")
	b.until(`document.querySelector(".waiting").textContent === "2 to approve"`)
	s.ltm("trust", "--all", "--yes")
	b.until(`document.querySelector(".waiting").textContent === "Nothing waits for you."`)
}

// TestTasksTakeFewClicks from the start page on.
func TestTasksTakeFewClicks(t *testing.T) {
	s := newSite(t, func(s *site) {
		s.cloned(9)
		const text = "The cache is warmed by the worker at start, in parallel, from the last snapshot on disk"
		s.remember("The cache is warmed at start", text+", within ten seconds.")
		s.remember("Cache warming happens at start", text+", within ten seconds or so.")
	})
	b := s.tab(look{})
	clicks := 0
	press := func(selector string) { t.Helper(); clicks++; b.click(selector) }
	follow := func(selector string) { t.Helper(); clicks++; b.follow(selector) }
	begin := func() {
		clicks = 0
		b.open("/")
		b.until(`document.querySelector(".waiting a") !== null`)
	}
	begin()
	follow(`.waiting a[href$="trust"]`)
	press("[data-all]")
	follow(`.bulk button[value="approve"]`)
	require.Contains(t, b.text(".done"), "9 memories")
	require.LessOrEqual(t, clicks, 4)
	begin()
	follow(`.waiting a[href$="tidy"]`)
	follow(`.group a[href*="merge="]`)
	follow(".edit .buttons button")
	require.Contains(t, b.text(".done"), "Merged")
	require.LessOrEqual(t, clicks, 3)
	clicks = 0
	b.open("/")
	follow(`.top nav a[href$="packets"]`)
	press("form.fold summary")
	b.fill("#goal", "Move the pool")
	b.fill("#next", "Measure 50 connections")
	follow(`button[value="write"]`)
	require.Contains(t, b.text(".done"), "Wrote packet")
	require.LessOrEqual(t, clicks, 3)
	b.quiet()
}

// TestThePalette leads to memories and carries out commands by the keyboard alone. On a phone, the views are one row.
func TestThePalette(t *testing.T) {
	var id string
	s := newSite(t, func(s *site) {
		id = s.remember("Pool size is 20 connections", "Of each worker.")
		s.remember("Deploys go out on Tuesdays", "Never on a Friday.")
	})
	b := s.tab(look{})
	b.open("/memories")
	open := func() {
		t.Helper()
		b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))
		b.until(`document.querySelector(".palette").open`)
	}
	open()
	require.Contains(t, b.text(".palette ul"), "Graph")
	b.spotless()
	b.strike("connections of the pool")
	b.until(`document.querySelector(".palette ul").textContent.includes("Pool size")`)
	b.strike(kb.Enter)
	b.until(`location.pathname === "/memory/` + id + `" && document.readyState === "complete"`)
	open()
	b.strike("pin" + kb.Enter)
	b.until(`document.querySelector("[data-key=p]")?.value === "unpin" && document.readyState === "complete"`)
	open()
	b.strike("j" + kb.Escape)
	require.False(t, eval[bool](b, `document.querySelector(".palette").open`))
	open()
	b.strike("e")
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".palette [aria-selected=true]").length`))
	b.strike(kb.Backspace + "time" + kb.Enter)
	b.until(`location.pathname === "/time"`)
	b.quiet()

	phone := s.tab(look{width: 390})
	phone.open("/memories")
	require.Equal(t, 1, eval[int](phone, `new Set([...document.querySelectorAll(".top nav a")].map(e => e.offsetTop)).size`))
	require.Contains(t, []string{"auto", "scroll"}, eval[string](phone, `getComputedStyle(document.querySelector(".top nav ul")).overflowX`))
	phone.fits()
}
