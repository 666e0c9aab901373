package server

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// tokensPage is what the page of tokens shows.
type tokensPage struct {
	User    ownUser
	Current string // the id of the token of this session
	Tokens  []ownToken
	Life    int   // days that a token of this server lives at most; 0: without end
	Days    []int // that a form offers
	Most    int
	Device  string // where devices are approved
}

// maxTokenName is the length of a token's name, in characters.
const maxTokenName = 64

func (s *Server) uiTokens() []screen {
	return []screen{{name: "tokens", who: people, show: s.uiTokensPage,
		do: map[string]action{"issue": s.uiIssue, "revoke": s.uiRevokeToken}}}
}

func (s *Server) uiTokensPage(ctx context.Context, c *call, _ fields) (*view, error) {
	who, err := s.whoami(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	all, err := s.listTokens(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	page := tokensPage{User: who.User, Current: c.token.ID, Tokens: all.Tokens, Most: s.opts.MaxTokens,
		Life: int(s.opts.TokenLife.Hours() / 24)}
	for _, days := range []int{30, 90, 365, 0} { // that a new token may live; 0 is as long as the server allows
		if s.opts.TokenLife == 0 || days == 0 || days <= page.Life {
			page.Days = append(page.Days, days)
		}
	}
	return &view{Title: "Tokens", Section: "tokens", Body: "tokens", Data: page}, nil
}

// uiIssue makes a token of the person who is signed in, within the limits of those that invites and devices make.
func (s *Server) uiIssue(ctx context.Context, c *call, _, form fields) (outcome, error) {
	name, err := cleanDisplay(form["name"])
	if err != nil || name == "" || len([]rune(name)) > maxTokenName {
		return outcome{}, problem(kindRequest, "name the machine or purpose, with at most %d characters; nothing was "+
			"changed", maxTokenName)
	}
	days, err := strconv.Atoi(form["days"])
	if err != nil || days < 0 || days > 3650 {
		return outcome{}, problem(kindRequest, "the token must live for 0 to 3650 days; nothing was changed")
	}
	t, token, err := s.newToken(c.user.ID, name)
	if err != nil {
		return outcome{}, err
	}
	end := t.CreatedAt.Add(time.Duration(days) * 24 * time.Hour)
	if days > 0 && (t.ExpiresAt.IsZero() || end.Before(t.ExpiresAt)) {
		t.ExpiresAt = end
	}
	if err := s.store.CreateToken(ctx, *t, s.opts.MaxTokens); err != nil {
		return outcome{}, err
	}
	return outcome{secret: &secret{"The new token", token, "Copy it now: it is shown here only, and the server keeps " +
		"a hash of it. Whoever has it can do all that you can."}}, nil
}

func (s *Server) uiRevokeToken(ctx context.Context, c *call, _, form fields) (outcome, error) {
	if _, err := s.revokeToken(ctx, c, &tokenInput{form["id"]}); err != nil {
		return outcome{}, err
	}
	if strings.EqualFold(form["id"], c.token.ID) {
		return outcome{to: "sign-in", done: "token-revoked"}, nil
	}
	return outcome{done: "token-revoked"}, nil
}
