package server

import (
	"context"
	"errors"

	"ltm/packet"
)

type healthBody struct {
	OK      bool   `json:"ok"`
	Version string `json:"version" doc:"The newest version of the protocol that this server knows."`
}

type readyAnswer struct {
	OK bool `json:"ok"`
}

func (s *Server) registerHealth() {
	handle(s, route{Pattern: "GET /v1/healthz", ID: "health", Tag: "server", Access: open,
		Summary: "Report that the server runs"}, s.health)
	handle(s, route{Pattern: "GET /readyz", ID: "ready", Tag: "server", Access: open, Errors: []kind{kindBusy},
		Summary: "Report that the server can answer: its database does"}, s.ready)
}

func (s *Server) health(context.Context, *call, *struct{}) (*healthBody, error) {
	return &healthBody{OK: true, Version: packet.Version02}, nil
}

func (s *Server) ready(ctx context.Context, _ *call, _ *struct{}) (*readyAnswer, error) {
	if s.draining.Load() {
		return nil, problem(kindBusy, "the server is about to stop").retry(retryBusy)
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	err := s.store.Ping(ctx)
	if errors.Is(err, ErrFull) || errors.Is(err, ErrAway) {
		return nil, err
	}
	if err != nil {
		p := problem(kindBusy, "the database does not answer").retry(retryBusy)
		p.cause = err
		return nil, p
	}
	return &readyAnswer{OK: true}, nil
}
