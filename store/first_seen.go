package store

import (
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
)

// For most memories, a clone only knows when it first saw them, which counts as the first access. They have no entry of
// their own in stats.json, because every question reads that file: first_seen maps a session to their ids, without
// "mem_", in one string.
const (
	idPrefix = "mem_"
	idDigits = 8
)

// onlySeen reports whether only the first access is known.
func onlySeen(s memory.Stats) bool {
	return s == memory.Stats{Use: firstUse, LastSession: s.LastSession}
}

// firstUse is the use of a memory that was only stored or seen.
const firstUse = 1

// packSeen removes the memories that were only seen from entries and returns them.
func packSeen(entries map[memory.ID]*memory.Stats) map[string]string {
	bySession := map[int][]string{}
	for id, s := range entries {
		digits, ok := strings.CutPrefix(string(id), idPrefix)
		if _, err := memory.ParseID(string(id)); err != nil || !ok || !onlySeen(*s) {
			continue
		}
		bySession[s.LastSession] = append(bySession[s.LastSession], digits)
		delete(entries, id)
	}
	packed := make(map[string]string, len(bySession))
	for session, ids := range bySession {
		slices.Sort(ids)
		packed[strconv.Itoa(session)] = strings.Join(ids, "")
	}
	return packed
}

// unpackSeen adds the memories that were only seen. It skips invalid ids and sessions,
// and memories that have an entry of their own.
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
