package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// absent is an id that nothing has.
const absent = "00000000-0000-4000-8000-000000000000"

// wall is a server with three applications, two users in each, and rows of all kinds of all of them.
type wall struct {
	srv    *server.Server
	signer *ecdsa.PrivateKey
	owned  map[string]rows // by application's letter and user
}

// rows are ids of a user.
type rows struct{ thread, event, claim, act, marker string }

// answerOf sends a request without a network.
func (w *wall) answerOf(what string, header map[string]string, body string) (int, string) {
	method, path, _ := strings.Cut(what, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.srv.ServeHTTP(rec, r)
	return rec.Code, rec.Body.String()
}

// identities are who may ask: an application for any user, an application for one, and a user with a token.
func (w *wall) identities() []string { return []string{"a", "a/ann", "a/bob", "b", "j/ann"} }

// header returns the credentials of an identity, and the user that its requests name.
func (w *wall) header(t testing.TB, identity string) (header map[string]string, user string) {
	app, user, _ := strings.Cut(identity, "/")
	header = map[string]string{"X-Api-Key": map[string]string{"a": keyA, "b": keyB, "j": keyIssuer}[app]}
	if app == "j" {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: w.signer}, nil)
		require.NoError(t, err)
		text, err := jwt.Signed(signer).Claims(claims(func(c *jwt.Claims) { c.Subject = user })).Serialize()
		require.NoError(t, err)
		header["Authorization"] = "Bearer " + text
	}
	return header, user
}

// mine reports whether an identity may see what a user of an application has.
func mine(identity, owner string) bool {
	return identity == owner || !strings.Contains(identity, "/") && strings.HasPrefix(owner, identity+"/")
}

// newWall builds one over a database.
func newWall(t testing.TB, store *sqlstore.Store) *wall {
	w := &wall{owned: map[string]rows{}}
	var err error
	w.signer, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	issuer := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(out).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: w.signer.Public()}}})
	}))
	t.Cleanup(issuer.Close)
	at := &clock{at: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
	o := server.Options{Storage: store, Now: at.now, AddressRate: plenty(), FailureRate: plenty(), TokenRate: plenty()}
	withMemory(&threads.Models{Chat: &talker{pieces: []string{"Yes."}}})(&o)
	ctx := context.Background()
	app := threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPJ", Name: "j", CreatedAt: at.now(), Settings: threads.Settings{
		Issuer: &threads.Issuer{URL: "https://issuer.example", Audience: "chat", JWKS: issuer.URL}}}
	require.NoError(t, store.Threads().CreateApp(ctx, app))
	require.NoError(t, store.Threads().CreateKey(ctx, threads.Key{ID: "KJ", App: app.ID, Name: "test",
		Hash: server.Hash(keyIssuer), CreatedAt: at.now()}))
	w.srv, err = server.New(o)
	require.NoError(t, err)
	for _, owner := range []string{"a/ann", "a/bob", "b/ann", "b/eve", "j/ann", "j/bob"} {
		w.owned[owner] = w.fill(t, owner)
	}
	_, err = o.Memory.(*threads.Service).RunDue(ctx)
	require.NoError(t, err)
	return w
}

// fill gives a user a thread, events, a reaction, a summary and a claim, all with a word that no other user has.
func (w *wall) fill(t testing.TB, owner string) (own rows) {
	header, user := w.header(t, owner)
	own.marker = "zebra" + strings.ReplaceAll(owner, "/", "") + "quagga"
	do := func(what string, body any) map[string]any {
		b, err := json.Marshal(body)
		require.NoError(t, err)
		status, text := w.answerOf(what, header, string(b))
		require.Less(t, status, 300, "%s: %s", what, text)
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		return v
	}
	own.thread = do("POST /v1/threads", map[string]string{"user_id": user, "title": own.marker})["thread_id"].(string)
	path := "/v1/threads/" + own.thread
	do("POST "+path+"/events", map[string]string{"actor": "user", "content": "My dog is called " + own.marker + "."})
	own.event = do("POST "+path+"/events", map[string]string{"actor": "assistant",
		"content": "I will remember that your dog is called " + own.marker + "."})["event_id"].(string)
	do("POST "+path+"/events/"+own.event+"/reaction", map[string]string{"reaction": "heart"})
	do("POST "+path+"/promote-core-memory", nil)
	own.claim = do("POST /v1/claims", map[string]string{"user_id": user, "bucket": "PROFILE",
		"text": "has a dog called " + own.marker})["claim"].(map[string]any)["id"].(string)
	own.act = do("POST /v1/claims/"+own.claim+"/deprecate",
		map[string]string{"user_id": user})["act"].(map[string]any)["id"].(string)
	do("POST /v1/acts/"+own.act+"/undo", map[string]string{"user_id": user})
	return own
}

