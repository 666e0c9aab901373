// Package storagetest tests the contracts of [ltm/server.Storage] and [ltm/server/threads.Storage] on each kind of
// database. What is not a test makes the contents that benchmarks measure with.
package storagetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// MemorySize is how much the memory of an application has that is measured: so many users of Each events, and one of
// Largest.
type MemorySize struct{ Users, Each, Largest int }

// ParseMemorySize reads a size: "100,200,3000" is 100 users of 200 events and one of 3,000.
func ParseMemorySize(given string) (s MemorySize, err error) {
	if _, err = fmt.Sscanf(given, "%d,%d,%d", &s.Users, &s.Each, &s.Largest); err != nil {
		err = fmt.Errorf("%q is not three numbers with commas between them: %w", given, err)
	}
	return s, err
}

// MemoryUser returns the name of a user in such a memory and the id of the user's thread. The largest is the first: 0.
func MemoryUser(n int) (user, thread string) { return fmt.Sprint("user-", n), uuid(n) }

// uuid returns an id for a number.
func uuid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// memoryText is the text of each event of such a memory.
var memoryText = strings.Repeat("The tide gauge at the old harbor is read twice a day. ", 3)

// Dump writes a dump of such a memory, in the application "app".
func (s MemorySize) Dump(out io.Writer) error {
	sum := sha256.New()
	w := json.NewEncoder(io.MultiWriter(out, sum))
	rows := 0
	row := func(kind string, fields map[string]any) error {
		rows++
		return w.Encode(map[string]any{kind: fields})
	}
	err := w.Encode(map[string]any{"format": "ltm-server-dump", "version": 1})
	if err == nil {
		err = row("app", map[string]any{"seq": 1, "id": "app", "name": "app", "created": 1, "deleted": nil,
			"settings": "{}"})
	}
	for user := 0; user <= s.Users && err == nil; user++ {
		events := s.Each
		if user == 0 {
			events = s.Largest
		}
		err = fillUser(row, user, events)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(map[string]any{"end": map[string]any{"rows": rows,
		"sha256": hex.EncodeToString(sum.Sum(nil))}})
}

// fillUser writes the rows of a user.
func fillUser(row func(kind string, fields map[string]any) error, user, events int) error {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMicro()
	name, thread := MemoryUser(user)
	err := row("subject", map[string]any{"seq": user + 1, "app": 1, "name": name, "version": events,
		"last": events, "pruned": events, "imported": 0})
	if err == nil {
		err = row("thread", map[string]any{"app": 1, "subject": user + 1, "id": thread, "agent": "", "title": "t",
			"meta": "", "core": nil, "created": at, "updated": at, "cursor": ""})
	}
	for n := 0; n < events && err == nil; n++ {
		role := []string{"user", "assistant"}[n%2]
		err = row("event", map[string]any{"app": 1, "subject": user + 1, "seq": n + 1, "id": uuid(user*1_000_000 + n),
			"thread": thread, "session": "", "role": role, "lang": "", "agent": "", "own_key": "", "importance": 0,
			"unembedded": 0,
			"occurred":   at, "recorded": at, "meta": "", "body": memoryText})
	}
	return err
}
