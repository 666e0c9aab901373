package server_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// send sends a packet, which continues another one unless parent is empty.
func (p *place) send(token, team, id, parent, goal string, more map[string]any) {
	p.t.Helper()
	fields := map[string]any{"ltm_version": "0.2", "id": id, "created_at": "2026-08-28T09:15:30Z", "goal": goal,
		"next_step": "Run the cold chamber test."}
	if parent != "" {
		fields["parent_id"] = parent
	}
	for name, value := range more {
		fields[name] = value
	}
	b, err := json.Marshal(fields)
	require.NoError(p.t, err)
	p.ok(201, "POST /v1/packets?team="+team, request{token: token, body: string(b)})
}

func TestPagesOfPackets(t *testing.T) {
	p := start(t)
	b, _, ann := p.member("ann")
	require.Contains(t, b.get(200, "packets").text(), "ltm push", "an empty list says how to begin")
	for i := range 60 {
		p.send(ann, "", fmt.Sprintf("packet-%04d", i), "", fmt.Sprintf("Goal %d of many.", i), nil)
	}
	seen := map[string]bool{}
	page := "packets"
	for n := range 3 {
		v := b.get(200, page)
		for _, m := range regexp.MustCompile(`href="packet\?id=([^"]+)"`).FindAllStringSubmatch(v.text(), -1) {
			require.False(t, seen[m[1]], "twice: %s", m[1])
			seen[m[1]] = true
		}
		next := regexp.MustCompile(`href="([^"]+)" rel="next"`).FindStringSubmatch(v.text())
		require.Equal(t, n < 2, next != nil)
		require.Equal(t, n > 0, strings.Contains(v.text(), `rel="first"`))
		if next != nil {
			page = strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	require.Len(t, seen, 60)
	b.get(400, "packets?cursor=x")
	require.Contains(t, b.get(200, "packets?text=teapots").text(), "No packet matches")
	b.get(400, "packets?since=yesterday")

	p.send(ann, "", "first-packet", "", "Begin the clock.", map[string]any{"tags": []string{"clock"},
		"project": map[string]any{"name": "a/b & c"}})
	p.send(ann, "", "second-packet", "first-packet", "Go on with the clock.", nil)
	p.send(ann, "", "third-packet", "second-packet", "End the clock.", nil)
	for _, query := range []string{"tag=clock", "project=a%2Fb+%26+c", "text=begins", "parent=first-packet"} {
		v := b.get(200, "packets?"+query)
		require.Equal(t, 1, strings.Count(v.text(), `href="packet?id=`), query)
	}
	require.Contains(t, b.get(200, "packets?since=2027-01-01").text(), "No packet matches")

	v := b.get(200, "packet?id=second-packet")
	chain := regexp.MustCompile(`(?s)<ol class="history">(.*?)</ol>`).FindStringSubmatch(v.text())[1]
	require.Regexp(t, `(?s)first-packet.*Begin the clock.*aria-current="true".*Go on with the clock`, chain)
	require.Regexp(t, `(?s)Continued by.*packet\?id=third-packet.*End the clock`, v.text())
	require.Contains(t, v.text(), "&lt;ltm-packet&gt;", "the block that a session resumes from")
	require.Contains(t, v.text(), "&gt; Run the cold chamber test.")
	require.Contains(t, v.text(), `<time datetime="2026-08-28T09:15:30Z">28 Aug 2026, 09:15 UTC</time>`)
	require.Contains(t, b.get(200, "packet?id=first-packet").text(), `href="packets?project=a%2Fb&#43;%26&#43;c"`)

	p.send(ann, "", "lost-child", "never-was-here", "Alone.", nil)
	require.Contains(t, b.get(200, "packet?id=lost-child").text(), "<code>never-was-here</code>, is not here")
	p.send(ann, "", "round-one-1", "round-two-2", "Round.", nil)
	p.send(ann, "", "round-two-2", "round-one-1", "And round.", nil)
	require.Contains(t, b.get(200, "packet?id=round-one-1").text(), "in a circle")

	v = b.press(200, "packet?id=second-packet", "delete")
	require.Equal(t, "/ui/packets?done=deleted", v.address)
	require.Contains(t, v.text(), "The packet is deleted.")
	p.ok(404, "GET /v1/packets/second-packet", request{token: ann})
	require.Contains(t, b.get(200, "packet?id=third-packet").text(), "<code>second-packet</code>, is not here")
	b.get(200, "packets?done=%3Cscript%3E")
}

// TestPagesOfLongChains checks that a page looks up a bounded part of a chain.
func TestPagesOfLongChains(t *testing.T) {
	p := start(t)
	b, _, ann := p.member("ann")
	for i := range 60 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprintf("chain-%05d", i-1)
		}
		p.send(ann, "", fmt.Sprintf("chain-%05d", i), parent, "Go on.", nil)
	}
	v := b.get(200, "packet?id=chain-00059")
	require.Contains(t, v.text(), "goes on before these")
	require.NotContains(t, v.text(), "is not here")
	require.Contains(t, v.text(), "chain-00010")
	require.NotContains(t, v.text(), "chain-00009")
}

