package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/server"
)

// The tests of weaknesses are named for what was seen of the reference implementation, in its order.

func TestWeakness1OverwritingStrangersPackets(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Ann's goal.")})

	// Bob's packet with the same id is another one.
	p.ok(404, "GET /v1/packets/"+idA, request{token: bob})
	p.ok(201, "POST /v1/packets", request{token: bob, body: packetText(idA, "Bob's goal.")})
	require.Equal(t, "Ann's goal.", p.goal(idA, ann))
	require.Equal(t, "Bob's goal.", p.goal(idA, bob))
	p.ok(204, "DELETE /v1/packets/"+idA, request{token: bob})
	require.Equal(t, "Ann's goal.", p.goal(idA, ann))
}

func TestWeakness1OverwritingAMembersPacket(t *testing.T) {
	p, ann, bob := startTeam(t)
	p.ok(201, "POST /v1/packets?team=alpha", request{token: ann, body: packetText(idA, "Ann's goal.")})
	p.ok(409, "POST /v1/packets?team=alpha", request{token: bob, body: packetText(idA, "Bob's goal.")})
	require.Equal(t, "Ann's goal.", p.goal(idA, bob))

	// Deleted, it is still Ann's: Bob does not bring it back.
	p.ok(204, "DELETE /v1/packets/"+idA, request{token: ann})
	p.ok(409, "POST /v1/packets?team=alpha", request{token: bob, body: packetText(idA, "Bob's goal.")})
	p.ok(404, "GET /v1/packets/"+idA, request{token: bob})
	p.ok(201, "POST /v1/packets?team=alpha", request{token: ann, body: packetText(idA, "Ann's new goal.")})
	require.Equal(t, "Ann's new goal.", p.goal(idA, bob))
}

func TestWeakness1PacketsOfADeletedTeam(t *testing.T) {
	p, ann, bob := startTeam(t)
	p.ok(201, "POST /v1/packets?team=alpha", request{token: bob, body: packetText(idA, "For the team.")})
	p.ok(204, "DELETE /v1/teams/alpha", request{token: ann})
	p.ok(404, "GET /v1/packets/"+idA, request{token: bob})
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Ann's goal.")})
	p.ok(404, "GET /v1/packets/"+idA, request{token: bob})
	require.Equal(t, "Ann's goal.", p.goal(idA, ann))
}

func TestWeakness2LostUpdates(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	first := p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "One."),
		header: map[string]string{"If-None-Match": "*"}}).header.Get("ETag")
	p.ok(412, "POST /v1/packets", request{token: ann, body: packetText(idA, "Two."),
		header: map[string]string{"If-None-Match": "*"}})
	second := p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Two."),
		header: map[string]string{"If-Match": first}}).header.Get("ETag")
	require.NotEqual(t, first, second)
	p.ok(412, "POST /v1/packets", request{token: ann, body: packetText(idA, "Three."),
		header: map[string]string{"If-Match": first}})
	p.ok(412, "DELETE /v1/packets/"+idA, request{token: ann, header: map[string]string{"If-Match": first}})
	require.Equal(t, "Two.", p.goal(idA, ann))

	got := p.ok(200, "GET /v1/packets/"+idA, request{token: ann})
	require.Equal(t, second, got.header.Get("ETag"))
	for _, match := range []string{second, "W/" + second, `"x", ` + second, "*"} {
		same := p.do("GET /v1/packets/"+idA, request{token: ann, header: map[string]string{"If-None-Match": match}})
		require.Equal(t, http.StatusNotModified, same.status, match)
		require.Empty(t, same.body)
		require.Equal(t, second, same.header.Get("ETag"))
	}
	p.ok(204, "DELETE /v1/packets/"+idA, request{token: ann, header: map[string]string{"If-Match": second}})

	for _, bad := range []string{`x`, `"a", "b"`, `W/"a"`, `""`, `"`} {
		p.ok(400, "POST /v1/packets", request{token: ann, body: packetText(idB, "x"),
			header: map[string]string{"If-Match": bad}})
	}
	p.ok(400, "POST /v1/packets", request{token: ann, body: packetText(idB, "x"),
		header: map[string]string{"If-None-Match": `"a"`}})
	p.ok(404, "GET /v1/packets/"+idB, request{token: ann})
}

