package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// ServeHTTP answers a request: it finds the route and its policy, counts, authenticates, reads the
// body, and logs one line.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.opts.Now()
	out := &response{ResponseWriter: w}
	c := &call{client: s.clientOf(r), out: out}
	pattern := ""
	defer func() {
		v := recover()
		if v != nil && v != http.ErrAbortHandler {
			// where it was, and not what it said, which may be anyone's text
			s.opts.Log.Error("panic", "request", c.id, "stack", string(debug.Stack()))
			if !out.wrote {
				c.failed(problem(kindInternal, "internal error")).write(out)
			}
		}
		s.done(r, c, pattern, out, s.opts.Now().Sub(began))
		if v == http.ErrAbortHandler {
			panic(v)
		}
	}()
	id, err := s.newID()
	if err != nil {
		c.failed(err).write(out)
		return
	}
	c.id = id
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"X-Request-Id": id} { // of all answers
		out.Header().Set(name, value)
	}

	whole := context.WithValue(r.Context(), callKey{}, c)
	ctx, cancel := context.WithTimeout(whole, s.opts.BodyTime+answerTime)
	defer cancel()
	r = r.WithContext(ctx)
	var p policy
	if pattern, p, err = s.admit(r, c); err == nil {
		err = s.read(out, r, c, p)
	}
	if err != nil {
		problem := c.failed(err)
		if r.ContentLength != 0 {
			out.Header().Set("Connection", "close") // its body is not read
		}
		s.writeProblem(out, r, c, problem)
		return
	}
	if p.Time > 0 {
		ctx, cancel := context.WithTimeout(whole, p.Time)
		defer cancel()
		r = r.WithContext(ctx)
		_ = http.NewResponseController(out).SetWriteDeadline(time.Now().Add(p.Time + answerTime))
	}
	if p.Access != scrapers {
		c.stream = wantsEvents(r.Header.Values("Accept"))
		r.Header.Del("Accept") // all other answers have one form, and huma panics at some values
	}
	key := r.Header.Get("Idempotency-Key")
	if key != "" && (p.Access == users || p.Access == apps) && r.Method == http.MethodPost {
		s.once(out, r, c, p, key)
		return
	}
	s.router.ServeHTTP(out, r)
}

// admit finds the route of a request and decides whether the client may use it now.
func (s *Server) admit(r *http.Request, c *call) (pattern string, p policy, err error) {
	now := s.opts.Now()
	if wait, ok := s.addresses.take(limitKey(c.client.addr), now); !ok {
		s.metrics.limited.WithLabelValues("address").Inc()
		return "", p, problem(kindRate, "too many requests from your address").retry(wait)
	}
	// The mux would redirect such a path, and with it a DELETE, to another one.
	if given := r.URL.EscapedPath(); path.Clean("/"+given) != strings.TrimSuffix(given, "/") && given != "/" {
		return "", p, problem(kindNotFound, "page not found")
	}
	pattern, found := s.router.find(r)
	if found != nil {
		return "", p, found
	}
	p = s.router.policies[pattern]
	switch p.Access {
	case open:
	case maybeUser:
		if len(r.Header.Values("Authorization")) > 0 {
			err = s.authenticate(r, c)
		}
	case users:
		err = s.authenticate(r, c)
	case apps:
		err = s.authenticateApp(r, c)
	case people, operators:
		err = s.authenticateSession(r, c, p.Access)
	case scrapers:
		if !c.client.direct || !isIn(c.client.addr, s.opts.MetricsFrom) {
			err = problem(kindNotFound, "page not found")
		}
	default:
		err = problem(kindForbidden, "no one may do this")
	}
	if err != nil {
		return pattern, p, err
	}
	return pattern, p, checkQuery(r, p)
}

// checkQuery refuses parameters that the route does not have.
func checkQuery(r *http.Request, p policy) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem(kindRequest, "the query of the URL is not valid")
	}
	for name, given := range values {
		if !slices.Contains(p.Query, name) {
			return problem(kindRequest, "unknown parameter %q; %s", clip(name), knownParams(p.Query))
		}
		if len(given) > 1 {
			return problem(kindRequest, "parameter %q is given more than once", name)
		}
	}
	return nil
}

func knownParams(names []string) string {
	if len(names) == 0 {
		return "there are none here"
	}
	return "there are " + strings.Join(names, ", ")
}

// read reads the body of a request, within the limits of its route.
func (s *Server) read(w *response, r *http.Request, c *call, p policy) error {
	if p.Body == 0 {
		return nil
	}
	control := http.NewResponseController(w)
	if p.Stream {
		w.Header().Set("Connection", "close") // or a refusal would wait for the rest of the body
		c.reader = &patient{http.MaxBytesReader(w.ResponseWriter, r.Body, p.Body), control, s.opts.BodyTime}
		return nil
	}
	_ = control.SetReadDeadline(time.Now().Add(s.opts.BodyTime)) // a connection without deadlines has its own limits
	body, err := io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, p.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return problem(kindLarge, "the body has more than the %d bytes that are allowed here; nothing was changed",
			large.Limit)
	case err != nil:
		return problem(kindSlow, "the body did not arrive whole within %s; nothing was changed",
			s.opts.BodyTime)
	}
	c.body = body
	_ = control.SetReadDeadline(time.Time{}) // or it would end the request while the database works
	if p.Empty {
		return c.maybeStrict(&struct{}{})
	}
	return nil
}

// maxHeader is the size of a request's header.
const maxHeader = 16 << 10

// Grace is how long [Serve] lets requests finish.
const Grace = 10 * time.Second

// HTTPServer returns an http.Server with limits on everything that a client sends and reads. The
// caller may set its TLSConfig.
func HTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       headerTime + bodyTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 100},
	}
}

// Serve answers requests until the context ends. It then takes no new ones, waits until those that
// run are answered, and cuts off those that still are not after grace: their clients have no answer,
// so nothing that was acknowledged is lost. The error is that of listening; nil after a stop.
func Serve(ctx context.Context, s *http.Server, l net.Listener, grace time.Duration) error {
	failed := make(chan error, 1)
	go func() {
		if s.TLSConfig != nil {
			failed <- s.ServeTLS(l, "", "")
		} else {
			failed <- s.Serve(l)
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if h, ok := s.Handler.(*Server); ok {
		h.Drain()
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := s.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close()
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