// TestPagesOfOthersThings checks that what belongs to others looks like what does not exist, and that they cannot
// change it.
func TestPagesOfOthersThings(t *testing.T) {
	p := start(t, withMemory(nil))
	annBrowser, annID, ann := p.member("ann")
	eve, _, _ := p.member("eve")
	annBrowser.press(200, "teams", "create", "name", "alpha")
	p.send(ann, "", "anns-packet", "", "Anns secret goal.", nil)
	p.send(ann, "alpha", "teams-packet", "", "The teams secret goal.", nil)
	p.invite("alpha", ann)
	invite := p.list("/v1/teams/alpha/invites", "invites", ann)[0]["id"].(string)
	token := p.list("/v1/tokens", "tokens", ann)[0]["id"].(string)

	same := func(status int, theirs, nothing string) {
		t.Helper()
		a, none := eve.get(status, theirs), eve.get(status, nothing)
		require.Equal(t, plainPage(none.text()), plainPage(a.text()), theirs)
		require.NotContains(t, a.text(), "secret goal")
	}
	same(404, "packet?id=anns-packet", "packet?id=no-packet-x")
	same(404, "packet?id=teams-packet", "packet?id=no-packet-x")
	same(404, "team?name=alpha", "team?name=nosuch")
	same(404, "packets?team=alpha", "packets?team=nosuch")
	require.Contains(t, eve.get(200, "packets?parent=anns-packet").text(), "No packet matches")

	form := hidden(eve.get(200, "tokens"))
	for page, more := range map[string]url.Values{
		"packet?id=anns-packet":  {"do": {"delete"}},
		"packet?id=teams-packet": {"do": {"delete"}},
		"tokens":                 {"do": {"revoke"}, "id": {token}},
	} {
		for name := range more {
			form.Set(name, more.Get(name))
		}
		theirs := eve.post(404, page, form)
		form.Set("id", "T000000000000000000000000A")
		other := eve.post(404, strings.NewReplacer("anns", "nobs", "teams-", "nones-").Replace(page), form)
		require.Equal(t, plainPage(other.text()), plainPage(theirs.text()), page)
	}
	for _, do := range []string{"remove", "transfer", "leave", "delete", "invite", "revoke"} {
		form := filledIn(hidden(eve.get(200, "tokens")), do, []string{"user", annID, "id", invite, "confirm", "alpha"})
		theirs := eve.post(404, "team?name=alpha", form)
		form = filledIn(hidden(eve.get(200, "tokens")), do, []string{"user", annID, "id", invite, "confirm", "nosuch"})
		require.Equal(t, plainPage(eve.post(404, "team?name=nosuch", form).text()), plainPage(theirs.text()), do)
	}
	p.ok(200, "GET /v1/packets/anns-packet", request{token: ann})
	p.ok(200, "GET /v1/packets/teams-packet", request{token: ann})
	require.Len(t, p.list("/v1/teams/alpha/invites", "invites", ann), 1)
	require.Len(t, p.list("/v1/tokens", "tokens", ann), 1)
}

// plainPage returns a page without what differs from request to request.
func plainPage(text string) string {
	text = regexp.MustCompile(`<code>01[0-9A-HJKMNP-TV-Z]{24}</code>`).ReplaceAllString(text, "<code>ID</code>")
	return regexp.MustCompile(`name="once" value="[^"]*"`).ReplaceAllString(text, "ONCE")
}

