package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// maxToken is the length of a token that is looked up.
const maxToken = 256

// authenticate finds out whose request it is, and refuses it if there were too many.
func (s *Server) authenticate(r *http.Request, c *call) error {
	token, given := bearer(r.Header.Values("Authorization"))
	if !given {
		return problem(kindUnauthorized, "missing bearer token").challenge("")
	}
	if err := s.letIn(r.Context(), c, Hash(token), len(token) <= maxToken); err != nil {
		return err
	}
	if wait, ok := s.tokens.take(c.token.ID, s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("token").Inc()
		return problem(kindRate, "too many requests with this token").retry(wait)
	}
	return nil
}

// bearer returns the token of a request.
func bearer(headers []string) (token string, ok bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.Trim(token, " ")
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// letIn sets the user and the token of a call from the token's hash. possible is false for what cannot be a token.
func (s *Server) letIn(ctx context.Context, c *call, hash [32]byte, possible bool) error {
	err := error(ErrNotFound)
	if possible {
		c.token, c.user, err = s.store.Authenticate(ctx, hash, s.opts.Now())
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrGone) {
		c.token, c.user = Token{}, User{}
		return s.missed(c, s.failures, "token", problem(kindUnauthorized, "invalid token").challenge("invalid_token"))
	}
	return err
}

// missed counts a wrong token, key or code of the client. It returns the problem that says so, or, after too many from
// the client's address, that of asking too often. A valid credential is never counted and always looked up: a program
// with an old token must not lock out who else is behind its address. How often the database is asked is limited for
// the address as a whole.
func (s *Server) missed(c *call, budget *limiter, what string, wrong *Problem) *Problem {
	s.metrics.failures.WithLabelValues(what).Inc()
	if wait, ok := budget.take(limitKey(c.client.addr), s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("failures").Inc()
		return problem(kindRate, "too many wrong tokens, keys or codes from your address").retry(wait)
	}
	return wrong
}
