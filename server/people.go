package server

import (
	"context"

	"ltm/packet"
)

func (s *Server) registerPeople() {
	handle(s, route{Pattern: "GET /v1/whoami", ID: "whoami", Tag: "you", Access: users,
		Summary: "Return whose token this is"}, s.whoami)
	handle(s, route{Pattern: "GET /v1/tokens", ID: "list-tokens", Tag: "you", Access: users,
		Summary: "List your tokens, the newest first", Text: "Without the tokens themselves."}, s.listTokens)
	handleWhole(s, route{Pattern: "DELETE /v1/tokens/{token_id}", ID: "revoke-token", Tag: "you", Access: users,
		Errors: []kind{kindNotFound}, Summary: "Revoke a token of yours"}, s.revokeToken)
}

type ownUser struct {
	Display string `json:"display"`
	Email   string `json:"email,omitempty"`
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
}

type ownToken struct {
	CreatedAt string `json:"created_at" format:"date-time"`
	ExpiresAt string `json:"expires_at,omitempty" format:"date-time" doc:"Absent: never."`
	ID        string `json:"id" doc:"Not secret."`
	Name      string `json:"name"`
	UsedAt    string `json:"used_at,omitempty" format:"date-time" doc:"To the minute."`
}

func tokenOf(t Token) ownToken {
	own := ownToken{CreatedAt: packet.FormatTime(t.CreatedAt), ID: t.ID, Name: t.Name}
	if !t.ExpiresAt.IsZero() {
		own.ExpiresAt = packet.FormatTime(t.ExpiresAt)
	}
	if !t.UsedAt.IsZero() {
		own.UsedAt = packet.FormatTime(t.UsedAt)
	}
	return own
}

type whoamiAnswer struct {
	Token ownToken `json:"token"`
	User  ownUser  `json:"user"`
}

func (s *Server) whoami(_ context.Context, c *call, _ *struct{}) (*whoamiAnswer, error) {
	return &whoamiAnswer{Token: tokenOf(c.token),
		User: ownUser{c.user.Display, c.user.Email, c.user.ID, c.user.Name}}, nil
}

type listTokensAnswer struct {
	Tokens []ownToken `json:"tokens" nullable:"false"`
}

func (s *Server) listTokens(ctx context.Context, c *call, _ *struct{}) (*listTokensAnswer, error) {
	tokens, err := s.ownTokens(ctx, c.user.ID)
	if err != nil {
		return nil, err
	}
	out := listTokensAnswer{Tokens: []ownToken{}}
	for _, t := range tokens {
		out.Tokens = append(out.Tokens, tokenOf(t))
	}
	return &out, nil
}

// ownTokens returns the tokens of a user that let them in.
func (s *Server) ownTokens(ctx context.Context, user string) (tokens []Token, err error) {
	all, err := s.store.ListTokens(ctx, user)
	if err != nil {
		return nil, err
	}
	now := s.opts.Now()
	for _, t := range all {
		if t.RevokedAt.IsZero() && (t.ExpiresAt.IsZero() || now.Before(t.ExpiresAt)) {
			tokens = append(tokens, t)
		}
	}
	return tokens, nil
}

type tokenInput struct {
	ID string `path:"token_id" doc:"As listed; not the token."`
}

func (s *Server) revokeToken(ctx context.Context, c *call, in *tokenInput) (*struct{}, error) {
	tokens, err := s.ownTokens(ctx, c.user.ID)
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if t.ID == in.ID {
			return nil, s.store.RevokeToken(ctx, t.ID, s.opts.Now().UTC())
		}
	}
	return nil, problem(kindNotFound, "not found")
}
