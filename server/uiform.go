package server

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// takeForm does what a form says.
func (s *Server) takeForm(w http.ResponseWriter, r *http.Request, c *call, p screen) {
	form, err := s.ownForm(r, c)
	if err != nil {
		s.uiFault(w, r, c, err)
		return
	}
	q := queryFields(r)
	delete(q, "done")
	act, known := p.do[form["do"]]
	if !known {
		s.uiFault(w, r, c, problem(kindRequest, "the form does not say what to do"))
		return
	}
	out, err := s.takeOnce(r.Context(), c, form["once"], func() (outcome, error) {
		return act(r.Context(), c, q, form)
	})
	if err == nil && out.secret == nil {
		seeOther(w, out.address(p.name, q))
		return
	}
	if err != nil {
		err = c.failed(err)
	}
	v, broken := p.show(r.Context(), c, q)
	if broken != nil { // such as a team that is gone
		s.uiFault(w, r, c, errors.Join(err, broken))
		return
	}
	status := http.StatusOK
	if v.Secret = out.secret; err != nil {
		fault := c.failed(err)
		maps.Copy(w.Header(), fault.header)
		status, v.Error = fault.Status, sentence(fault.Detail)
	}
	s.sendView(w, r, c, status, v)
}

// ownForm reads a form, if a page of this session sent it.
func (s *Server) ownForm(r *http.Request, c *call) (fields, error) {
	if err := s.sameOrigin(r, c); err != nil {
		return nil, err
	}
	form, err := c.form()
	if err != nil {
		return nil, err
	}
	if c.session == nil || !sameForm(form["form"], s.formOf(*c.session)) {
		return nil, problem(kindForbidden, "this form is not of this session; load the page again")
	}
	return form, nil
}

// sameOrigin refuses a form unless the browser says that a page of this server sent it.
func (s *Server) sameOrigin(r *http.Request, c *call) error {
	foreign := problem(kindForbidden, "this form was not sent by a page of this server")
	if err := s.origins.Check(r); err != nil {
		return foreign
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "same-origin":
		return nil
	case site == "" && r.Header.Get("Origin") != "" && sameBase(r.Header.Get("Origin"), c.client.base):
		return nil
	}
	return foreign
}

// sameBase reports whether an origin is that of the addresses of this server.
func sameBase(origin, base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Host != "" && strings.EqualFold(origin, u.Scheme+"://"+u.Host)
}

// takeOnce does something for a form that may come twice, such as by a reload. Without a name of the form, it may.
func (s *Server) takeOnce(ctx context.Context, c *call, name string, do func() (outcome, error)) (outcome, error) {
	if name == "" {
		return do()
	}
	if !isKey(name) || len(name) > maxOnce {
		return outcome{}, problem(kindRequest, "this form is not one of this server's")
	}
	again := problem(kindTaken, "this form was sent before, and what it asked for is done; load the page again")
	name = "ui-" + name
	kept, err := s.store.Begin(ctx, c.user.ID, name, Hash(name), s.opts.Now().UTC())
	switch {
	case errors.Is(err, ErrUnderWay), errors.Is(err, ErrReused), kept != nil:
		return outcome{}, again
	case err != nil:
		return outcome{}, err
	}
	var done *Answer // nil frees the name
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
		defer cancel()
		if err := s.store.Finish(ctx, c.user.ID, name, done); err != nil && c.err == nil {
			c.err = err
		}
	}()
	out, err := do()
	if err == nil {
		done = &Answer{Status: http.StatusNoContent}
	}
	return out, err
}

// maxOnce is the length of a form's name.
const maxOnce = 64
