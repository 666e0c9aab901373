package secrets

import (
	"strings"
	"sync"
)

// part of a token: min to max bytes of a class behind a separator.
type part struct {
	sep      string
	body     class
	min, max int
}

// compound describes tokens of several parts.
type compound struct {
	kind     string
	from, to int  // the random part is behind the end of part from (-1: from the beginning) up to that of part to
	whole    bool // no word goes on behind it
	parts    []part
}

// The tokens that begin with digits, with 32 hexadecimal digits, and with a number in base64.
var (
	digitTokens = sync.OnceValue(func() []compound {
		first, number, secret := part{"", digits, 1, 1}, part{"/", digits, 14, 18}, part{":", hexLower, 32, 32}
		return []compound{telegram(),
			{"Facebook token", 0, 1, false, []part{{"", wordy, 15, 16}, {"|", urlSafe, 27, 40}}},
			{"Asana token", 1, 2, true, []part{first, number, secret}}, // of a user
			{"Asana token", 2, 3, true, []part{first, number, number, secret}},
		}
	})
	hexTokens = sync.OnceValue(func() []compound {
		first, group := part{"", hexLower, 32, 32}, part{"-", hexLower, 8, 8}
		return []compound{{"Mailchimp key", -1, 0, true, []part{first, {"-us", digits, 1, 3}}}, // with a data center
			{"Mailgun key", -1, 0, false, []part{first, group, group}}}
	})
	discordTokens = sync.OnceValue(func() []compound {
		return []compound{{"Discord token", -1, 2, false, []part{{"", alnum, 23, 28}, {".", urlSafe, 6, 7},
			{".", urlSafe, 27, 40}}}}
	})
)

func telegram() compound {
	return compound{"Telegram token", 0, 1, false, []part{{"", digits, 8, 10}, {":A", urlSafe, 34, 34}}}
}

// compound adds the first of some tokens that is at i, and returns where it ends, or 0.
func (s *scanner) compound(i int, all ...compound) int {
	for _, c := range all {
		ends, ok := s.split(i, c.parts)
		start, end := i, ends[len(c.parts)-1]
		if c.from >= 0 {
			start = ends[c.from] + 1
		}
		if ok && !(c.whole && isWord(s.at(end))) && random(s.text[start:ends[c.to]]) {
			return s.addToken(c.kind, i, end)
		}
	}
	return 0
}

// split returns where each of the parts that begin at i ends, and whether all are there, none longer than allowed.
func (s *scanner) split(i int, parts []part) (ends [4]int, ok bool) {
	for n, p := range parts {
		if !strings.HasPrefix(s.text[i:], p.sep) {
			return ends, false
		}
		start := i + len(p.sep)
		i = s.run(start, p.body, p.max+1)
		if i-start < p.min || i-start > p.max {
			return ends, false
		}
		ends[n] = i
	}
	return ends, true
}

// webToken finds header.payload.signature at i, of which the first two are base64 of JSON objects, and the five parts
// of an encrypted one.
func (s *scanner) webToken(i int) int {
	t := s.text
	if s.afterDash(i) {
		return 0
	}
	end := s.run(i, urlSafe, len(t))
	parts := 1
	for parts < 5 && end+1 < len(t) && t[end] == '.' {
		next := s.run(end+1, urlSafe, len(t))
		if next == end+1 && parts > 1 || parts == 1 && !strings.HasPrefix(t[end+1:], "eyJ") && next-end < 2 {
			break
		}
		end = next
		parts++
		if parts == 2 && end-i < 24 {
			return 0
		}
	}
	if parts < 3 || !random(t[i+3:end]) || documentedPayload(t[i:end]) {
		return 0
	}
	return s.addToken("JSON web token", i, trimTail(t, i, end))
}

// awsSecret searches behind an access key id for the secret that comes with it: 40 bytes of base64 within the next few
// lines.
func (s *scanner) awsSecret(i int) {
	const reach, size = 240, 40
	t := s.text
	stop := min(len(t), i+reach)
	for i < stop {
		if !encoding.has(t[i]) {
			i++
			continue
		}
		if strings.HasPrefix(t[i:], "AKIA") {
			return // of the next id
		}
		v, end := s.body(i, base64, size+1)
		if len(v) == size && mixed(v) && random(v) && Entropy(v) >= minTokenEntropy {
			s.add("AWS secret key", weightToken, i, end)
			return
		}
		i = s.run(i, base64, stop-i)
		if i < stop {
			i++
		}
	}
}

// twilioToken searches behind the id of a Twilio account, which ends at i, for the token: the next argument, or what
// follows a colon.
func (s *scanner) twilioToken(i int) {
	const reach, size = 40, 32
	t := s.text
	for at := i + 1; at < len(t) && at < i+reach; at++ {
		if !isQuote(t[at-1]) && t[at-1] != ':' && t[at-1] != '=' {
			continue
		}
		end := s.run(at, hexLower, size+1)
		if end-at == size && !isWord(s.at(end)) && random(t[at:end]) {
			s.add("Twilio token", weightToken, at, end)
			return
		}
	}
}

// firebaseKey finds the server key of Firebase's messages, of which the first part ends at colon.
func (s *scanner) firebaseKey(i, colon int) int {
	end := s.run(colon+1, urlSafe, 160)
	if end-colon < 120 || !random(s.text[colon+1:end]) {
		return 0
	}
	return s.addToken("Firebase key", i, end)
}

// terraformToken finds the token around ".atlasv1.", whose name is at i.
func (s *scanner) terraformToken(i int) int {
	const id = 14
	t := s.text
	if i < id+1 || t[i-1] != '.' {
		return 0
	}
	start := i - 1
	for start > 0 && i-start <= id+1 && isAlnum(t[start-1]) {
		start--
	}
	end := s.run(i+len("atlasv1."), urlSafe, 80)
	if i-1-start != id || end-i < 48 || !random(t[i+len("atlasv1."):end]) {
		return 0
	}
	return s.addToken("Terraform token", start, end)
}

// azureSecret finds the secret of an application around the '~' at i: three letters, a digit, "Q~" and 31 to 34 more.
func (s *scanner) azureSecret(i int) {
	t := s.text
	if i < 5 || t[i-1] != 'Q' || !isDigit(t[i-2]) {
		return
	}
	start := i - 5
	end := i + 1
	for end < len(t) && end-i <= 35 && (dotted.has(t[end]) || t[end] == '~') {
		end++
	}
	end = trimTail(t, i, end)
	if n := end - i - 1; n >= 31 && n <= 34 && !isWord(s.at(start-1)) && random(t[i+1:end]) {
		s.add("Azure secret", weightToken, start, end)
	}
}
