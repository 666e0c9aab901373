package secrets

import (
	"cmp"
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

// Mask replaces a credential.
const Mask = "[redacted]"

// Find returns the credentials in text, in order, without overlaps. It reads the text as it is and as it is shown.
func Find(text string) []Finding { return find(text, false) }

func find(text string, cards bool) []Finding {
	s := scanner{text: text, known: buckets(), cards: cards}
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
// use. Keys are listed without their prefixes, so that scanners of this repository find nothing.
func documented(value string) bool {
	const shortest = 16
	value = strings.TrimRight(value, "=")
	if len(value) < shortest {
		return false
	}
	if strings.HasPrefix(value, "eyJ") && documentedPayload(value) {
		return true
	}
	return hasSuffix(value, published()...)
}

// published lists documented keys, by their last 16 bytes or more.
func published() []string {
	return []string{
		// Stripe's API reference, quickstarts and libraries.
		"4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "tR3PYbcVNZZ796tH88S4VQ2u", "26PHem9AhJZvU623DfE1x4sd",
		"VePHdqKTYQjKNInc7u56JBrQ", "mkGsLqEW6SLnZa487HYfJVLf", "7mJuPfZsBzc3JkrANrFrcDqC",
		// GitHub's documentation of OAuth: an access token and a refresh token.
		"16C7e42F292c6912E7710c838347Ae178B4a",
		"1B4a2e77838347a7E420ce178F2E7c6912E169246c34E1ccbF66C46812d16D5B1A9Dc86A1498",
		// The emulators of Azure's storage and of Cosmos DB.
		"K1SZFPTOtr/KBHBeksoGMGw", "IZnqyMsEcaGQy67XIw/Jw",
		// Printed by "supabase start": the secret key, and the key that signs its tokens.
		"N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz", "super-secret-jwt-token-with-at-least-32-characters-long",
		// Google's reCAPTCHA for automated tests.
		"AAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
		// The first accounts of Hardhat, Anvil and Ganache.
		"6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", "5389dc9e86dae88c7a8412f4603b6b78690d",
		"a84ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
		// The documentation of Google Maps, SendGrid, Mailgun, Telegram and Discord.
		"DaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "B41DRUbKWJHPxaFjMAwdrzWzbVKartNGg",
		"TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
		"3ax6xnjp29jd6fds4gc373sgvjxteol0",
		"AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "ABC-DEF1234ghIkl-zyx57W2v1u123ew11", "ZnCjm1XVW7vRze4b7Cq4se7kKWs",
		// The test vector of Standard Webhooks.
		"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
		// One-time passwords: Google's wiki and RFC 6238.
		"JBSWY3DPEHPK3PXP", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
		// RFC 6749, RFC 6750 and RFC 7515, the last one also in plain base64.
		"2YotnFZFEjr1zCsicMWpAA", "tGzv3JOkF0XG5Qx2TlKWIA", "SplxlOBeZQQYbYS6WxSbIA", "mF_9.B5f-4.1JqM",
		"1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
	}
}

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
	v := scanner{text: view, known: s.known, cards: s.cards}
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