func TestWeakness2RepeatedRequests(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	key := map[string]string{"Idempotency-Key": "3f9a"}
	first := p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`, header: key})
	again := p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`, header: key})
	require.Equal(t, string(first.body), string(again.body))
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.Equal(t, first.header.Get("Content-Type"), again.header.Get("Content-Type"))
	p.ok(422, "POST /v1/teams", request{token: ann, body: `{"name":"beta"}`, header: key})
	p.ok(201, "POST /v1/teams", request{token: bob, body: `{"name":"beta"}`, header: key}) // keys are a user's own

	// A failure is not kept.
	key["Idempotency-Key"] = "another"
	p.ok(409, "POST /v1/teams", request{token: bob, body: `{"name":"alpha"}`, header: key})
	p.ok(204, "DELETE /v1/teams/alpha", request{token: ann})
	p.ok(201, "POST /v1/teams", request{token: bob, body: `{"name":"alpha"}`, header: key})

	// Other methods do the same however often they are used.
	p.ok(200, "GET /v1/teams", request{token: ann, header: key})
	p.ok(404, "DELETE /v1/teams/nope", request{token: ann, header: key})

	// Answers with secrets are not kept, so a key is refused.
	p.ok(400, "POST /v1/teams/alpha/invites", request{token: bob, header: key})
	for _, bad := range []string{strings.Repeat("k", 256), "two words", "\x7f"} {
		a, err := p.try("POST /v1/teams", request{token: ann, body: `{"name":"gamma"}`,
			header: map[string]string{"Idempotency-Key": bad}})
		if err == nil { // Go's client refuses to send some
			require.Equal(t, 400, a.status, bad)
		}
	}
}

func TestWeakness2RepeatedRequestsAtOnce(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	var wg sync.WaitGroup
	statuses := make([]int, 16)
	for i := range statuses {
		wg.Go(func() {
			a, err := p.try("POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`,
				header: map[string]string{"Idempotency-Key": "same"}})
			if err == nil {
				statuses[i] = a.status
			}
		})
	}
	wg.Wait()
	created := 0
	for _, status := range statuses {
		require.Contains(t, []int{201, 409}, status)
		if status == 201 {
			created++
		}
	}
	require.Positive(t, created)
	require.Len(t, p.list("/v1/teams", "teams", ann), 1)
}

func TestWeakness3ListsShowTheNewestText(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	at := func(id, created, goal string) {
		body := strings.Replace(packetText(id, goal), "2026-08-28T09:15:30Z", created, 1)
		p.ok(201, "POST /v1/packets", request{token: ann, body: body})
	}
	at(idA, "2026-08-28T09:15:30Z", "First.")
	at(idA, "2026-08-28T09:15:31Z", "Second.")
	at(idB, "2026-08-28T09:15:30.5Z", "Half a second later than the first.")
	listed := p.list("/v1/packets", "packets", ann)
	require.Equal(t, map[string]any{"created_at": "2026-08-28T09:15:31Z", "goal": "Second.", "id": idA}, listed[0])
	require.Equal(t, idB, listed[1]["id"])

	at(idA, "2026-08-28T09:15:30Z", "Whole seconds are older than half a second more.")
	require.Equal(t, idB, p.list("/v1/packets", "packets", ann)[0]["id"])

	// A wrong clock does not keep a packet on top: it counts as of when it came.
	at("01K3Q8ZJ6M4T2V9XWBDN7RHE99", "2099-01-01T00:00:00Z", "From the future.")
	p.clock.advance(time.Hour)
	at(idB, "2026-09-01T12:30:00Z", "Later.")
	listed = p.list("/v1/packets", "packets", ann)
	require.Equal(t, "Later.", listed[0]["goal"])
	require.Equal(t, "2026-09-01T12:00:00Z", listed[1]["created_at"])
	require.Contains(t, string(p.ok(200, "GET /v1/packets/01K3Q8ZJ6M4T2V9XWBDN7RHE99", request{token: ann}).body),
		"2099-01-01T00:00:00Z")
}