// state returns all that a user has, as its application reads it.
func (w *wall) state(t testing.TB, owner string) string {
	header, user := w.header(t, owner)
	var all strings.Builder
	own := w.owned[owner]
	for _, what := range []string{"GET /v1/threads?user_id=" + user, "GET /v1/claims?user_id=" + user,
		"GET /v1/threads/" + own.thread + "/events?detail=true", "GET /v1/threads/" + own.thread + "/summaries",
		"GET /v1/claims/" + own.claim + "/history?user_id=" + user, "GET /v1/changes?limit=1000&user_id=" + user} {
		status, body := w.answerOf(what, header, "")
		require.Equal(t, 200, status, "%s: %s", what, body)
		all.WriteString(body)
	}
	return all.String()
}

// appRoutes returns the routes of applications.
func appRoutes(s *server.Server) (patterns []string) {
	for _, pattern := range s.Patterns() {
		for _, part := range []string{"/v1/threads", "/v1/claims", "/v1/acts", "/v1/search", "/v1/retrieve",
			"/v1/changes", "/v1/jobs", "/v1/users"} {
			if strings.Contains(pattern, " "+part) {
				patterns = append(patterns, pattern)
				break
			}
		}
	}
	return patterns
}

// bodies are what a request may say about a user's rows.
func bodies(own rows, user string) []string {
	named := ""
	if user != "" {
		named = `"user_id":` + string(quotedJSON(user)) + `,`
	}
	return []string{`{` + named + `"title":"t","actor":"user","content":"c","latest_user_text":"t","text":"t"}`,
		`{` + named + `"thread_id":"` + own.thread + `","query":"dog"}`,
		`{` + named + `"other":"` + own.claim + `"}`, `{` + named + `"note":"n"}`, `{"reaction":null}`, `{"reaction":"sad"}`,
		`{` + named + `"bucket":"PROFILE","text":"x","event_id":"` + own.event + `"}`,
		`{"events":[{"actor":"user","content":"c"}]}`}
}

func quotedJSON(text string) []byte {
	b, _ := json.Marshal(text) // a text can always be
	return b
}

// fillIn puts ids into a pattern. The ids of acts and claims have the same name in patterns.
func fillIn(pattern string, own rows, user string) string {
	id := own.claim
	if strings.Contains(pattern, "/acts/") {
		id = own.act
	}
	return strings.NewReplacer("{t}", own.thread, "{e}", own.event, "{id}", id, "{user}", user).Replace(pattern)
}

var requestID = regexp.MustCompile(`"request_id": "[0-9A-Z]{26}"`)

// plain returns an answer without what is the same as in its request, and differs therefore.
func plain(body string, own rows) string {
	body = requestID.ReplaceAllString(body, `"request_id": ""`)
	for _, id := range []string{own.thread, own.event, own.claim, own.act} {
		body = strings.ReplaceAll(body, id, absent)
	}
	return body
}

