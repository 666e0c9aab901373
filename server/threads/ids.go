package threads

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// names is the namespace of the ids that are made of what they name: UUIDs of version 5.
func names() uuid.UUID { return uuid.MustParse("5d0c4a1e-9a55-5c7e-8f0a-6c8f1f0b7a42") }

// newID returns a random UUID.
func (s *Service) newID() (string, error) {
	s.random.Lock()
	defer s.random.Unlock()
	id, err := uuid.NewRandomFromReader(s.o.Random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// idOf returns the id of something of a subject that is known by its parts, so that making it again makes the same.
func (who Subject) idOf(parts ...string) string {
	name := strings.Join(append([]string{who.App, who.User}, parts...), "\x00")
	return uuid.NewSHA1(names(), []byte(name)).String()
}

// ClaimUUID returns the id by which clients name the claim that the policies know by another one: in
// [conversation.Claim.SupersededBy] and [conversation.Claim.Against], and in acts.
func (who Subject) ClaimUUID(policy string) string { return who.idOf("claim", policy) }

// CanonicalID returns a UUID in lower case, and whether it is one: 36 characters with hyphens.
func CanonicalID(id string) (string, bool) {
	if len(id) != 36 || uuid.Validate(id) != nil {
		return "", false
	}
	return strings.ToLower(id), true
}
