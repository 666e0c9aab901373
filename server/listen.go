package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

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
