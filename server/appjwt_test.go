package server_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/threads"
)

// issuer is an issuer of tokens on loopback.
type issuer struct {
	t     *testing.T
	http  *httptest.Server
	keys  atomic.Value // []jose.JSONWebKey
	reads atomic.Int32
	mode  atomic.Value // "", "down", "huge", "garbled", "elsewhere", "empty"
}

func startIssuer(t *testing.T, keys ...jose.JSONWebKey) *issuer {
	i := &issuer{t: t}
	i.keys.Store(keys)
	i.mode.Store("")
	i.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.reads.Add(1)
		switch i.mode.Load() {
		case "down":
			w.WriteHeader(500)
			return
		case "huge":
			_, _ = w.Write([]byte(strings.Repeat(" ", 300<<10)))
		case "garbled":
			_, _ = w.Write([]byte("<html>"))
			return
		case "empty":
			_, _ = w.Write([]byte(`{"keys":[]}`))
			return
		case "elsewhere":
			if r.URL.Path == "/keys" {
				http.Redirect(w, r, "/other", http.StatusFound)
				return
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys.Load()})
	}))
	t.Cleanup(i.http.Close)
	return i
}

// place starts a server with an application whose users come from this issuer.
func (i *issuer) place() *place {
	return start(i.t, withApps, func(o *server.Options) {
		o.Memory.(emptyMemory).apps[keyIssuer] = threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPJ", Name: "j",
			Settings: threads.Settings{Issuer: &threads.Issuer{URL: "https://issuer.example", Audience: "chat",
				JWKS: i.http.URL + "/keys"}}}
	})
}

func public(private crypto.Signer, id string) jose.JSONWebKey {
	return jose.JSONWebKey{Key: private.Public(), KeyID: id, Use: "sig"}
}

// claims are those of a good token at the time of tests.
func claims(change func(*jwt.Claims)) jwt.Claims {
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	c := jwt.Claims{Issuer: "https://issuer.example", Subject: "ann", Audience: jwt.Audience{"other", "chat"},
		Expiry: jwt.NewNumericDate(at.Add(time.Hour)), IssuedAt: jwt.NewNumericDate(at)}
	if change != nil {
		change(&c)
	}
	return c
}

func signed(t *testing.T, algorithm jose.SignatureAlgorithm, key any, id string, c any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: id}}, nil)
	require.NoError(t, err)
	text, err := jwt.Signed(signer).Claims(c).Serialize()
	require.NoError(t, err)
	return text
}

// as returns a request of the application with an issuer for the user of a token.
func as(token string, body ...string) request {
	r := of(keyIssuer, body...)
	r.token = token
	return r
}

func ecKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	return key
}

func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	require.NoError(t, err)
	return key
}

func TestUsersOfAnIssuer(t *testing.T) {
	ec, rs := ecKey(t, elliptic.P256()), rsaKey(t, 2048)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	i := startIssuer(t, public(ec, "e"), public(rs, "r"), public(ed, "d"))
	p := i.place()
	asks := p.memory.(emptyMemory).asks
	for algorithm, key := range map[jose.SignatureAlgorithm]crypto.Signer{jose.ES256: ec, jose.RS256: rs,
		jose.EdDSA: ed} {
		id := map[jose.SignatureAlgorithm]string{jose.ES256: "e", jose.RS256: "r", jose.EdDSA: "d"}[algorithm]
		for _, kid := range []string{id, ""} {
			*asks = nil
			p.ok(200, "GET /v1/threads?user_id=bob", as(signed(t, algorithm, key, kid, claims(nil))))
			require.Equal(t, []string{"ann"}, *asks, "the token goes before what the request names")
		}
	}
	require.EqualValues(t, 1, i.reads.Load(), "the keys are kept")
	good := signed(t, jose.ES256, ec, "e", claims(nil))
	p.ok(200, "GET /v1/users/ann/export", as(good))
	for _, what := range []string{"GET /v1/users/bob/export", "DELETE /v1/users/bob", "POST /v1/users/bob/import"} {
		p.ok(404, what, as(good))
	}
	for name, r := range map[string]request{"no token": of(keyIssuer), "the key as token": as(keyIssuer),
		"the key alone as token": {token: keyIssuer}, "no key": {token: good},
		"another application's key": {token: good,
			header: map[string]string{"X-API-Key": keyA}}} {
		require.Equal(t, 401, p.do("GET /v1/threads", r).status, name)
	}
}

