package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"
)

// The lives of sessions in a browser. One ends when it is not used for sessionLife; reading pages prolongs it, up to
// sessionMost.
const (
	sessionLife = 15 * time.Minute
	sessionMost = 8 * time.Hour
)

// sessionKind is what a session was begun with.
type sessionKind byte

const (
	withToken  sessionKind = 't' // a token that its owner has
	withDevice sessionKind = 'd' // a token made for this session, when its code was approved
	withKey    sessionKind = 'k' // a key of an application
)

// session is a cookie with the hash of a token or a key, from which that cannot be told, and the times of its
// beginning and its end; all signed. The token is checked again whenever the session is used, so revoking it ends the
// session.
type session struct {
	kind         sessionKind
	hash         [sha256.Size]byte
	began, until time.Time // whole seconds
}

const sessionBytes = 1 + sha256.Size + 8 + 8

// bytes returns what is signed.
func (e *session) bytes() []byte {
	b := append([]byte{byte(e.kind)}, e.hash[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(e.began.Unix()))
	return binary.BigEndian.AppendUint64(b, uint64(e.until.Unix()))
}

// sign returns the signature of data for one purpose.
func (s *Server) sign(purpose string, data []byte) []byte {
	return sign(s.opts.SessionKey, purpose, data)
}

// sign returns the signature of data for one purpose with a key.
func sign(key []byte, purpose string, data []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(purpose))
	m.Write([]byte{0})
	m.Write(data)
	return m.Sum(nil)
}

// cookieName returns the name of the session's cookie. With its prefix, browsers take it only by
// HTTPS and from this very host.
func cookieName(https bool) string {
	if https {
		return "__Host-ltm-device"
	}
	return "ltm-device"
}

// startSession signs the owner of a token, or the operator of an application, in.
func (s *Server) startSession(w http.ResponseWriter, c *call, kind sessionKind, hash [32]byte) {
	now := s.opts.Now()
	s.sendSession(w, c, &session{kind: kind, hash: hash, began: now, until: now.Add(sessionLife)})
}

// prolong lets a session that is used last longer. Its forms stay valid.
func (s *Server) prolong(w http.ResponseWriter, c *call, e session) {
	now := s.opts.Now()
	if e.until.Sub(now) > sessionLife/2 {
		return
	}
	e.until = now.Add(sessionLife)
	if most := e.began.Add(sessionMost); e.until.After(most) {
		e.until = most
	}
	s.sendSession(w, c, &e)
}

func (s *Server) sendSession(w http.ResponseWriter, c *call, e *session) {
	data := e.bytes()
	value := base64.RawURLEncoding.EncodeToString(append(data, s.sign("session", data)...))
	s.setCookie(w, c, value, int(e.until.Sub(s.opts.Now())/time.Second))
}

func (s *Server) endSession(w http.ResponseWriter, c *call) { s.setCookie(w, c, "", -1) }

func (s *Server) setCookie(w http.ResponseWriter, c *call, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(c.client.isHTTPS), Value: value, Path: "/", MaxAge: age,
		Secure: c.client.isHTTPS, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// readSession returns the session of a request's cookie. ok is false without one that holds.
func (s *Server) readSession(r *http.Request, c *call) (e session, ok bool) {
	cookie, err := r.Cookie(cookieName(c.client.isHTTPS))
	if err != nil {
		return e, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cookie.Value)
	if err != nil || len(b) != sessionBytes+sha256.Size {
		return e, false
	}
	if !hmac.Equal(b[sessionBytes:], s.sign("session", b[:sessionBytes])) {
		return e, false
	}
	e.kind, e.hash = sessionKind(b[0]), [sha256.Size]byte(b[1:])
	e.began = time.Unix(int64(binary.BigEndian.Uint64(b[1+sha256.Size:])), 0)
	e.until = time.Unix(int64(binary.BigEndian.Uint64(b[1+sha256.Size+8:])), 0)
	return e, s.opts.Now().Before(e.until)
}

// formOf returns what the forms of a session must have, so that no other site can send them.
func (s *Server) formOf(e session) string {
	e.until = e.began // it outlives the prolonging of the session
	return base64.RawURLEncoding.EncodeToString(s.sign("form", e.bytes()))
}

// session signs a call in as a person by its cookie, and returns what forms must have. ok is false if no one is
// signed in; err is that of the database.
func (s *Server) session(r *http.Request, c *call) (form string, ok bool, err error) {
	e, ok := s.readSession(r, c)
	if !ok || e.kind != withToken && e.kind != withDevice {
		return "", false, nil
	}
	if err := s.letIn(r.Context(), c, e.hash, true); err != nil {
		if p := c.failed(err); p.Status != http.StatusUnauthorized {
			return "", false, p
		}
		return "", false, nil
	}
	return s.formOf(e), true, nil
}

// authenticateSession finds out who reads a page, as a request with the same token or key would, and refuses them if
// there were too many requests.
func (s *Server) authenticateSession(r *http.Request, c *call, want access) error {
	e, ok := s.readSession(r, c)
	switch {
	case !ok:
		return problem(kindUnauthorized, "sign in to see this page").challenge("")
	case want == operators && e.kind != withKey:
		return problem(kindForbidden, "this page is for whoever operates an application: sign in with its key")
	case want == people && e.kind == withKey:
		return problem(kindForbidden, "this page is for the people of this server: sign in with a token of yours")
	}
	if err := s.letSessionIn(r.Context(), c, e); err != nil {
		return err
	}
	c.session = &e
	if r.Method != http.MethodPost {
		s.prolong(c.out, c, e)
	}
	return nil
}

// letSessionIn checks the token or key of a session, and counts the request under it.
func (s *Server) letSessionIn(ctx context.Context, c *call, e session) error {
	limit, id, what := s.tokens, "", "token"
	if e.kind == withKey {
		if s.opts.Memory == nil {
			return problem(kindUnauthorized, "sign in to see this page").challenge("")
		}
		if err := s.letAppIn(ctx, c, e.hash, true); err != nil {
			return err
		}
		if err := keyAlone(c); err != nil {
			return err
		}
		limit, id, what = s.keys, c.app.key.ID, "key"
	} else {
		if err := s.letIn(ctx, c, e.hash, true); err != nil {
			return err
		}
		id = c.token.ID
	}
	if wait, ok := limit.take(id, s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues(what).Inc()
		return problem(kindRate, "too many requests with this %s", what).retry(wait)
	}
	return nil
}

// keyAlone refuses the key of an application with an issuer: the interface answers it only together with a token of
// one user.
func keyAlone(c *call) error {
	if c.app.app.Settings.Issuer == nil {
		return nil
	}
	c.app = nil
	return problem(kindForbidden, "the users of this application have tokens of their own, without which its key "+
		"shows nothing")
}

// sameForm reports whether a form is one of ours for this session.
func sameForm(given, want string) bool { return hmac.Equal([]byte(given), []byte(want)) }
