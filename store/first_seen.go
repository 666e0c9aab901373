package store

import (
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
)

// Of most memories a clone knows nothing but when it saw them first, which counts as
// the first access. They have no entry of their own in stats.json, for the file is read
// with every question: first_seen maps a session to their ids, without "mem_" and one
// after another.
const (
	idPrefix = "mem_"
	idDigits = 8
)

// onlySeen reports whether nothing but the first access is known. The priority can be
// computed again.
func onlySeen(s memory.Stats) bool {
	s.Priority = 0
	return s == memory.Stats{Use: firstUse, LastSession: s.LastSession}
}

// firstUse is the use of a memory that was only stored, or only seen.
const firstUse = 1

// packSeen takes the memories that were only seen out of the entries.
func packSeen(entries map[memory.ID]*memory.Stats) map[string]string {
	bySession := map[int][]string{}
	for id, s := range entries {
		if _, err := memory.ParseID(string(id)); err != nil || !strings.HasPrefix(string(id), idPrefix) || !onlySeen(*s) {
			continue
		}
		bySession[s.LastSession] = append(bySession[s.LastSession], strings.TrimPrefix(string(id), idPrefix))
		delete(entries, id)
	}
	packed := make(map[string]string, len(bySession))
	for session, ids := range bySession {
		slices.Sort(ids)
		packed[strconv.Itoa(session)] = strings.Join(ids, "")
	}
	return packed
}

// unpackSeen adds the memories that were only seen. What is not an id or a session is
// left out, and so is what has an entry of its own.
func unpackSeen(stats Stats, packed map[string]string) {
	for key, ids := range packed {
		session, err := strconv.Atoi(key)
		if err != nil || session < 0 {
			continue
		}
		for ; len(ids) >= idDigits; ids = ids[idDigits:] {
			id, err := memory.ParseID(idPrefix + ids[:idDigits])
			if _, known := stats[id]; err == nil && !known {
				stats[id] = memory.Stats{Use: firstUse, LastSession: session}
			}
		}
	}
}
