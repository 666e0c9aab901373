package server

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"time"

	"ltm/text/safe"
)

// devicePage is what the page /device shows.
type devicePage struct {
	Title  string
	Action string // where forms go
	User   string // who is signed in; may be empty
	Form   string // proves that a form is ours
	Code   string // as people read it
	Name   string // of the program that asks; empty: no code is looked at
	Since  string // how long it has been waiting
	Error  string
	Result string // what was done
}

const devicePattern = "/device"

func (s *Server) registerDevicePage() {
	s.router.HandleFunc("GET "+devicePattern, func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		code, _ := UserCode(r.URL.Query().Get("user_code"))
		s.devicePage(w, r, c, code, "")
	})
	s.router.allow("GET "+devicePattern, policy{Access: open, Query: []string{"user_code"}})
	s.router.HandleFunc("POST "+devicePattern, func(w http.ResponseWriter, r *http.Request) {
		s.deviceForm(w, r, callOf(r.Context()))
	})
	s.router.allow("POST "+devicePattern, policy{Access: open, Body: bodyForm})
}

// devicePage shows the form for who is signed in, or that for signing in.
func (s *Server) devicePage(w http.ResponseWriter, r *http.Request, c *call, code, fault string) {
	page := devicePage{Title: "Approve a device", Action: s.prefix + devicePattern, Error: fault}
	if _, ok := UserCode(code); ok {
		page.Code = ShowUserCode(code)
	}
	form, in, err := s.session(r, c)
	switch {
	case err != nil:
		s.deviceFault(w, c, page, err)
		return
	case in:
		page.User, page.Form = shownUser(c.user), form
	}
	status := http.StatusOK
	if fault != "" {
		status = http.StatusBadRequest
	}
	s.pages.send(w, status, "device.html", page)
}

func shownUser(u User) string {
	return safe.ClipLine(cmp.Or(u.Display, cmp.Or(u.Name, u.ID)), maxDisplay)
}

// deviceFault shows a problem on the page.
func (s *Server) deviceFault(w http.ResponseWriter, c *call, page devicePage, err error) {
	p := c.failed(err)
	maps.Copy(w.Header(), p.header)
	page.Error = p.Detail
	s.pages.send(w, p.Status, "device.html", page)
}

// deviceForm handles the forms of the page.
func (s *Server) deviceForm(w http.ResponseWriter, r *http.Request, c *call) {
	page := devicePage{Title: "Approve a device", Action: s.prefix + devicePattern}
	if err := s.origins.Check(r); err != nil {
		s.deviceFault(w, c, page, problem(kindForbidden, "this form was sent by another site"))
		return
	}
	fields, err := c.form()
	if err != nil {
		s.deviceFault(w, c, page, err)
		return
	}
	code, isCode := UserCode(fields["user_code"])
	if isCode {
		page.Code = ShowUserCode(code)
	}
	if fields["do"] == "sign in" {
		s.signIn(w, r, c, page, fields["token"])
		return
	}
	form, in, err := s.session(r, c)
	switch {
	case err != nil:
		s.deviceFault(w, c, page, err)
		return
	case !in:
		s.deviceFault(w, c, page, problem(kindUnauthorized, "you are not signed in, or not any more").challenge(""))
		return
	case !sameForm(fields["form"], form):
		s.deviceFault(w, c, page, problem(kindForbidden, "this form is not of this session; load the page again"))
		return
	}
	page.User, page.Form = shownUser(c.user), form
	if fields["do"] == "sign out" {
		s.endSession(w, c)
		http.Redirect(w, r, page.Action, http.StatusSeeOther)
		return
	}
	if err := s.decide(r, c, &page, fields["do"], code, isCode); err != nil {
		s.deviceFault(w, c, page, err)
		return
	}
	s.pages.send(w, http.StatusOK, "device.html", page)
}

// signIn starts a session with a token.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, c *call, page devicePage, token string) {
	if token == "" || len(token) > maxToken {
		s.deviceFault(w, c, page, problem(kindUnauthorized, "this is not a token of this server").challenge(""))
		return
	}
	hash := Hash(token)
	if err := s.letIn(r.Context(), c, hash, true); err != nil {
		s.deviceFault(w, c, page, err)
		return
	}
	s.startSession(w, c, withToken, hash)
	target := page.Action
	if page.Code != "" {
		target += "?user_code=" + page.Code
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// decide shows, approves or denies the device that waits under a code. Each code counts as wrong until it is known to
// be right, so that requests at the same time are not more guesses.
func (s *Server) decide(r *http.Request, c *call, page *devicePage, do, code string, isCode bool) (err error) {
	now := s.opts.Now().UTC()
	free, wait, ok := s.codes.reserve(c.user.ID, now)
	if !ok {
		return problem(kindRate, "too many wrong codes; wait a little").retry(wait)
	}
	unknown := problem(kindNotFound, "no device waits under this code: compare it, and mind that it expires")
	defer func() {
		if err != error(unknown) {
			free()
		}
	}()
	if !isCode {
		return unknown
	}
	d, err := s.store.PendingDevice(r.Context(), code, now)
	if err == nil {
		switch do {
		case "look":
			page.Name, page.Since = d.Name, now.Sub(d.CreatedAt).Round(time.Second).String()
			return nil
		case "approve":
			err = s.approve(r, c, page, d, now)
		case "deny":
			err = s.store.ApproveDevice(r.Context(), code, "", now)
			page.Result = d.Name + " was denied."
		default:
			return problem(kindRequest, "the form does not say what to do")
		}
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrGone) {
		page.Result = ""
		s.metrics.failures.WithLabelValues("code").Inc()
		return unknown
	}
	if err == nil {
		page.Code = ""
	}
	return err
}

// approve lets a device in as the caller, if they may have one more token.
func (s *Server) approve(r *http.Request, c *call, page *devicePage, d Device, now time.Time) error {
	tokens, err := s.ownTokens(r.Context(), c.user.ID)
	if err != nil {
		return err
	}
	if len(tokens) >= s.opts.MaxTokens {
		return &LimitError{What: "tokens", Max: int64(s.opts.MaxTokens)}
	}
	page.Result = d.Name + " is let in. You can close this page."
	return s.store.ApproveDevice(r.Context(), d.UserCode, c.user.ID, now)
}