func TestPagesOfTeams(t *testing.T) {
	p := start(t)
	ann, annID, annToken := p.member("ann")
	bob, bobID, _ := p.member("bob")
	require.Contains(t, ann.get(200, "teams").text(), "You are in no team yet")
	require.Contains(t, ann.press(400, "teams", "create", "name", "Not A Name").text(), "Team name must match")
	v := ann.press(200, "teams", "create", "name", "alpha")
	require.Equal(t, "/ui/team?done=created&name=alpha", sortedQuery(v.address))
	ann.press(409, "teams", "create", "name", "alpha")

	v = ann.press(200, "team?name=alpha", "invite")
	link := regexp.MustCompile(`<p><code>(http[^<]+/v1/invites/ltms_[0-9a-f]{48})</code></p>`).FindStringSubmatch(v.text())
	require.NotNil(t, link, v.text())
	require.NotContains(t, ann.get(200, "team?name=alpha").text(), link[1], "it is shown once")
	require.Contains(t, v.text(), "Open invites")
	bob.press(400, "teams", "join", "code", "https://example.org/")
	bob.press(410, "teams", "join", "code", "ltms_"+strings.Repeat("0", 48))
	v = bob.press(200, "teams", "join", "code", link[1])
	require.Contains(t, v.text(), "You are in the team now.")
	require.NotContains(t, v.text(), `value="remove"`)

	// What a member may not do, they may not do by a form either.
	form := hidden(bob.get(200, "team?name=alpha"))
	for _, do := range []string{"remove", "transfer", "delete"} {
		v := bob.post(403, "team?name=alpha", filledIn(form, do, []string{"user", annID, "confirm", "alpha"}))
		require.Contains(t, v.text(), "Only the team owner can")
	}
	ann.press(200, "team?name=alpha", "invite")
	invite := p.list("/v1/teams/alpha/invites", "invites", annToken)[0]["id"].(string)
	bob.post(403, "team?name=alpha", filledIn(form, "revoke", []string{"id", invite}))
	v = ann.press(200, "team?name=alpha", "revoke", "id", invite)
	require.Contains(t, v.text(), "The invite is revoked.")
	require.Contains(t, v.text(), "There are no open invites.")
	own := bob.press(200, "team?name=alpha", "invite")
	require.Contains(t, own.text(), `value="revoke"`, "a member revokes their own")

	v = ann.post(400, "team?name=alpha", filledIn(hidden(ann.get(200, "team?name=alpha")), "leave", nil))
	require.Contains(t, v.text(), "Owner cannot leave")
	ann.press(404, "team?name=alpha", "remove", "user", "01K3Q8ZJ6M4T2V9XWBDN7RNONE")
	v = ann.press(200, "team?name=alpha", "transfer", "user", bobID)
	require.Contains(t, v.text(), "another owner")
	require.NotContains(t, v.text(), `value="transfer"`)
	v = ann.press(200, "team?name=alpha", "leave")
	require.Equal(t, "/ui/teams?done=left", v.address)
	ann.get(404, "team?name=alpha")

	code := regexp.MustCompile(`/v1/invites/(ltms_[0-9a-f]{48})`)
	again := code.FindStringSubmatch(bob.press(200, "team?name=alpha", "invite").text())
	ann.press(200, "teams", "join", "code", again[1])
	require.Contains(t, bob.press(200, "team?name=alpha", "remove", "user", annID).text(), "They are out of the team")
	bob.press(400, "team?name=alpha", "delete", "confirm", "alph")
	v = bob.press(200, "team?name=alpha", "delete", "confirm", "alpha")
	require.Equal(t, "/ui/teams?done=team-deleted", v.address)
	require.Contains(t, bob.get(200, "teams").text(), "You are in no team yet")
}

// sortedQuery returns an address with its parameters in order.
func sortedQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery = u.Query().Encode()
	return u.String()
}

