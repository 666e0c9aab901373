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

// letIn sets the user and the token of a call from the token's hash. After too many wrong ones from
// an address, it does not ask the database about others than those that were right before.
func (s *Server) letIn(ctx context.Context, c *call, hash [32]byte, possible bool) error {
	now := s.opts.Now()
	key := limitKey(c.client.addr)
	if wait, full := s.failures.full(key, now); full && !s.good.has(hash, now) {
		s.metrics.limited.WithLabelValues("failures").Inc()
		return problem(kindRate, "too many wrong tokens or codes from your address").retry(wait)
	}
	err := ErrNotFound
	if possible {
		c.token, c.user, err = s.store.Authenticate(ctx, hash, now)
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrGone) {
		c.token, c.user = Token{}, User{}
		s.good.remove(hash)
		s.failed(c, "token")
		return problem(kindUnauthorized, "invalid token").challenge("invalid_token")
	}
	if err != nil {
		return err
	}
	s.good.add(hash, now)
	return nil
}

// failed counts a wrong token or code of the client.
func (s *Server) failed(c *call, what string) {
	s.failures.take(limitKey(c.client.addr), s.opts.Now())
	s.metrics.failures.WithLabelValues(what).Inc()
}