func TestWeakness4ListsEndAt500(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	const packets = 523
	for i := range packets {
		p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(fmt.Sprintf("packet-%04d", i), "Go on.")})
	}
	var a answer
	seen := map[string]bool{}
	for path, pages := "/v1/packets?limit=501", 1; ; pages++ {
		a = p.ok(200, "GET "+path, request{token: ann})
		v := a.value(t)
		for _, e := range v["packets"].([]any) {
			id := e.(map[string]any)["id"].(string)
			require.False(t, seen[id], id)
			seen[id] = true
		}
		next, more := v["next"].(string)
		link := a.header.Get("Link")
		if !more {
			require.Empty(t, link)
			require.Equal(t, 2, pages)
			break
		}
		require.Equal(t, float64(500), v["limit"], "a smaller number than was asked for is named")
		path = strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
		require.Contains(t, path, "cursor="+next)
	}
	require.Len(t, seen, packets)
	for limit, want := range map[string]int{"0": 50, "-1": 50, "x": 50, "9999999999999999999999": 50, "501": 500} {
		v := p.ok(200, "GET /v1/packets?limit="+limit, request{token: ann}).value(t)
		require.Len(t, v["packets"], want, limit)
		require.Equal(t, float64(want), v["limit"], limit)
	}
	require.NotContains(t, p.ok(200, "GET /v1/packets?limit=500", request{token: ann}).value(t), "limit")
}

func TestWeakness4NoFilters(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	push := func(id, created, rest string) {
		p.ok(201, "POST /v1/packets", request{token: ann, body: `{"ltm_version":"0.2","id":"` + id +
			`","created_at":"` + created + `","goal":"Keep the clocks right","next_step":"Run it"` + rest + `}`})
	}
	push("packet-one", "2026-08-01T00:00:00Z", `,"tags":["red","blue"],"project":{"name":"tide gauge"}`)
	push("packet-two", "2026-08-02T00:00:00Z", `,"tags":["red"],"parent_id":"packet-one"`)
	push("packet-three", "2026-08-03T00:00:00Z", `,"constraints":["No restarts of réseau"]`)
	for query, want := range map[string][]string{
		"tag=red":                                 {"packet-two", "packet-one"},
		"tag=green":                               nil,
		"project=tide+gauge":                      {"packet-one"},
		"parent=packet-one":                       {"packet-two"},
		"since=2026-08-02T00:00:00Z":              {"packet-three", "packet-two"},
		"since=2026-08-02T02:00:00%2B02:00":       {"packet-three", "packet-two"},
		"text=clock":                              {"packet-three", "packet-two", "packet-one"},
		"text=restart+reseau":                     {"packet-three"},
		"text=restart+tide":                       nil,
		"tag=red&text=clock&project=tide%20gauge": {"packet-one"},
	} {
		var got []string
		for _, e := range p.list("/v1/packets?"+query, "packets", ann) {
			got = append(got, e["id"].(string))
		}
		require.Equal(t, want, got, query)
	}
	one := p.list("/v1/packets?detail=true&parent=packet-one", "packets", ann)[0]
	require.Equal(t, "packet-one", one["parent_id"])
	require.Equal(t, "ann", one["author"])
	require.Equal(t, []any{"red"}, one["tags"])
	version := p.ok(200, "GET /v1/packets/packet-two", request{token: ann}).header.Get("ETag")
	require.Equal(t, strings.Trim(version, `"`), one["version"])
}

