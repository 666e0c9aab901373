package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"ltm/internal/loopback"
	"ltm/server/threads"
)

// The limits of issuers' keys and tokens.
const (
	keysFresh  = 10 * time.Minute // after which they are read again
	keysStale  = time.Hour        // for which they still count if they cannot be read again
	keysAgain  = 30 * time.Second // at least, between two readings because no key fits a token
	keysRetry  = 5 * time.Second  // at least, between two readings that fail
	keysTime   = 5 * time.Second  // to read them
	maxKeys    = 256 << 10        // bytes of them
	maxKeyList = 64               // of them that are looked at
	maxJWT     = 8 << 10          // bytes of a token
	leeway     = time.Minute      // between the clocks
	minRSA     = 2048             // bits
)

// badToken is what is wrong with a JWT.
type badToken struct {
	reason  string
	expired bool // that alone
}

// Error implements error.
func (b *badToken) Error() string { return b.reason }

// issuers has the keys of issuers, by the address that they are read from.
type issuers struct {
	now  func() time.Time
	http *http.Client

	mu  sync.Mutex
	all map[string]*keySet
}

// keySet is the keys of an address.
type keySet struct {
	reading sync.Mutex // one reading at a time; who has no key for their token waits for it

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	readAt  time.Time // of the keys; zero: never
	triedAt time.Time
	err     error // of the last try
}

func newIssuers(now func() time.Time) *issuers {
	return &issuers{now: now, all: map[string]*keySet{}, http: &http.Client{Timeout: keysTime,
		// Only the address that an operator configured is asked, and none that it redirects to.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: (&net.Dialer{Timeout: keysTime}).DialContext,
			TLSHandshakeTimeout: keysTime, MaxResponseHeaderBytes: 64 << 10, MaxIdleConns: 8,
			IdleConnTimeout: idleTime, ForceAttemptHTTP2: true}}}
}

// user returns whom a token of an issuer names. The error is a [badToken], or that of reading the keys.
func (i *issuers) user(ctx context.Context, issuer threads.Issuer, text string) (string, error) {
	if len(text) > maxJWT {
		return "", &badToken{reason: fmt.Sprintf("it is longer than %d bytes", maxJWT)}
	}
	// none has a secret that the server would share
	token, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA})
	if err != nil || len(token.Headers) != 1 {
		return "", &badToken{reason: "it must be a JWT that is signed with RS256, ES256 or EdDSA"}
	}
	for _, again := range []bool{false, true} { // a new key may have the id of the old one, or neither has one
		keys, err := i.keysFor(ctx, issuer.JWKS, token.Headers[0], again)
		if err != nil {
			return "", err
		}
		for _, key := range keys {
			var claims jwt.Claims
			if token.Claims(key.Key, &claims) == nil {
				return claimed(claims, issuer, i.now())
			}
		}
	}
	return "", &badToken{reason: "no key of its issuer has signed it"}
}

// claimed checks what a token with a right signature says, and returns its user.
func claimed(claims jwt.Claims, issuer threads.Issuer, now time.Time) (string, error) {
	if issuer.URL == "" || issuer.Audience == "" { // the library would not look at them
		return "", errors.New("the application's issuer has no URL or no audience")
	}
	expected := jwt.Expected{Issuer: issuer.URL, AnyAudience: jwt.Audience{issuer.Audience}, Time: now}
	err := claims.ValidateWithLeeway(expected, leeway)
	switch {
	case errors.Is(err, jwt.ErrExpired):
		return "", &badToken{reason: "it has expired", expired: true}
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return "", &badToken{reason: "it is not valid yet"}
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return "", &badToken{reason: "it is of another issuer"}
	case errors.Is(err, jwt.ErrInvalidAudience):
		return "", &badToken{reason: "it is for another audience"}
	case err != nil:
		return "", &badToken{reason: "its claims are not valid"}
	case claims.Expiry == nil:
		return "", &badToken{reason: "it has no exp"}
	case !isUser(claims.Subject):
		return "", &badToken{reason: fmt.Sprintf("its sub must be 1 to %d bytes of printable UTF-8", maxAppUser)}
	}
	return claims.Subject, nil
}

