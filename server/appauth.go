package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ltm/server/threads"
)

// appCall is an application's part of a call.
type appCall struct {
	key   threads.Key
	app   threads.App
	user  string // whom a JWT names; "": the application speaks for any of its users
	named string // whom the request names, without a JWT; "": no one so far
}

// maxAppUser is the length of the name of an application's user, in bytes.
const maxAppUser = 128

// authenticateApp finds out which application asks, and for which user if its users have JWTs.
func (s *Server) authenticateApp(r *http.Request, c *call) error {
	key, token, err := appCredentials(r)
	if err != nil {
		return err
	}
	if err := s.letAppIn(r.Context(), c, Hash(key), key != "" && len(key) <= maxToken); err != nil {
		return err
	}
	if wait, ok := s.keys.take(c.app.key.ID, s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("key").Inc()
		return problem(kindRate, "too many requests with this key").retry(wait)
	}
	issuer := c.app.app.Settings.Issuer
	switch {
	case issuer == nil && token != "" && Hash(token) != c.app.key.Hash:
		// Not ignored: whoever sends it believes that it says who the user is.
		return problem(kindUnauthorized, "two identities: this application has no issuer whose tokens name users; "+
			"send its key alone").challenge("invalid_token")
	case issuer == nil:
		return nil
	case token == "":
		return problem(kindUnauthorized, "missing bearer token: X-API-Key names the application, and Authorization: "+
			"Bearer must have a token of its issuer for the user").challenge("")
	}
	c.app.user, err = s.issuers.user(r.Context(), *issuer, token)
	var bad *badToken
	if errors.As(err, &bad) {
		wrong := problem(kindUnauthorized, "invalid token: %s", bad.reason).challenge("invalid_token")
		if bad.expired { // it was right before, so it is no guess
			return wrong
		}
		return s.missed(c, s.failures, "jwt", wrong)
	}
	if err != nil {
		p := problem(kindBusy, "the keys of the application's issuer cannot be read; try again").retry(retryBusy)
		p.cause = err
		return p
	}
	return s.takeUser(c, c.app.user)
}

// appCredentials returns the key of a request, and the bearer token if it has a key beside it.
func appCredentials(r *http.Request) (key, token string, err error) {
	keys, others := r.Header.Values("X-Api-Key"), r.Header.Values("Authorization")
	if len(keys) > 1 || len(others) > 1 {
		return "", "", problem(kindUnauthorized, "more than one key or token").challenge("")
	}
	if len(others) == 1 {
		given, ok := bearer(others)
		if !ok {
			return "", "", problem(kindUnauthorized, "Authorization must be Bearer and a key or token").challenge("")
		}
		token = given
	}
	if len(keys) == 0 {
		if token == "" {
			return "", "", problem(kindUnauthorized, "missing key: send it as X-API-Key, or as bearer token").
				challenge("")
		}
		return token, "", nil
	}
	return strings.Trim(keys[0], " "), token, nil
}

// letAppIn sets the application of a call from its key's hash. Wrong keys count as wrong tokens do, see
// [Server.missed]. possible is false for what cannot be a key.
func (s *Server) letAppIn(ctx context.Context, c *call, hash [32]byte, possible bool) error {
	err := error(ErrNotFound)
	var found appCall
	if possible {
		found.key, found.app, err = s.opts.Memory.AuthenticateKey(ctx, hash)
	}
	if errors.Is(err, ErrNotFound) {
		return s.missed(c, s.failures, "key", problem(kindUnauthorized, "invalid key").challenge("invalid_token"))
	}
	if err != nil {
		return err
	}
	found.key.Hash = hash
	c.app = &found
	return nil
}

// takeUser counts a request about a user.
func (s *Server) takeUser(c *call, user string) error {
	if wait, ok := s.users.take(c.app.app.ID+":"+user, s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("user").Inc()
		return problem(kindRate, "too many requests about this user").retry(wait)
	}
	return nil
}

// caller returns the caller, given the user that the request names, which may be empty. A JWT goes before that, and its
// user was counted already.
func (s *Server) caller(c *call, user string) (threads.Caller, error) {
	if c.app.user != "" {
		return threads.Caller{App: c.app.app.ID, User: c.app.user}, nil
	}
	if user != "" {
		if !isUser(user) {
			return threads.Caller{}, problem(kindRequest,
				"user_id must be 1 to %d bytes of printable UTF-8; nothing was changed", maxAppUser)
		}
		if err := s.takeUser(c, user); err != nil {
			return threads.Caller{}, err
		}
		c.app.named = user
	}
	return threads.Caller{App: c.app.app.ID, User: user}, nil
}

// subject returns whose memory a request is about.
func (s *Server) subject(c *call, user string) (threads.Subject, error) {
	who, err := s.caller(c, user)
	if err == nil && who.User == "" {
		err = problem(kindRequest, "user_id is required; nothing was changed")
	}
	return threads.Subject(who), err
}

// isUser reports whether a name can be that of a user.
func isUser(user string) bool {
	return user != "" && len(user) <= maxAppUser && utf8.ValidString(user) &&
		!strings.ContainsFunc(user, func(r rune) bool { return !unicode.IsPrint(r) })
}

// either returns the user that a request names in its body or its query.
func either(body, query string) (string, error) {
	if body != "" && query != "" && body != query {
		return "", problem(kindRequest,
			"two identities: the body and the query name different users; nothing was changed")
	}
	return cmp.Or(body, query), nil
}

// uuid returns an id as it is stored. ok is false if it cannot be one.
func uuid(given string) (id string, ok bool) { return threads.CanonicalID(given) }

// owners remembers whose threads are, so that requests about a thread can be counted by user. It decides nothing: who
// may see a thread is asked of the memory each time. Its memory is bounded.
type owners struct {
	mu sync.Mutex
	of map[[2]string]string // by application and thread
}

func (o *owners) get(app, thread string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of[[2]string{app, thread}]
}

func (o *owners) set(app, thread, user string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.of) >= maxLimited {
		clear(o.of) // at worst, each is asked for once more
	}
	o.of[[2]string{app, thread}] = user
}

// threadInput is in the input of every route below a thread.
type threadInput struct {
	Thread string `path:"t" doc:"The thread's id, a UUID."`
	User   string `query:"user_id" doc:"Whose thread it must be. With a user's token, that user, whatever is given here."`
}

// onThread returns the caller of a request about a thread, and the thread's id as it is stored.
func (s *Server) onThread(ctx context.Context, c *call, in threadInput) (who threads.Caller, id string, err error) {
	id, ok := uuid(in.Thread)
	if !ok {
		return who, "", problem(kindNotFound, "thread not found")
	}
	c.out.thread = id
	c.about("thread")
	if who, err = s.caller(c, in.User); err != nil || who.User != "" {
		return who, id, err
	}
	user := s.owners.get(who.App, id)
	if user == "" {
		if _, user, err = s.opts.Memory.Thread(ctx, who, id); err != nil {
			return who, "", err
		}
		s.owners.set(who.App, id, user)
	}
	return who, id, s.takeUser(c, user)
}