func TestWeakness4BadFilters(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	for i := range 3 {
		p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(fmt.Sprintf("packet-%04d", i), "Go on.")})
	}
	cursor := p.ok(200, "GET /v1/packets?limit=1", request{token: ann}).value(t)["next"].(string)
	_, bob := p.newUser("bob")
	for _, query := range []string{"since=yesterday", "since=2026-08-28", "text=%20.,",
		"text=" + strings.Repeat("a", 257),
		"tag=%ff", "detail=yes", "cursor=x", "cursor=" + strings.Repeat("A", 9000), "tagg=red", "limit=1&limit=2",
		"a;b", "tag=red&cursor=" + cursor, "cursor=" + cursor + "A", "cursor=" + cursor[:len(cursor)-30]} {
		p.ok(400, "GET /v1/packets?"+query, request{token: ann})
	}
	p.ok(400, "GET /v1/packets?cursor="+cursor, request{token: bob})
	p.ok(200, "GET /v1/packets?limit=2&cursor="+cursor, request{token: ann})
	for _, team := range []string{"nope", "Alpha", "a/b", "\x00", strings.Repeat("x", 2000), "é"} {
		p.ok(404, "GET /v1/packets?team="+url.QueryEscape(team), request{token: ann})
		p.ok(404, "GET /v1/teams/"+url.PathEscape(team)+"/members", request{token: ann})
	}
	for _, id := range []string{"\x00", strings.Repeat("x", 2000), "../../etc", "é", "%"} {
		p.ok(404, "GET /v1/packets/"+url.PathEscape(id), request{token: ann})
	}
}

func TestWeakness5DeletedTextStays(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	const text = "Qwertzuiop the secret plan."
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, text)})
	require.Positive(t, p.count("Qwertzuiop"), "the test looks at the right files")
	p.ok(204, "DELETE /v1/packets/"+idA, request{token: ann})
	p.clock.advance(time.Hour)
	_, err := p.store.Purge(t.Context(), p.clock.now())
	require.NoError(t, err)
	require.Zero(t, p.count("Qwertzuiop"))
	require.Zero(t, p.count("qwertzuiop"))
}

func TestWeakness5NoQuotas(t *testing.T) {
	p := start(t, func(o *server.Options) {
		o.Quota = server.Quota{Packets: 2, Bytes: 1000}
		o.MaxTeams, o.MaxMembers, o.MaxInvites = 1, 2, 2
	})
	_, ann := p.newUser("ann")
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "One.")})
	p.ok(507, "POST /v1/packets", request{token: ann, body: packetText(idB, strings.Repeat("x", 1000))})
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idB, "Two.")})
	full := p.ok(507, "POST /v1/packets", request{token: ann, body: packetText("packet-three", "Three.")})
	require.Empty(t, full.header.Get("Retry-After"), "time alone makes no room")
	require.Equal(t, "/docs#quota", full.value(t)["type"])
	require.Contains(t, full.value(t)["detail"], "more packets than the 2")
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idB, "Two again.")})

	p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
	p.ok(507, "POST /v1/teams", request{token: ann, body: `{"name":"beta"}`})
	one := p.invite("alpha", ann)
	two := p.invite("alpha", ann)
	p.ok(507, "POST /v1/teams/alpha/invites", request{token: ann})
	p.ok(201, "POST /v1/invites/"+one+"/accept", request{})
	p.ok(507, "POST /v1/invites/"+two+"/accept", request{})
	require.Len(t, p.list("/v1/teams/alpha/members", "members", ann), 2)
}

func TestWeakness6StoredPacketsGrow(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	head := `{"ltm_version":"0.2","id":"` + idA + `","created_at":"2026-08-28T09:15:30Z","next_step":"<>&","goal":"g",` +
		`"constraints":["` + strings.Repeat("<", 1024) + `"`
	body := head + strings.Repeat(`,"`+strings.Repeat("&", 1000)+`"`, 23) + `]}`
	p.ok(201, "POST /v1/packets", request{token: ann, body: body})
	got := p.ok(200, "GET /v1/packets/"+idA, request{token: ann}).body
	require.LessOrEqual(t, len(got), len(body))
	_, err := packet.Parse(got)
	require.NoError(t, err)
	again := p.ok(201, "POST /v1/packets", request{token: ann, body: string(got)})
	stored := p.ok(200, "GET /v1/packets/"+idA, request{token: ann})
	require.Equal(t, again.header.Get("ETag"), stored.header.Get("ETag"))
}