func TestPagesOfTeamsPackets(t *testing.T) {
	p, annToken, bobToken := startTeam(t)
	ann, bob := p.browser(), p.browser()
	ann.enter(annToken)
	bob.enter(bobToken)
	p.send(bobToken, "alpha", "bobs-packet", "", "For the team.", nil)
	p.send(annToken, "alpha", "anns-packet", "bobs-packet", "On and on.", nil)
	v := ann.get(200, "packet?id=bobs-packet")
	require.Contains(t, v.text(), "<bdi>bob</bdi>, in team")
	require.Contains(t, v.text(), `value="delete"`, "the owner of the team may")
	require.Contains(t, v.text(), "packet?id=anns-packet")
	require.NotContains(t, bob.get(200, "packet?id=anns-packet").text(), `value="delete"`)
	form := filledIn(hidden(bob.get(200, "packet?id=anns-packet")), "delete", nil)
	require.Contains(t, bob.post(403, "packet?id=anns-packet", form).text(), "Only the author of a packet")
	teams := bob.get(200, "teams").text()
	require.Contains(t, teams, `<td data-label="Members">2</td>`)
	require.Contains(t, teams, `>2<span class="hidden"> in alpha</span>`, "its packets")
	list := bob.get(200, "packets?team=alpha").text()
	require.Contains(t, list, `<option value="alpha" selected>`)
	require.Equal(t, 2, strings.Count(list, `href="packet?id=`))
	require.Contains(t, bob.get(200, "packets").text(), "You have no packets here yet")
	ann.press(200, "packet?id=bobs-packet", "delete")
}

func TestPagesOfTokens(t *testing.T) {
	p := start(t, func(o *server.Options) { o.MaxTokens = 3 })
	b, id, ann := p.member("ann")
	v := b.get(200, "tokens")
	require.NotContains(t, v.text(), ann)
	for _, bad := range [][]string{{"name", "", "days", "30"}, {"name", "x", "days", "-1"}, {"name", "x", "days", "y"},
		{"name", strings.Repeat("é", 65), "days", "30"}, {"name", "x", "days", "4000"}} {
		b.press(400, "tokens", "issue", bad...)
	}
	form := filledIn(hidden(v), "issue", []string{"name", "laptop", "days", "30"})
	v = b.post(200, "tokens", form)
	token := regexp.MustCompile(`<p><code>(ltms_[0-9A-Za-z]{48})</code></p>`).FindStringSubmatch(v.text())
	require.NotNil(t, token, v.text())
	require.Equal(t, "/ui/tokens", v.address, "it is not in the address")
	require.Contains(t, b.post(409, "tokens", form).text(), "This form was sent before")
	require.NotContains(t, b.get(200, "tokens").text(), token[1], "it is shown once")
	require.NotContains(t, p.log.String(), token[1])
	if p.file != "" {
		require.Zero(t, p.count(token[1]))
	}
	listed := p.list("/v1/tokens", "tokens", token[1])
	require.Len(t, listed, 2)
	laptop := named(listed, "laptop")
	require.Equal(t, "2026-10-01T12:00:00Z", laptop["expires_at"])

	b.press(200, "tokens", "issue", "name", "forever", "days", "0")
	require.NotContains(t, named(p.list("/v1/tokens", "tokens", ann), "forever"), "expires_at")
	require.Contains(t, b.press(507, "tokens", "issue", "name", "more", "days", "0").text(), "more tokens than the 3")

	v = b.press(200, "tokens", "revoke", "id", laptop["id"].(string))
	require.Contains(t, v.text(), "The token is revoked")
	p.ok(401, "GET /v1/whoami", request{token: token[1]})
	b.press(404, "tokens", "revoke", "id", laptop["id"].(string))
	v = b.press(200, "tokens", "revoke", "id", "T"+id[1:])
	require.Equal(t, "/ui/sign-in?done=token-revoked", v.address)
	b.get(401, "tokens")

	// A server whose tokens end issues none that lives longer.
	p = start(t, func(o *server.Options) { o.TokenLife = 40 * 24 * 3600e9 })
	b, _, ann = p.member("bob")
	require.NotContains(t, b.get(200, "tokens").text(), `value="90"`)
	b.press(200, "tokens", "issue", "name", "long", "days", "3650")
	require.Equal(t, "2026-10-11T12:00:00Z", named(p.list("/v1/tokens", "tokens", ann), "long")["expires_at"])
}

// named returns the entry with a name.
func named(entries []map[string]any, name string) map[string]any {
	for _, e := range entries {
		if e["name"] == name {
			return e
		}
	}
	return nil
}
