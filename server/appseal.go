package server

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"ltm/server/threads"
)

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