func TestWrongTokensOfAnIssuer(t *testing.T) {
	ec, rs := ecKey(t, elliptic.P256()), rsaKey(t, 2048)
	weak, wide := rsaKey(t, 1024), ecKey(t, elliptic.P384())
	enc := public(rs, "enc")
	enc.Use = "enc"
	i := startIssuer(t, public(ec, "e"), public(rs, "r"), public(weak, "weak"), public(wide, "wide"), enc)
	p := i.place()
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) *jwt.NumericDate { return jwt.NewNumericDate(at.Add(d)) }
	es := func(change func(*jwt.Claims)) string { return signed(t, jose.ES256, ec, "e", claims(change)) }
	p.ok(200, "GET /v1/threads",
		as(es(func(c *jwt.Claims) { c.Expiry = date(-30 * time.Second) }))) // within the leeway

	spki, err := json.Marshal(public(rs, "r"))
	require.NoError(t, err)
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." +
		strings.Split(es(nil), ".")[1] + "."
	good := es(nil)
	parts := strings.Split(good, ".")
	other := strings.Split(es(func(c *jwt.Claims) { c.Subject = "bob" }), ".")
	for name, token := range map[string]string{
		"expired":                es(func(c *jwt.Claims) { c.Expiry = date(-2 * time.Minute) }),
		"without end":            es(func(c *jwt.Claims) { c.Expiry = nil }),
		"not yet":                es(func(c *jwt.Claims) { c.NotBefore = date(2 * time.Minute) }),
		"from the future":        es(func(c *jwt.Claims) { c.IssuedAt = date(2 * time.Minute) }),
		"another issuer":         es(func(c *jwt.Claims) { c.Issuer = "https://issuer.example/" }),
		"no issuer":              es(func(c *jwt.Claims) { c.Issuer = "" }),
		"another audience":       es(func(c *jwt.Claims) { c.Audience = jwt.Audience{"other"} }),
		"no audience":            es(func(c *jwt.Claims) { c.Audience = nil }),
		"no subject":             es(func(c *jwt.Claims) { c.Subject = "" }),
		"a bad subject":          es(func(c *jwt.Claims) { c.Subject = "a\nb" }),
		"a long subject":         es(func(c *jwt.Claims) { c.Subject = strings.Repeat("s", 129) }),
		"not signed":             none,
		"a public key as secret": signed(t, jose.HS256, spki, "r", claims(nil)),
		"a stranger's key":       signed(t, jose.ES256, ecKey(t, elliptic.P256()), "e", claims(nil)),
		"another's payload":      parts[0] + "." + other[1] + "." + parts[2],
		"another algorithm":      signed(t, jose.PS256, rs, "r", claims(nil)),
		"a weak key":             signed(t, jose.RS256, weak, "weak", claims(nil)),
		"a wide key":             signed(t, jose.ES384, wide, "wide", claims(nil)),
		"a key to encrypt":       signed(t, jose.RS256, rs, "enc", claims(nil)),
		"another's key id":       signed(t, jose.ES256, ec, "r", claims(nil)),
		"no claims":              signed(t, jose.ES256, ec, "e", map[string]any{}),
		"claims of wrong types":  signed(t, jose.ES256, ec, "e", map[string]any{"exp": "soon", "sub": 1}),
		"too long":               good + strings.Repeat("A", 9000),
		"two parts":              parts[0] + "." + parts[1],
		"garbage":                "a.b.c",
	} {
		a := p.do("GET /v1/threads", as(token))
		require.Equal(t, 401, a.status, "%s: %s", name, a.body)
		require.Contains(t, a.header.Get("WWW-Authenticate"), "invalid_token", name)
		require.NotContains(t, p.log.String(), token)
	}
}