// compare sends a request about what an owner has, and the same about what does not exist, and checks that who may
// not see it cannot tell the difference.
func (w *wall) compare(t testing.TB, identity, owner, pattern, body string, named bool) {
	if !named && identity[0] != 'j' && identity[0] == owner[0] {
		return // an application that names no user sees what all of its users have
	}
	if body != "" && strings.HasPrefix(pattern, "DELETE ") && pattern != "DELETE /v1/threads/{t}" {
		body = "" // a body with a field is refused whatever it is about
	}
	own, none := w.owned[owner], rows{absent, absent, absent, absent, "nothing"}
	header, user := w.header(t, identity)
	_, theirs, _ := strings.Cut(owner, "/")
	what, nothing := fillIn(pattern, own, theirs), fillIn(pattern, none, "nobody")
	if named && !strings.Contains(pattern, "/v1/users") && !strings.Contains(pattern, "POST /v1/threads ") {
		what, nothing = what+"?user_id="+user, nothing+"?user_id="+user
		if user == "" {
			return
		}
	}
	if strings.Contains(pattern, "/v1/users") { // whoever speaks for an application has all of its names as users
		if identity[0] != 'j' || theirs == user {
			return
		}
	}
	replaced := body
	for _, id := range []string{own.thread, own.event, own.claim, own.act} {
		replaced = strings.ReplaceAll(replaced, id, absent)
	}
	status, text := w.answerOf(what, header, body)
	wantStatus, want := w.answerOf(nothing, header, replaced)
	require.Less(t, status, 500, "%s: %s", what, text)
	require.NotContains(t, text, own.marker, "%s as %s", what, identity)
	if strings.Contains(what, absent) || what != nothing || body != replaced {
		require.Equal(t, wantStatus, status, "%s as %s: %s", what, identity, text)
		require.Equal(t, plain(want, own), plain(text, own), "%s as %s", what, identity)
	}
}

// TestWallBetweenUsers tries every route with every identity on what others have.
func TestWallBetweenUsers(t *testing.T) {
	p := start(t)
	w := newWall(t, p.store.(*sqlstore.Store))
	before := map[string]string{}
	for owner := range w.owned {
		before[owner] = w.state(t, owner)
	}
	routes := appRoutes(w.srv)
	require.Greater(t, len(routes), 28)
	tried := 0
	for _, identity := range w.identities() {
		for owner, own := range w.owned {
			if mine(identity, owner) {
				continue
			}
			_, user := w.header(t, identity)
			for _, pattern := range routes {
				if creates(pattern) {
					continue
				}
				for _, body := range bodies(own, user) {
					w.compare(t, identity, owner, pattern, body, true)
					tried++
					w.compare(t, identity, owner, pattern, body, false)
					if strings.HasPrefix(pattern, "GET ") || strings.HasPrefix(pattern, "DELETE ") {
						break
					}
				}
			}
		}
	}
	require.Greater(t, tried, 3000)
	for owner := range w.owned {
		require.Equal(t, before[owner], w.state(t, owner), owner)
	}
}

// creates reports whether a route makes something that is its caller's own.
func creates(pattern string) bool {
	return slices.Contains([]string{"POST /v1/threads", "POST /v1/users/{user}/import"}, pattern)
}

// FuzzWall picks a route, who asks and about whom, and what they say.
func FuzzWall(f *testing.F) {
	store, err := sqlite.Open(context.Background(), filepath.Join(f.TempDir(), "ltm.db"), sqlite.Options{})
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, store.Close()) })
	w := newWall(f, store)
	routes, identities := appRoutes(w.srv), w.identities()
	owners := []string{"a/ann", "a/bob", "b/ann", "b/eve", "j/ann", "j/bob"}
	f.Fuzz(func(t *testing.T, route, who, whose, say uint8, named bool, extra string) {
		pattern := routes[int(route)%len(routes)]
		identity, owner := identities[int(who)%len(identities)], owners[int(whose)%len(owners)]
		if mine(identity, owner) || creates(pattern) || strings.Contains(pattern, "/v1/changes") {
			return
		}
		_, user := w.header(t, identity)
		all := bodies(w.owned[owner], user)
		body := all[int(say)%len(all)]
		if extra != "" {
			body = strings.ReplaceAll(extra, "$", w.owned[owner].thread)
		}
		w.compare(t, identity, owner, pattern, body, named)
	})
}
