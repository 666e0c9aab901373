package server

import (
	"bytes"
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"ltm/text/safe"
)

// response remembers what was answered.
type response struct {
	http.ResponseWriter
	status int
	wrote  bool

	team, packet, thread string // ids for the log; "": it was not about one
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (w *response) Write(b []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// recorder keeps an answer instead of sending it.
type recorder struct {
	fields http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.fields }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// noRoute is what logs and metrics call requests for paths that there are not.
const noRoute = "none"

// done logs and counts a request that was answered. The log has the pattern of the route: the path
// may contain an invite's code.
func (s *Server) done(r *http.Request, c *call, pattern string, w *response, took time.Duration) {
	pattern = cmp.Or(pattern, noRoute)
	status := w.status
	if !w.wrote {
		status = http.StatusOK // as net/http sends it
	}
	level := slog.LevelInfo
	fields := []slog.Attr{slog.String("route", pattern), slog.Int("status", status),
		slog.Float64("took", took.Seconds()), slog.String("request", c.id)}
	if r.Method == http.MethodHead {
		fields = append(fields, slog.String("method", r.Method))
	}
	address := "" // as far as proxies that are trusted say
	if c.client.addr.IsValid() {
		address = c.client.addr.String()
	}
	for _, id := range []struct{ name, value string }{{"client", address}, {"user", c.user.ID},
		{"team", w.team}, {"packet", w.packet}, {"thread", w.thread}} {
		if id.value != "" {
			fields = append(fields, slog.String(id.name, id.value))
		}
	}
	if c.app != nil {
		fields = append(fields, slog.String("app", c.app.app.ID), slog.String("key", c.app.key.ID))
	}
	if c.err != nil {
		level = slog.LevelError
		fields = append(fields, slog.String("error", safe.ClipLine(c.err.Error(), maxLogged)))
	}
	s.opts.Log.LogAttrs(r.Context(), level, "request", fields...)
	s.metrics.answered(pattern, status, took)
}

// The lengths of texts that are shown, in characters.
const (
	maxLogged  = 500
	maxQuoted  = 40
	maxDisplay = 80
)

// clip returns what a message quotes of a client's text.
func clip(text string) string { return safe.ClipLine(text, maxQuoted) }
