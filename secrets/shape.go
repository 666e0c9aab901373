package secrets

import "strings"

// webToken finds header.payload.signature at i, of which the first two are
// base64 of JSON objects, and the five parts of an encrypted one.
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
	if parts < 3 || !random(t[i+3:end]) {
		return 0
	}
	end = trimTail(t, i, end)
	s.add("JSON web token", weightToken, i, end)
	return end
}

// webhook finds the address of a webhook, host and one of the paths behind it:
// whoever knows its last part may post.
func (s *scanner) webhook(i int, kind, host string, paths ...string) int {
	t := s.text
	if !strings.HasPrefix(t[i:], host) {
		return 0
	}
	start := i + len(host)
	end := start
	for end < len(t) && end-start < lookAhead && (isWord(t[end]) || t[end] == '/' || t[end] == '-') {
		end++
	}
	for _, path := range paths {
		rest, ok := strings.CutPrefix(t[start:end], path)
		cut := strings.LastIndexByte(rest, '/')
		if !ok || cut < 0 || len(rest)-cut-1 < 16 || !random(rest[cut+1:]) {
			continue
		}
		s.add(kind, weightToken, len(strings.TrimSuffix(t[:i], "https://")), end)
		return end
	}
	return 0
}

// botToken finds Telegram's: digits, a colon and 35 bytes.
func (s *scanner) botToken(i int) int {
	t := s.text
	colon := s.run(i, digits, 11)
	if n := colon - i; n < 8 || n > 10 || colon >= len(t) || t[colon] != ':' {
		return 0
	}
	end := s.run(colon+1, urlSafe, 36)
	if end-colon-1 != 35 || t[colon+1] != 'A' || !random(t[colon+1:end]) {
		return 0
	}
	s.add("Telegram token", weightToken, i, end)
	return end
}

// discordToken finds three parts, of which the first is a number in base64.
func (s *scanner) discordToken(i int) int {
	t := s.text
	a := s.run(i, alnum, 29)
	if n := a - i; n < 23 || n > 28 || a >= len(t) || t[a] != '.' {
		return 0
	}
	b := s.run(a+1, urlSafe, 8)
	if n := b - a - 1; n < 6 || n > 7 || b >= len(t) || t[b] != '.' {
		return 0
	}
	end := s.run(b+1, urlSafe, 41)
	if n := end - b - 1; n < 27 || n > 40 || !random(t[i:end]) {
		return 0
	}
	s.add("Discord token", weightToken, i, end)
	return end
}

// awsSecret looks after an access key id for the secret that comes with it: 40
// bytes of base64 that stand alone, within the next few lines.
func (s *scanner) awsSecret(i int) {
	const reach, size = 240, 40
	t := s.text
	stop := min(len(t), i+reach)
	for i < stop {
		if !base64.has(t[i]) || t[i] == '=' {
			i++
			continue
		}
		if t[i] == 'A' && strings.HasPrefix(t[i:], "AKIA") {
			return // the next one's
		}
		end := s.run(i, base64, size+1)
		if v := t[i:end]; end-i == size && mixed(v) && random(v) && Entropy(v) >= minTokenEntropy {
			s.add("AWS secret key", weightToken, i, end)
			return
		}
		i = s.run(end, base64, stop-i)
		if i < len(t) && i < stop {
			i++
		}
	}
}
