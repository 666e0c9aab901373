//go:build e2e

package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// people is a server with the pages that people read there.
type people struct {
	*site
	db         string
	token, key string // of a person, and of an application
}

// listens finds the address in the server's log.
var listens = regexp.MustCompile(`msg=listening .*url=(http://127\.0\.0\.1:\d+)`)

// newPeople starts a server with a person and an application, and a browser.
func newPeople(t *testing.T) *people {
	t.Helper()
	p := newServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), timeLimit)
	t.Cleanup(cancel)
	p.ctx = browser(ctx, t, p.dir)
	p.first = &tab{} // a link signs no one in
	return p
}

// newServer starts a server with a person and an application.
func newServer(t *testing.T) *people {
	t.Helper()
	root := t.TempDir()
	p := &people{site: &site{t: t, dir: root, home: filepath.Join(root, "home"), output: &output{}},
		db: filepath.Join(root, "t.db")}
	require.NoError(t, os.MkdirAll(p.home, 0o755))
	p.operate("init")
	p.operate("user", "add", "mira", "--display", "Mira K.")
	p.token = p.operate("token", "issue", "--user", "mira", "--name", "laptop")
	p.operate("app", "create", "assistant", "--retention", "365d")
	p.key = p.operate("key", "issue", "--app", "assistant", "--name", "look")
	p.listen()
	return p
}

// operate runs a command of the operator, and returns what it prints.
func (p *people) operate(args ...string) string {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(bin, "ltm-server"), append(args, "--db", p.db)...)
	cmd.Env, cmd.Stderr = p.env(), p.output
	out, err := cmd.Output()
	require.NoError(p.t, err, "%v: %s", args, p.output)
	return strings.TrimSpace(string(out))
}

// listen starts the server.
func (p *people) listen() {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(bin, "ltm-server"), "serve", "--db", p.db, "--addr", "127.0.0.1:0")
	cmd.Env, cmd.Stderr = p.env(), p.output
	require.NoError(p.t, cmd.Start())
	p.end = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	p.t.Cleanup(p.end)
	require.Eventually(p.t, func() bool { return listens.MatchString(p.output.String()) }, 20*time.Second,
		20*time.Millisecond, "%s", p.output)
	p.address = listens.FindStringSubmatch(p.output.String())[1] + "/"
}

// ask sends a request of the interface, and returns the answer.
func (p *people) ask(secret, method, path string, body any) map[string]any {
	p.t.Helper()
	data, err := json.Marshal(body)
	require.NoError(p.t, err)
	req, err := http.NewRequest(method, p.at(path), bytes.NewReader(data))
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	require.Less(p.t, resp.StatusCode, 300, "%s %s: %s", method, path, text)
	var answer map[string]any
	if len(text) > 0 {
		require.NoError(p.t, json.Unmarshal(text, &answer))
	}
	return answer
}

