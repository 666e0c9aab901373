package server

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/threads"
)

// maxKey is the length of an idempotency key, in characters.
const maxKey = 255

// finishTime is how long keeping an answer may take. The client may be gone by then.
const finishTime = 5 * time.Second

func idempotencyParam() *huma.Param {
	most := maxKey
	return &huma.Param{Name: "Idempotency-Key", In: "header", Schema: &huma.Schema{Type: "string", MaxLength: &most},
		Description: "If a request with this key succeeded before, its answer is given again, and nothing is done."}
}

// once answers a request that has an idempotency key. Only successes are kept: whatever failed may
// be tried again with the same key.
func (s *Server) once(w *response, r *http.Request, c *call, p policy, key string) {
	if p.OwnKey && isKey(key) {
		_, c.key = keyOwner(c, key)
		s.router.ServeHTTP(w, r)
		return
	}
	if !p.Once && !p.OwnKey {
		s.refuse(w, c, problem(kindRequest, "an Idempotency-Key is not possible here; nothing was changed"))
		return
	}
	if !isKey(key) {
		s.refuse(w, c, problem(kindRequest, "an Idempotency-Key has at most %d visible ASCII characters",
			maxKey))
		return
	}
	owner, name := keyOwner(c, key)
	kept, err := s.store.Begin(r.Context(), owner, name, requestHash(r, c), s.opts.Now())
	switch {
	case errors.Is(err, ErrUnderWay):
		s.refuse(w, c, problem(kindUnderWay, "the request that first had this Idempotency-Key is still being answered").
			retry(retryBusy))
		return
	case errors.Is(err, ErrReused):
		s.refuse(w, c, problem(kindReused, "this Idempotency-Key was used for another request; nothing was changed"))
		return
	case err != nil:
		s.refuse(w, c, err)
		return
	}
	if kept == nil {
		kept = s.answer(r, c, owner, name)
	} else {
		w.Header().Set("Idempotency-Replayed", "true")
		kept.Body, err = s.unseal(r, c, kept.Body)
	}
	if err != nil {
		s.refuse(w, c, err)
		return
	}
	for name, value := range kept.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(kept.Status)
	_, _ = w.Write(kept.Body) // the client is gone
}

// answer answers a request and keeps the answer if it is a success.
func (s *Server) answer(r *http.Request, c *call, owner, name string) (a *Answer) {
	var success *Answer
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), finishTime)
		defer cancel()
		if err := s.store.Finish(ctx, owner, name, success); err != nil && c.err == nil {
			c.err = fmt.Errorf("keep the answer: %w", err)
		}
	}()
	rec := &recorder{fields: http.Header{}}
	s.router.ServeHTTP(rec, r)
	a = &Answer{Status: rec.status, Header: map[string]string{}, Body: rec.body.Bytes()}
	if rec.status >= http.StatusOK && rec.status < http.StatusMultipleChoices {
		for _, name := range []string{"Content-Type", "ETag", "Location", ignoredFields} {
			if value := cmp.Or(rec.fields.Get(name), c.out.Header().Get(name)); value != "" {
				a.Header[name] = value
			}
		}
		success = &Answer{Status: a.Status, Header: a.Header, Body: s.seal(r, c, a.Body)}
		return a
	}
	for name := range rec.fields {
		a.Header[name] = rec.fields.Get(name)
	}
	return a
}

func (s *Server) refuse(w *response, c *call, err error) { c.failed(err).write(w) }

func isKey(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return len(key) <= maxKey
}

// requestHash identifies what a request asks for.
func requestHash(r *http.Request, c *call) [32]byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Get("If-Match"),
		r.Header.Get("If-None-Match"), string(c.body)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [32]byte(h.Sum(nil))
}

// What an application was answered may have texts of a user, and a kept answer would outlive their erasure. So it is
// kept encrypted, under a key that is made from the request: the server has only a hash of that, and who repeats the
// request knows its texts anyway. The
// idempotency key is a part of the key, so that it encrypts one answer, and a fixed nonce is enough.

// keyOwner returns whose an idempotency key is, and under which name it is kept. Names of applications' keys are
// hashed, because they may have a user's name in them.
func keyOwner(c *call, key string) (owner, name string) {
	if c.app == nil {
		return c.user.ID, key
	}
	sum := sha256.Sum256([]byte(key))
	return AnswerOwner(threads.Subject{App: c.app.app.ID, User: c.app.user}), hex.EncodeToString(sum[:])
}

// AnswerOwner returns whose an application's idempotency keys are: of all requests with its key, or, if that is not
// empty, of a user who has tokens. It has a hash of the user's name, so that the name is not kept there.
func AnswerOwner(who threads.Subject) string {
	if who.User == "" {
		return "app:" + who.App
	}
	sum := sha256.Sum256([]byte(who.User))
	return "app:" + who.App + ":" + hex.EncodeToString(sum[:])
}

// sealer returns the cipher of the answer to a request.
func sealer(r *http.Request, c *call) (cipher.AEAD, error) {
	owner, name := keyOwner(c, r.Header.Get("Idempotency-Key"))
	sum := requestHash(r, c)
	h := sha256.New()
	fmt.Fprintf(h, "answer:%s:%s:%s:%s", owner, name, sum[:], c.body)
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal returns the body of an answer as it is kept.
func (s *Server) seal(r *http.Request, c *call, body []byte) []byte {
	if c.app == nil {
		return body
	}
	aead, err := sealer(r, c)
	if err != nil {
		return nil // then unseal fails, too
	}
	return aead.Seal(nil, make([]byte, aead.NonceSize()), body, nil)
}

// unseal returns the body of an answer from how it is kept.
func (s *Server) unseal(r *http.Request, c *call, kept []byte) ([]byte, error) {
	if c.app == nil {
		return kept, nil
	}
	aead, err := sealer(r, c)
	if err != nil {
		return nil, err
	}
	body, err := aead.Open(nil, make([]byte, aead.NonceSize()), kept, nil)
	if err != nil {
		return nil, errors.New("the kept answer is damaged")
	}
	return body, nil
}
