package server

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"strings"
)

// signIn is what the page for signing in shows.
type signIn struct {
	Code   string // what a person approves; empty: none was asked for
	Device string // what this browser asks with
}

// browserName is what devices that are browsers are called.
const browserName = "a browser, for the server's pages"

func (s *Server) uiSignIn() {
	s.router.page("GET /ui/sign-in", policy{Access: open, Query: []string{"next", "done"}},
		func(w http.ResponseWriter, r *http.Request, c *call) {
			q := queryFields(r)
			v := s.signInView(signIn{}, checkNext(q["next"]), "")
			v.Notice = notices()[q["done"]]
			s.sendView(w, r, c, http.StatusOK, v)
		})
	s.router.page("POST /ui/sign-in", policy{Access: open, Body: bodySignIn}, s.takeSignIn)
	s.router.page("POST /ui/sign-out", policy{Access: open, Body: bodySignIn}, s.takeSignOut)
}

func (s *Server) signInView(data signIn, next, fault string) *view {
	return &view{Title: "Sign in", Body: "sign-in", Data: data, Next: next, Error: fault}
}

// sendSignIn shows the form for signing in.
func (s *Server) sendSignIn(w http.ResponseWriter, r *http.Request, c *call, status int, data signIn,
	next, fault string) {
	s.sendView(w, r, c, status, s.signInView(data, next, fault))
}

// takeSignIn takes the forms of the page. They are of no session yet, so that they come from here is all there is.
func (s *Server) takeSignIn(w http.ResponseWriter, r *http.Request, c *call) {
	err := s.sameOrigin(r, c)
	var form fields
	if err == nil {
		form, err = c.form()
	}
	if err != nil {
		s.uiFault(w, r, c, err)
		return
	}
	next, data := checkNext(form["next"]), signIn{}
	switch form["do"] {
	case "in":
		err = s.signInWith(w, r, c, strings.TrimSpace(form["secret"]))
	case "ask":
		d, code, failed := s.askForDevice(r.Context(), c, browserName)
		if failed == nil {
			s.sendSignIn(w, r, c, http.StatusOK, signIn{ShowUserCode(d.UserCode), code}, next, "")
			return
		}
		err = failed
	case "continue":
		data = signIn{form["code"], form["device"]}
		err = s.signInByCode(w, r, c, form["device"])
	default:
		err = problem(kindRequest, "the form does not say what to do")
	}
	if err != nil {
		p := c.failed(err)
		maps.Copy(w.Header(), p.header)
		if p.Message != codePending && p.Message != codeSlow {
			data = signIn{}
		}
		s.sendSignIn(w, r, c, p.Status, data, next, sentence(p.Detail))
		return
	}
	seeOther(w, cmp.Or(next, "./"))
}

// signInWith starts a session with a token, or with the key of an application.
func (s *Server) signInWith(w http.ResponseWriter, r *http.Request, c *call, given string) error {
	isKey := strings.HasPrefix(given, keyPrefix) && s.opts.Memory != nil
	possible := given != "" && len(given) <= maxToken
	if isKey {
		if err := s.letAppIn(r.Context(), c, Hash(given), possible); err != nil {
			return err
		}
		if err := keyAlone(c); err != nil {
			return err
		}
		s.startSession(w, c, withKey, Hash(given))
		return nil
	}
	if err := s.letIn(r.Context(), c, Hash(given), possible); err != nil {
		if p := c.failed(err); p.Status == http.StatusUnauthorized {
			return problem(kindUnauthorized, "this is not a token of this server, or not any more").challenge("")
		}
		return err
	}
	s.startSession(w, c, withToken, Hash(given))
	return nil
}

// signInByCode starts a session for whoever approved its code, with a token of its own that lives no longer.
func (s *Server) signInByCode(w http.ResponseWriter, r *http.Request, c *call, device string) error {
	t, _, err := s.newToken("", "browser")
	if err != nil {
		return err
	}
	if end := t.CreatedAt.Add(sessionMost); t.ExpiresAt.IsZero() || t.ExpiresAt.After(end) {
		t.ExpiresAt = end
	}
	if err := s.takeDevice(r.Context(), c, device, *t); err != nil {
		return err
	}
	s.startSession(w, c, withDevice, t.Hash)
	return nil
}

// takeSignOut ends a session, and the token that was made for it.
func (s *Server) takeSignOut(w http.ResponseWriter, r *http.Request, c *call) {
	e, ok := s.readSession(r, c)
	if ok {
		c.session = &e
		if _, err := s.ownForm(r, c); err != nil {
			c.session = nil
			s.uiFault(w, r, c, err)
			return
		}
		if err := s.endDevice(r, c, e); err != nil {
			s.uiFault(w, r, c, err)
			return
		}
	} else if err := s.sameOrigin(r, c); err != nil {
		s.uiFault(w, r, c, err)
		return
	}
	s.endSession(w, c)
	seeOther(w, "sign-in?done=out")
}

// endDevice revokes the token of a session that has its own.
func (s *Server) endDevice(r *http.Request, c *call, e session) error {
	if e.kind != withDevice {
		return nil
	}
	t, u, err := s.store.Authenticate(r.Context(), e.hash, s.opts.Now())
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrGone) {
		return nil // it has ended
	}
	if err != nil {
		return err
	}
	c.user = u
	_, err = s.revokeToken(r.Context(), c, &tokenInput{t.ID})
	return err
}
