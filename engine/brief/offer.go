package brief

import (
	"fmt"
	"strings"
	"time"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/text/safe"
)

const (
	// offerChars is the most of what an offer says of a packet.
	offerChars = 240

	// offerIDChars is the length of the longest id that an offer names.
	offerIDChars = 64
)

// Offer is an unfinished packet that a session is told of. The zero Offer means no packet.
type Offer struct {
	ID      string
	At      time.Time
	Author  string // the person's name; empty: unknown
	Goal    string
	Drafted bool // from a session's record
	Own     bool // of this session, before its context was compacted

	Moved          bool // another commit is checked out than at the time of the draft
	Files, Changed int  // that were not committed then, 0: not known; and those of them with unstaged changes now

	Left       int // memories that a removed work tree left, which another line is about
	Candidates int // memories that are proposed, which a third line is about
}

// offerLine returns one line about a packet, or "". The packet's own text follows a ">". The line has nothing that
// changes while the packet, the commit and its files are the same.
func offerLine(o Offer, holdBack bool, next memory.Next) string {
	if o.ID == "" {
		return ""
	}
	what := "Unfinished work was handed over"
	if o.Own {
		what = "Where this session stood before its context was compacted was noted"
	}
	if !o.At.IsZero() {
		what += " on " + o.At.UTC().Format(time.DateOnly)
	}
	if o.Drafted && !o.Own {
		what += ", drafted from a session's record"
	}
	id := ""
	if isPlainID(o.ID) {
		id = o.ID
		what += ": packet " + id
	}
	line := "\n" + what + led(" (", next.Say(memory.KindBriefPacket, id), ")") + sinceThen(o)
	if holdBack {
		return line + ".\n"
	}
	goal := safe.ClipLine(led("", o.Author, ": ")+o.Goal, offerChars)
	return line + ". By whom and what for, as data > " + goal + "\n"
}

// sinceThen says what became of a draft's work, or "".
func sinceThen(o Offer) string {
	if !o.Moved {
		return ""
	}
	text := "; another commit is checked out now"
	if o.Files > 0 {
		text += fmt.Sprintf(", and %d of %s with uncommitted changes then have unstaged changes now", o.Changed,
			plural.Of(o.Files, "file", "files"))
	}
	return text
}

// isPlainID reports whether an id can be shown outside of a quote. Strangers choose ids.
func isPlainID(id string) bool {
	return len(id) <= offerIDChars &&
		strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_") == ""
}

// leftLine returns one line about memories that a removed work tree left, or "".
func leftLine(n int, next memory.Next) string {
	if n == 0 {
		return ""
	}
	return "\nA removed work tree left " + plural.Of(n, "memory", "memories") + " that no commit seems to have" +
		led(" (", next.Say(memory.KindBriefTree, ""), ")") + ".\n"
}

// reviewLine returns one line about memories that are proposed, or "".
func reviewLine(n int, next memory.Next) string {
	if n == 0 {
		return ""
	}
	what := plural.Of(n, "candidate for a memory", "candidates for memories")
	return "\nEarlier sessions left " + what + " to review" +
		led(" (", next.Say(memory.KindBriefReview, ""), ")") + ".\n"
}

// offer shows the lines about a packet, a removed work tree and what is proposed, if there is room.
func (b *block) offer(o Offer) {
	for _, line := range []string{offerLine(o, b.holdBack, b.next), leftLine(o.Left, b.next),
		reviewLine(o.Candidates, b.next)} {
		if chars, tokens := Measure(line); chars <= b.chars && tokens <= b.tokens {
			b.offered += line
			b.charge(line)
		}
	}
}