// keysFor returns the keys at an address that may have signed a token. It looks again, but not often, if no key is
// known that may have, or again says that none of them has.
func (i *issuers) keysFor(ctx context.Context, address string, head jose.Header, again bool) ([]jose.JSONWebKey,
	error) {
	set := i.set(address)
	switch {
	case again || len(set.matching(head)) == 0:
		set.reading.Lock()
		if (again || len(set.matching(head)) == 0) && set.due(i.now(), keysAgain) {
			i.read(ctx, set, address)
		}
		set.reading.Unlock()
	case set.due(i.now(), keysFresh) && set.reading.TryLock():
		i.read(ctx, set, address)
		set.reading.Unlock()
	}
	if err := set.usable(i.now()); err != nil {
		return nil, fmt.Errorf("keys of %s: %w", address, err)
	}
	return set.matching(head), nil
}

// due reports whether the keys are that old, and have not just been tried in vain.
func (k *keySet) due(now time.Time, age time.Duration) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return now.Sub(k.readAt) >= age && now.Sub(k.triedAt) >= keysRetry
}

// usable returns why the keys do not count any more.
func (k *keySet) usable(now time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now.Sub(k.readAt) < keysStale {
		return nil
	}
	if k.err == nil {
		return errors.New("they are too old")
	}
	return k.err
}

func (i *issuers) set(address string) *keySet {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.all[address] == nil {
		i.all[address] = &keySet{}
	}
	return i.all[address]
}

// matching returns the keys that a token's header allows.
func (k *keySet) matching(head jose.Header) (found []jose.JSONWebKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.keys {
		if (head.KeyID == "" || key.KeyID == head.KeyID) && fits(key, head.Algorithm) {
			found = append(found, key)
		}
	}
	return found
}

// fits reports whether a key is one for an algorithm.
func fits(key jose.JSONWebKey, algorithm string) bool {
	if key.Algorithm != "" && key.Algorithm != algorithm || key.Use != "" && key.Use != "sig" {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return algorithm == string(jose.RS256) && public.N.BitLen() >= minRSA
	case *ecdsa.PublicKey:
		return algorithm == string(jose.ES256) && public.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return algorithm == string(jose.EdDSA)
	}
	return false
}

// read reads the keys at an address. If that fails, the old ones stay. A client that goes away does not end it, because
// others may wait for it.
func (i *issuers) read(ctx context.Context, set *keySet, address string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTime)
	defer cancel()
	keys, err := i.fetch(ctx, address)
	set.mu.Lock()
	defer set.mu.Unlock()
	set.triedAt = i.now()
	if set.err = err; err == nil {
		set.keys, set.readAt = keys, set.triedAt
	}
}

func (i *issuers) fetch(ctx context.Context, address string) ([]jose.JSONWebKey, error) {
	if err := CheckKeysURL(address); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	resp, err := i.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered with %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeys+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxKeys {
		return nil, fmt.Errorf("it has more than %d bytes", maxKeys)
	}
	return keysIn(body)
}

// keysIn returns the keys of a JWK set. Kinds of keys that are not known are left out.
func keysIn(body []byte) (keys []jose.JSONWebKey, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, errors.New("it is not a set of keys")
	}
	for _, raw := range set.Keys[:min(len(set.Keys), maxKeyList)] {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil && key.Valid() {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("it has no key that can be used")
	}
	return keys, nil
}

// CheckKeysURL refuses addresses at which a stranger on the way could put keys of their own, and be any user.
func CheckKeysURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return errors.New("it is not an address of keys")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && loopback.Is(u.Hostname()):
		return nil
	}
	return errors.New("keys are read by https only, or from this machine")
}
