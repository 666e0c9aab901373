package secrets

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Finding is one credential in a text.
type Finding struct {
	Kind       string // such as "GitHub token", for people
	Start, End int    // bytes of the text
}

const Mask = "[redacted]"

// Find returns the credentials in text, in order, without overlaps. It reads the text as it is and as it is shown.
func Find(text string) []Finding { return find(text, false) }

func find(text string, cards bool) []Finding {
	s := scanner{text: text, forms: forms(), cards: cards}
	s.scan()
	s.findShown()
	return merge(s.found)
}

// merge sorts findings. Those that overlap become one, named by the heaviest: a token's own form says more than the
// name that it is assigned to.
func merge(found []hit) []Finding {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(a.Start, b.Start) })
	out := []Finding{found[0].Finding}
	best := found[0].weight
	for _, f := range found[1:] {
		last := &out[len(out)-1]
		if f.Start >= last.End {
			out = append(out, f.Finding)
			best = f.weight
			continue
		}
		last.End = max(last.End, f.End)
		if f.weight > best {
			last.Kind, best = f.Kind, f.weight
		}
	}
	return out
}

// Redact returns text with every credential masked, and how many there were. [Find] finds nothing in the result: the
// search is repeated, because a mask may expose what a larger finding had covered. It ends because a finding never
// touches a mask, so that every round replaces bytes of the text itself.
func Redact(text string) (string, int) { return redact(text, false) }

func redact(text string, cards bool) (string, int) {
	masked := 0
	for {
		found := find(text, cards)
		if len(found) == 0 {
			return text, masked
		}
		masked += len(found)
		var b strings.Builder
		at := 0
		for _, f := range found {
			b.WriteString(text[at:f.Start])
			b.WriteString(Mask)
			at = f.End
		}
		b.WriteString(text[at:])
		text = b.String()
	}
}

// documented reports whether a value is a key that a standard, a manual or a development tool prints for everyone to
// use.
func documented(value string) bool {
	const shortest = 16
	value = strings.TrimRight(value, "=")
	if len(value) < shortest {
		return false
	}
	if strings.HasPrefix(value, "eyJ") && documentedPayload(value) {
		return true
	}
	for key := range strings.Lines(published) {
		if key = strings.TrimSpace(key); key != "" && key[0] != '#' && strings.HasSuffix(value, key) {
			return true
		}
	}
	return false
}

// published lists documented keys.
//
//go:embed published.txt
var published string

// documentedPayload reports whether a web token is a well-known example: they claim to be John Doe's (jwt.io), joe's
// (RFC 7519) or of Supabase's emulator, whatever they are signed with.
func documentedPayload(token string) bool {
	_, claims, _ := strings.Cut(token, ".")
	return hasPrefix(claims,
		"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI", // {"sub":"1234567890","name":"John Doe"
		"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAs",      // {"iss":"joe",\r\n "exp":1300819380,
		"eyJpc3MiOiJzdXBhYmFzZS1kZW1vI",                     // {"iss":"supabase-demo"
	)
}

// hidden reports whether a character takes no room: people do not see it, and a program to which a credential is
// copied often leaves it out.
func hidden(r rune) bool { return r >= utf8.RuneSelf/2 && unicode.Is(unicode.Cf, r) }

// findShown adds what is found in the text as people read it, if that differs from its bytes: without hidden
// characters, and with letters in the place of their full-width, styled and other compatible forms.
func (s *scanner) findShown() {
	view, at := shown(s.text, s.cards)
	if at == nil {
		return
	}
	v := scanner{text: view, forms: s.forms, cards: s.cards}
	v.scan()
	for _, f := range v.found {
		f.Start, f.End = at[f.Start], at[f.End]
		for { // what follows a finding unseen is not of it
			r, size := utf8.DecodeLastRuneInString(s.text[f.Start:f.End])
			if !hidden(r) {
				break
			}
			f.End -= size
		}
		s.found = append(s.found, f)
	}
}

// shown returns a text as people read it, with the place in text of each of its bytes and of its end. at is nil if it
// is the same. With digits, those of all scripts become ASCII.
func shown(text string, digits bool) (view string, at []int) {
	foreign := func(r rune) bool { return digits && r >= utf8.RuneSelf && unicode.IsDigit(r) }
	if strings.IndexFunc(text, hidden) < 0 && (!digits || strings.IndexFunc(text, foreign) < 0) &&
		norm.NFKC.IsNormalString(text) {
		return text, nil
	}
	var kept strings.Builder
	var from []int // the places of its bytes
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		if hidden(r) {
			continue
		}
		if foreign(r) {
			kept.WriteByte(asciiDigit(r))
			from = append(from, i)
			continue
		}
		kept.WriteString(text[i : i+size]) // the bytes themselves, also of what is not UTF-8
		for k := range size {
			from = append(from, i+k)
		}
	}
	from = append(from, len(text))
	var out strings.Builder
	var segments norm.Iter
	for segments.InitString(norm.NFKC, kept.String()); !segments.Done(); {
		start := from[segments.Pos()]
		segment := segments.Next()
		out.Write(segment)
		for range segment {
			at = append(at, start)
		}
	}
	return out.String(), append(at, len(text))
}

// asciiDigit returns the ASCII form of a decimal digit. Unicode has those of each script in a row, from zero.
func asciiDigit(r rune) byte {
	zero := r
	for unicode.IsDigit(zero - 1) {
		zero--
	}
	return byte('0' + (r-zero)%10)
}
