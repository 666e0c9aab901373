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

// devicePage shows the form for who is signed in, or that for signing in.
func (s *Server) devicePage(w http.ResponseWriter, r *http.Request, c *call) {
	page := devicePage{Title: "Approve a device", Action: s.prefix + devicePattern}
	if code, ok := UserCode(r.URL.Query().Get("user_code")); ok {
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
	s.pages.send(w, http.StatusOK, "device.html", page)
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
	to, err := s.takeDeviceForm(w, r, c, &page)
	switch {
	case err != nil:
		s.deviceFault(w, c, page, err)
	case to != "":
		http.Redirect(w, r, to, http.StatusSeeOther)
	default:
		s.pages.send(w, http.StatusOK, "device.html", page)
	}
}

// takeDeviceForm does what a form says, and returns where the browser goes then; "": it shows the page.
func (s *Server) takeDeviceForm(w http.ResponseWriter, r *http.Request, c *call, page *devicePage) (string, error) {
	if err := s.origins.Check(r); err != nil {
		return "", problem(kindForbidden, "this form was sent by another site")
	}
	fields, err := c.form()
	if err != nil {
		return "", err
	}
	code, isCode := UserCode(fields["user_code"])
	if isCode {
		page.Code = ShowUserCode(code)
	}
	if fields["do"] == "sign in" {
		return s.signIn(w, r, c, page, fields["token"])
	}
	form, in, err := s.session(r, c)
	switch {
	case err != nil:
		return "", err
	case !in:
		return "", problem(kindUnauthorized, "you are not signed in, or not any more").challenge("")
	case !sameForm(fields["form"], form):
		return "", problem(kindForbidden, "this form is not of this session; load the page again")
	}
	page.User, page.Form = shownUser(c.user), form
	if fields["do"] == "sign out" {
		s.endSession(w, c)
		return page.Action, nil
	}
	return "", s.decide(r, c, page, fields["do"], code, isCode)
}

// signIn starts a session with a token, and returns where the browser goes then.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, c *call, page *devicePage, token string) (
	string, error) {
	if token == "" || len(token) > maxToken {
		return "", problem(kindUnauthorized, "this is not a token of this server").challenge("")
	}
	if err := s.letIn(r.Context(), c, Hash(token), true); err != nil {
		return "", err
	}
	s.startSession(w, c, withToken, Hash(token))
	if page.Code == "" {
		return page.Action, nil
	}
	return page.Action + "?user_code=" + page.Code, nil
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
