package sqlstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"ltm/server"
)

// Version returns the entity tag of a packet's bytes.
func Version(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}

// storedPacket is what the database has of a packet that is to be replaced or deleted.
type storedPacket struct {
	seq, scope, size int64
	author, id       string
	version          []byte
	terms            []byte
	created, deleted time.Time
}

// keptColumns is what keptInto reads.
const keptColumns = "p.seq, p.scope, p.id, p.author_id, p.version, p.terms, p.created, p.deleted, length(p.body)"

func keptInto(k *storedPacket) []any {
	return []any{&k.seq, &k.scope, &k.id, &k.author, &k.version, &k.terms, instant(&k.created),
		instant(&k.deleted), &k.size}
}

// PutPacket implements [server.Packets].
func (s *Store) PutPacket(ctx context.Context, p server.PutPacket, q server.Quota) (put server.Put, err error) {
	if err := bounded(p.ID); err != nil {
		return put, err
	}
	err = s.write(ctx, func(t *tx) error {
		put = server.Put{Version: Version(p.Body)}
		scope, err := t.lockScope(p.Caller, p.Team)
		if err != nil {
			return err
		}
		var old storedPacket
		err = t.get("SELECT "+keptColumns+" FROM packets p WHERE p.id = $1 AND p.scope = $2",
			[]any{p.ID, scope}, keptInto(&old)...)
		fresh := errors.Is(err, server.ErrNotFound)
		if err != nil && !fresh {
			return err
		}
		if !fresh && old.author != p.Caller {
			return server.ErrTaken
		}
		put.Created = fresh || !old.deleted.IsZero()
		same := !put.Created && string(old.version) == put.Version
		if !precondition(p, put.Created, string(old.version), same) {
			return server.ErrStale
		}
		if same {
			return nil
		}
		if err := t.grow(scope, p, put.Created, old.size, q); err != nil {
			return err
		}
		return t.keep(scope, p, fresh, old, put.Version)
	})
	return put, err
}

// lockScope returns the locked scope that a caller may put packets in.
func (t *tx) lockScope(caller, team string) (scope int64, err error) {
	if team == "" {
		_, scope, err = t.lockUser(caller)
	} else {
		_, scope, err = t.lockTeam(caller, team)
	}
	return scope, err
}

// precondition reports whether a packet may be put.
func precondition(p server.PutPacket, created bool, version string, same bool) bool {
	switch {
	case p.IfNoneMatch && !created:
		return false
	case p.IfMatch == "":
		return true
	case created:
		return false
	}
	return same || p.IfMatch == "*" || p.IfMatch == version
}

// grow counts a packet in its scope, if the quota allows it. A change that does not grow it is always allowed.
func (t *tx) grow(scope int64, p server.PutPacket, created bool, size int64, q server.Quota) error {
	var packets, total int64
	err := t.get("SELECT packets, bytes FROM scopes WHERE seq = $1", []any{scope}, &packets, &total)
	if err != nil {
		return err
	}
	more := int64(len(p.Body)) - size
	var one int64
	if created {
		one = 1
	}
	if one > 0 && packets+one > q.Packets {
		return &server.LimitError{What: "packets", Max: q.Packets}
	}
	if more > 0 && total+more > q.Bytes {
		return &server.LimitError{What: "bytes", Max: q.Bytes}
	}
	return t.must("UPDATE scopes SET packets = packets + $1, bytes = bytes + $2 WHERE seq = $3", one, more, scope)
}

