package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"
)

// sessionLife is how long a person stays signed in on the page /device.
const sessionLife = 15 * time.Minute

// A session is a cookie with the hash of a token, from which the token cannot be told, and an end;
// both signed. The token is checked again whenever the session is used, so revoking it ends the
// session.
const sessionBytes = sha256.Size + 8

// sign returns the signature of data for one purpose.
func (s *Server) sign(purpose string, data []byte) []byte {
	m := hmac.New(sha256.New, s.opts.SessionKey)
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

// startSession signs the owner of a token in.
func (s *Server) startSession(w http.ResponseWriter, c *call, hash [32]byte) {
	data := binary.BigEndian.AppendUint64(hash[:], uint64(s.opts.Now().Add(sessionLife).Unix()))
	value := base64.RawURLEncoding.EncodeToString(append(data, s.sign("session", data)...))
	s.setCookie(w, c, value, int(sessionLife/time.Second))
}

func (s *Server) endSession(w http.ResponseWriter, c *call) { s.setCookie(w, c, "", -1) }

func (s *Server) setCookie(w http.ResponseWriter, c *call, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(c.client.isHTTPS), Value: value, Path: "/", MaxAge: age,
		Secure: c.client.isHTTPS, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// session signs a call in by its cookie, and returns what forms must have so that no other site can
// send them. ok is false if nobody is signed in; err is that of the database.
func (s *Server) session(r *http.Request, c *call) (form string, ok bool, err error) {
	cookie, err := r.Cookie(cookieName(c.client.isHTTPS))
	if err != nil {
		return "", false, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cookie.Value)
	if err != nil || len(b) != sessionBytes+sha256.Size {
		return "", false, nil
	}
	if !hmac.Equal(b[sessionBytes:], s.sign("session", b[:sessionBytes])) {
		return "", false, nil
	}
	if s.opts.Now().Unix() >= int64(binary.BigEndian.Uint64(b[sha256.Size:sessionBytes])) {
		return "", false, nil
	}
	if err := s.letIn(r.Context(), c, [32]byte(b[:sha256.Size]), true); err != nil {
		if p := c.failed(err); p.Status != http.StatusUnauthorized {
			return "", false, p
		}
		return "", false, nil
	}
	return base64.RawURLEncoding.EncodeToString(s.sign("form", b)), true, nil
}

// sameForm reports whether a form is one of ours for this session.
func sameForm(given, want string) bool { return hmac.Equal([]byte(given), []byte(want)) }