// fill gives the person packets, a team and an invite, and the application a user. It returns the addresses of the
// pages of each.
func (p *people) fill() (ofPerson, ofApp []string) {
	p.t.Helper()
	parent := ""
	for i, goal := range []string{"Keep the clock within two seconds a week",
		"Find out why board three drifts in the cold",
		strings.Repeat("A goal that goes on and on. ", 12) + strings.Repeat("W", 200)} {
		fields := map[string]any{"ltm_version": "0.2", "id": fmt.Sprintf("packet-%04d", i), "goal": goal,
			"created_at": fmt.Sprintf("2026-08-2%dT09:15:30Z", i),
			"next_step":  "Run the cold chamber test on board three.",
			"tags":       []string{"clock", "hardware"}, "project": map[string]any{"name": "timepiece"}}
		if parent != "" {
			fields["parent_id"] = parent
		}
		parent = fields["id"].(string)
		p.ask(p.token, "POST", "/v1/packets", fields)
	}
	p.ask(p.token, "POST", "/v1/teams", map[string]any{"name": "alpha"})
	code := p.ask(p.token, "POST", "/v1/teams/alpha/invites", nil)["code"].(string)
	p.ask(p.operate("token", "issue", "--user", "root", "--name", "other"), "POST", "/v1/invites/"+code+"/accept", nil)
	p.ask(p.token, "POST", "/v1/teams/alpha/invites", nil)
	started := p.ask(p.key, "POST", "/v1/threads", map[string]any{"user_id": "ann", "title": "The move"})
	thread := started["thread_id"].(string)
	for i, text := range []string{"My name is Ann and I live in Rome.", "Nice to meet you, Ann.",
		"I have a dog that is called Quagga, and I prefer tea to coffee in the morning.", "Noted: tea it is."} {
		p.ask(p.key, "POST", "/v1/threads/"+thread+"/events", map[string]any{
			"actor": []string{"user", "assistant"}[i%2], "content": text})
	}
	p.ask(p.key, "POST", "/v1/threads/"+thread+"/promote-core-memory", nil)
	claim := p.ask(p.key, "POST", "/v1/claims", map[string]any{"user_id": "ann", "bucket": "PROFILE",
		"text": "has a dog"})["claim"].(map[string]any)["id"].(string)
	summaries := p.ask(p.key, "GET", "/v1/threads/"+thread+"/summaries", nil)["summaries"].([]any)
	summary := summaries[0].(map[string]any)["id"].(string)
	return []string{"packets", "packets?team=alpha", "packets?text=teapots", "packet?id=packet-0001", "teams",
			"team?name=alpha", "tokens", "packet?id=no-packet-x"},
		[]string{"app", "user?user=ann", "profile?user=ann", "user?user=ann&state=rejected",
			"claim?user=ann&id=" + claim, "threads?user=ann", "thread?user=ann&id=" + thread,
			"summary?user=ann&thread=" + thread + "&id=" + summary, "jobs",
			"jobs?state=skipped", "jobs?state=failed"}
}

// TestPagesForPeople looks at each page of the server as [TestViewsAreForEverybody] does at those of the local page.
func TestPagesForPeople(t *testing.T) {
	p := newPeople(t)
	ofPerson, ofApp := p.fill()
	for name, l := range looks {
		t.Run(name, func(t *testing.T) {
			b := p.tab(l)
			b.t, b.meant = t, []string{"status of 404", "status of 401"}
			look := func(page string) {
				t.Helper()
				b.load("/" + page)
				b.fits()
				require.LessOrEqual(t, eval[int](b, `document.querySelectorAll("main .main").length`), 1, page)
				if !l.noScript {
					b.accessible()
				}
			}
			look("ui/sign-in")
			look("device?user_code=BCDF-GHJK")
			look("docs")
			b.load("/ui/sign-in")
			b.fill("#secret-field", "not a token")
			b.follow("button.main")
			require.NotEmpty(t, b.text("[role=alert]"))
			b.shoot("refused")
			b.load("/ui/sign-in")
			b.follow(`button[value="ask"]`)
			code := b.text(".passcode kbd")
			b.shoot("code")
			b.fits()
			p.operate("approve", code, "--user", "mira")
			b.follow("form button")
			require.Contains(t, b.text(".who"), "Mira K.")
			look("device")
			b.load("/ui/packets")
			b.follow(".who button")
			for secret, pages := range map[string][]string{p.token: ofPerson, p.key: ofApp} {
				b.load("/ui/sign-in")
				b.fill("#secret-field", secret)
				b.follow("button.main")
				for _, page := range pages {
					look("ui/" + page)
				}
				b.follow(".who button")
				require.Contains(t, b.text("[role=status]"), "signed out")
			}
			b.quiet()
		})
	}
}

// signIn signs a tab in with a token or a key.
func (p *people) signIn(b *tab, secret string) {
	b.load("/ui/sign-in")
	b.fill("#secret-field", secret)
	b.follow("button.main")
}