// keep writes a packet and its terms.
func (t *tx) keep(scope int64, p server.PutPacket, fresh bool, old storedPacket, version string) error {
	terms := termsOf(p)
	if fresh {
		err := t.add(`INSERT INTO packets (scope, id, author_id, parent, version, goal, project, tags, created,
			stored, terms, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			scope, p.ID, p.Caller, p.Parent, version, p.Goal, p.Project, pack(p.Tags), p.Created,
			p.At, terms, p.Body)
		if err != nil {
			return err
		}
		return t.addTerms(scope, p.ID, p.Created, terms)
	}
	err := t.must(`UPDATE packets SET parent = $1, version = $2, goal = $3, project = $4, tags = $5, created = $6,
		stored = $7, terms = $8, body = $9, deleted = NULL WHERE seq = $10`,
		p.Parent, version, p.Goal, p.Project, pack(p.Tags), p.Created, p.At, terms, p.Body, old.seq)
	if err == nil {
		err = t.removed()
	}
	if err != nil {
		return err
	}
	gone, added := old.terms, terms
	if old.created.Equal(micros(p.Created)) {
		gone, added = without(old.terms, terms), without(terms, old.terms)
	}
	if err := t.dropTerms(scope, p.ID, old.created, gone); err != nil {
		return err
	}
	return t.addTerms(scope, p.ID, p.Created, added)
}

// The kinds of terms.
const (
	byWord    = "w"
	byTag     = "t"
	byProject = "p"
	byParent  = "c"
)

// termSize is the size of a term in bytes: two of a million texts are not the same term.
const termSize = 12

// term returns the term of a text.
func term(kind, text string) []byte {
	sum := sha256.Sum256([]byte(kind + text))
	return sum[:termSize]
}

// termsOf returns the terms of a packet, sorted, without repeats, one after another.
func termsOf(p server.PutPacket) []byte {
	var terms [][]byte
	for _, word := range p.Words {
		terms = append(terms, term(byWord, word))
	}
	for _, tag := range p.Tags {
		terms = append(terms, term(byTag, tag))
	}
	if p.Project != "" {
		terms = append(terms, term(byProject, p.Project))
	}
	if p.Parent != "" {
		terms = append(terms, term(byParent, p.Parent))
	}
	slices.SortFunc(terms, bytes.Compare)
	return bytes.Join(slices.CompactFunc(terms, bytes.Equal), nil)
}

// without returns the terms that are not among others.
func without(terms, others []byte) []byte {
	known := map[string]bool{}
	for part := range slices.Chunk(others, termSize) {
		known[string(part)] = true
	}
	left := []byte{}
	for part := range slices.Chunk(terms, termSize) {
		if !known[string(part)] {
			left = append(left, part...)
		}
	}
	return left
}

// addTerms adds the terms of a packet to the index.
func (t *tx) addTerms(scope int64, id string, created time.Time, terms []byte) error {
	return t.changeTerms(t.s.words.addTerms, scope, id, created, terms)
}

// dropTerms removes terms of a packet from the index.
func (t *tx) dropTerms(scope int64, id string, created time.Time, terms []byte) error {
	return t.changeTerms(t.s.words.dropTerms, scope, id, created, terms)
}

func (t *tx) changeTerms(query string, scope int64, id string, created time.Time, terms []byte) error {
	if len(terms) == 0 {
		return nil
	}
	_, err := t.exec(query, scope, id, created, terms)
	return err
}

// seen is the scopes that a user reads, in the order in which an id is looked for: their own, and
// then their teams, the one that they joined first before the others.
const seen = `SELECT u.scope AS scope, 0 AS rank, u.created AS since, u.name AS team, u.id AS owner_id
		FROM users u WHERE u.id = $1 AND u.deleted IS NULL
	UNION ALL SELECT t.scope, 1, m.joined, t.name, t.owner_id
		FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 AND t.deleted IS NULL`

// PacketOf implements [server.Packets].
func (s *Store) PacketOf(ctx context.Context, caller, id string) (p server.StoredPacket, err error) {
	err = s.ask(ctx, func(t *tx) error {
		p = server.StoredPacket{}
		var rank int
		err := t.get(`SELECT p.body, p.version, p.author_id, s.rank, s.team, p.stored
			FROM packets p JOIN (`+seen+`) s ON s.scope = p.scope
			WHERE p.id = $2 AND p.deleted IS NULL ORDER BY s.rank, s.since, s.scope LIMIT 1`, []any{caller, id},
			&p.Body, &p.Version, &p.AuthorID, &rank, &p.Team, instant(&p.StoredAt))
		if rank == 0 {
			p.Team = ""
		}
		return err
	})
	return p, err
}

// DeletePacket implements [server.Packets].
func (s *Store) DeletePacket(ctx context.Context, caller, id, ifMatch string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		k, err := t.deletable(caller, id)
		if err != nil {
			return err
		}
		if t.s.words.lock != "" {
			if err := t.lock(k.scope); err != nil {
				return err
			}
			again, err := t.deletable(caller, id)
			if err != nil {
				return err
			}
			if again.scope != k.scope {
				return errLost
			}
			k = again
		}
		if ifMatch != "" && ifMatch != "*" && ifMatch != string(k.version) {
			return server.ErrStale
		}
		within := k.author
		err = t.get("SELECT t.id FROM teams t WHERE t.scope = $1", []any{k.scope}, &within)
		if err != nil && !errors.Is(err, server.ErrNotFound) {
			return err
		}
		if err := t.audited(ctx, at, "packet.delete", k.id, within); err != nil {
			return err
		}
		return t.drop(k, at)
	})
}

// deletable returns the packet that a caller means by an id, if they may delete it: what they see goes
// before what they wrote for a team that they left.
func (t *tx) deletable(caller, id string) (storedPacket, error) {
	var k storedPacket
	var owner string
	err := t.get("SELECT "+keptColumns+", s.owner_id FROM packets p JOIN ("+seen+`) s ON s.scope = p.scope
		WHERE p.id = $2 AND p.deleted IS NULL ORDER BY s.rank, s.since, s.scope LIMIT 1`,
		[]any{caller, id}, append(keptInto(&k), &owner)...)
	switch {
	case err == nil && k.author != caller && owner != caller:
		return k, server.ErrDenied
	case !errors.Is(err, server.ErrNotFound):
		return k, err
	}
	err = t.get("SELECT "+keptColumns+` FROM packets p JOIN users u ON u.id = p.author_id JOIN scopes s ON s.seq = p.scope
		WHERE p.id = $1 AND p.author_id = $2 AND p.deleted IS NULL AND u.deleted IS NULL AND s.deleted IS NULL
		ORDER BY p.scope LIMIT 1`, []any{id, caller}, keptInto(&k)...)
	return k, err
}

// drop deletes a packet. Its text goes at once; what is left holds the id for its author until a purge.
func (t *tx) drop(k storedPacket, at time.Time) error {
	if err := t.dropTerms(k.scope, k.id, k.created, k.terms); err != nil {
		return err
	}
	err := t.must(`UPDATE packets SET parent = $1, version = $1, goal = $1, project = $1, tags = $1, terms = $1,
		body = $1, deleted = $2 WHERE seq = $3`, "", at, k.seq)
	if err == nil {
		err = t.removed()
	}
	if err != nil {
		return err
	}
	return t.must("UPDATE scopes SET packets = packets - 1, bytes = bytes - $1 WHERE seq = $2", k.size, k.scope)
}