func TestKeysOfAnIssuerChange(t *testing.T) {
	first, second := ecKey(t, elliptic.P256()), ecKey(t, elliptic.P256())
	i := startIssuer(t, public(first, "1"))
	p := i.place()
	token := func(key *ecdsa.PrivateKey, id string) request {
		return as(signed(t, jose.ES256, key, id, claims(func(c *jwt.Claims) {
			c.Expiry = jwt.NewNumericDate(c.IssuedAt.Time().Add(24 * time.Hour))
		})))
	}
	p.ok(200, "GET /v1/threads", token(first, "1"))
	for range 20 { // an unknown key does not ask the issuer each time
		p.ok(401, "GET /v1/threads", token(second, "2"))
	}
	require.EqualValues(t, 1, i.reads.Load())
	i.keys.Store([]jose.JSONWebKey{public(second, "2")})
	p.clock.advance(31 * time.Second)
	p.ok(200, "GET /v1/threads", token(second, "2"))
	p.ok(401, "GET /v1/threads", token(first, "1"))
	require.EqualValues(t, 2, i.reads.Load())

	i.mode.Store("down")
	p.clock.advance(11 * time.Minute)
	p.ok(200, "GET /v1/threads", token(second, "2")) // what was read before counts for an hour
	require.EqualValues(t, 3, i.reads.Load())
	p.ok(200, "GET /v1/threads", token(second, "2"))
	require.EqualValues(t, 3, i.reads.Load(), "it is not asked at every request")
	p.clock.advance(50 * time.Minute)
	p.ok(503, "GET /v1/threads", token(second, "2"))
	i.mode.Store("")
	p.clock.advance(10 * time.Second)
	p.ok(200, "GET /v1/threads", token(second, "2"))
}

// TestKeysOfAnIssuerChangeUnderTheSameName checks issuers whose keys have no ids, or keep the id when the key changes.
func TestKeysOfAnIssuerChangeUnderTheSameName(t *testing.T) {
	for _, id := range []string{"", "1"} {
		first, second := ecKey(t, elliptic.P256()), ecKey(t, elliptic.P256())
		i := startIssuer(t, public(first, id))
		p := i.place()
		p.ok(200, "GET /v1/threads", as(signed(t, jose.ES256, first, id, claims(nil))))
		i.keys.Store([]jose.JSONWebKey{public(second, id)})
		for range 20 {
			p.ok(401, "GET /v1/threads", as(signed(t, jose.ES256, second, id, claims(nil))))
		}
		require.EqualValues(t, 1, i.reads.Load())
		p.clock.advance(31 * time.Second)
		p.ok(200, "GET /v1/threads", as(signed(t, jose.ES256, second, id, claims(nil))))
		p.ok(401, "GET /v1/threads", as(signed(t, jose.ES256, first, id, claims(nil))))
		require.EqualValues(t, 2, i.reads.Load())
	}
}

func TestIssuersThatFail(t *testing.T) {
	key := ecKey(t, elliptic.P256())
	for _, mode := range []string{"down", "huge", "garbled", "elsewhere", "empty"} {
		i := startIssuer(t, public(key, "1"))
		i.mode.Store(mode)
		p := i.place()
		r := as(signed(t, jose.ES256, key, "1", claims(nil)))
		a := p.ok(503, "GET /v1/threads", r)
		require.NotContains(t, string(a.body), i.http.URL)
		p.ok(503, "GET /v1/threads", r)
		require.EqualValues(t, 1, i.reads.Load(), mode)
		require.Contains(t, p.log.String(), i.http.URL, "the operator is told which")
	}
	i := startIssuer(t, public(key, "1"))
	p := i.place()
	apps := p.memory.(emptyMemory).apps
	for _, address := range []string{"http://issuer.example/keys", "ftp://127.0.0.1/keys", "",
		"https://u:p@127.0.0.1/k",
		"file:///etc/passwd"} {
		apps[keyIssuer].Settings.Issuer.JWKS = address
		p.ok(503, "GET /v1/threads", as(signed(t, jose.ES256, key, "1", claims(nil))))
	}
	apps[keyIssuer].Settings.Issuer.JWKS, apps[keyIssuer].Settings.Issuer.Audience = i.http.URL, ""
	require.Equal(t, 503, p.do("GET /v1/threads", as(signed(t, jose.ES256, key, "1", claims(nil)))).status)
}