// TestOperatorsDecide confirms a suggestion on its page and rejects one in the list, and sees what then holds, with
// axe-core finding nothing at all and one primary button at most.
func TestOperatorsDecide(t *testing.T) {
	for name, l := range map[string]look{"wide": {width: 1440}, "dark": {width: 1024, dark: true},
		"narrow": {width: 390}, "dark and narrow": {width: 390, dark: true}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			ofPerson, ofApp := p.fill()
			b := p.tab(l)
			b.t, b.meant = t, []string{"status of 404"}
			look := func(pages []string) {
				t.Helper()
				for _, page := range pages {
					b.load("/ui/" + page)
					b.fits()
					buttons := eval[[]int](b, `[document.querySelectorAll("main button.main").length,
						document.querySelectorAll("main button:not(.danger, .quiet, details *)").length]`)
					require.Equal(t, min(1, buttons[1]), buttons[0], "%s has one primary button, if any", page)
					if !l.noScript {
						b.spotless()
					}
				}
			}
			p.signIn(b, p.token)
			look(ofPerson)
			b.follow(".who button")
			p.signIn(b, p.key)
			look(ofApp)

			b.load("/ui/app")
			b.until(`document.querySelector('td[data-label="Suggested"] a') !== null`)
			suggested := eval[int](b, `parseInt(document.querySelector('td[data-label="Suggested"] a').textContent)`)
			require.Equal(t, "1 with ann", b.all(`td[data-label="Conversations"] a`)[0])
			b.follow(`td[data-label="Suggested"] a`)
			look([]string{"user?user=ann&state=suggested"})
			claim := b.text(`td[data-label="Claim"] a`)
			b.follow(`td[data-label="Claim"] a`)
			b.shoot("suggested")
			b.follow(`button[value="confirm"]`)
			require.Contains(t, b.text("[role=status]"), "The claim is confirmed")
			b.load("/ui/user?user=ann&state=suggested")
			b.follow(`tbody tr:first-child button[value="reject"]`)
			require.Contains(t, b.text("[role=status]"), "The claim is rejected")
			require.Len(t, b.all(`td[data-label="Claim"]`), suggested-2)
			b.load("/ui/profile?user=ann")
			require.Contains(t, b.text("main"), claim)
			b.fits()
			b.quiet()
		})
	}
}

// TestServersTimesAreInTheReadersZone, if there is a script; what the server wrote is beside them.
func TestServersTimesAreInTheReadersZone(t *testing.T) {
	p := newPeople(t)
	p.fill()
	b := p.tab(look{})
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
		return err
	}))
	p.signIn(b, p.token)
	b.load("/ui/packet?id=packet-0000")
	require.Equal(t, "Aug 20, 2026, 6:15 PM", eval[string](b,
		`document.querySelector(".facts time").textContent.replaceAll("\u202f", " ")`))
	require.Equal(t, "20 Aug 2026, 09:15 UTC", eval[string](b, `document.querySelector(".facts time").title`))
	b.quiet()
	plain := p.tab(look{noScript: true})
	plain.load("/ui/packet?id=packet-0000")
	require.Equal(t, "20 Aug 2026, 09:15 UTC", plain.text(".facts time"))
}

// TestAPersonsForms issues and revokes a token, makes a team and an invite, and leaves, without script and with it.
func TestAPersonsForms(t *testing.T) {
	for name, l := range map[string]look{"script": {}, "no script": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			b := p.tab(l)
			b.t, b.meant = t, []string{"status of 400"}
			b.load("/ui/sign-in")
			b.fill("#secret-field", p.token)
			b.follow("button.main")
			b.load("/ui/tokens")
			b.fill("#token-name", "desk")
			b.follow(`button[value="issue"]`)
			require.Regexp(t, `^ltms_[0-9A-Za-z]{48}$`, b.text(".secret code"))
			b.shoot("issued")
			b.click("tbody tr:first-child details summary")
			b.follow(`tbody tr:first-child button[value="revoke"]`)
			require.Contains(t, b.text("[role=status]"), "The token is revoked")
			b.load("/ui/teams")
			b.fill("#name", "alpha")
			b.follow(`button[value="create"]`)
			require.Contains(t, b.text("[role=status]"), "The team is created")
			b.follow(`button[value="invite"]`)
			require.Contains(t, b.text(".secret code"), "/v1/invites/")
			b.shoot("invited")
			b.follow(`button[value="revoke"]`)
			require.Contains(t, b.text("[role=status]"), "The invite is revoked")
			b.click("main > details.danger summary")
			b.fill("#confirm", "beta")
			b.follow(`button[value="delete"]`)
			require.NotEmpty(t, b.text("[role=alert]"))
			b.click("main > details.danger summary")
			b.fill("#confirm", "alpha")
			b.follow(`button[value="delete"]`)
			require.Contains(t, b.text("[role=status]"), "The team is deleted")
			b.quiet()
		})
	}
}
