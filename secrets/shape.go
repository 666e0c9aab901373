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
	if parts < 3 || !random(t[i+3:end]) || documentedPayload(t[i:end]) {
		return 0
	}
	end = trimTail(t, i, end)
	s.add("JSON web token", weightToken, i, end)
	return end
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

// facebookToken finds that of an application: its id, which ends at bar, a bar and
// its secret.
func (s *scanner) facebookToken(i, bar int) int {
	end := s.run(bar+1, urlSafe, 41)
	if n := end - bar - 1; bar-i < 15 || n < 27 || n > 40 || !random(s.text[bar+1:end]) {
		return 0
	}
	s.add("Facebook token", weightToken, i, end)
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
		if v, end := s.body(i, base64, size+1); len(v) == size && mixed(v) && random(v) && Entropy(v) >= minTokenEntropy {
			s.add("AWS secret key", weightToken, i, end)
			return
		}
		i = s.run(i, base64, stop-i)
		if i < len(t) && i < stop {
			i++
		}
	}
}

// twilioToken looks behind the id of a Twilio account, which ends at i, for the
// token that is the next argument or follows a colon.
func (s *scanner) twilioToken(i int) {
	const reach, size = 40, 32
	t := s.text
	for at := i + 1; at < len(t) && at < i+reach; at++ {
		if !isQuote(t[at-1]) && t[at-1] != ':' && t[at-1] != '=' {
			continue
		}
		end := s.run(at, hexLower, size+1)
		if end-at == size && (end == len(t) || !isWord(t[end])) && random(t[at:end]) {
			s.add("Twilio token", weightToken, at, end)
			return
		}
	}
}

// firebaseKey finds the server key of Firebase's messages, of which the first part
// ends at colon.
func (s *scanner) firebaseKey(i, colon int) int {
	end := s.run(colon+1, urlSafe, 160)
	if end-colon < 120 || !random(s.text[colon+1:end]) {
		return 0
	}
	s.add("Firebase key", weightToken, i, end)
	return end
}

// hexToken finds the tokens that begin with 32 hexadecimal digits, which end at
// end: of Mailchimp, with the name of a data center, and of Mailgun.
func (s *scanner) hexToken(i, end int) int {
	t := s.text
	if s.run(i, hexLower, 32) != end || !random(t[i:end]) {
		return 0
	}
	rest := t[end:min(len(t), end+20)]
	if strings.HasPrefix(rest, "-us") {
		if stop := s.run(end+3, digits, 3); stop > end+3 && (stop == len(t) || !isWord(t[stop])) {
			s.add("Mailchimp key", weightToken, i, stop)
			return stop
		}
	}
	if len(rest) >= 18 && rest[9] == '-' && s.run(end+1, hexLower, 8) == end+9 && s.run(end+10, hexLower, 9) == end+18 {
		s.add("Mailgun key", weightToken, i, end+18)
		return end + 18
	}
	return 0
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
	s.add("Terraform token", weightToken, start, end)
	return end
}

// azureSecret finds the secret of an application, of whose '~' this is the place:
// three letters, a digit, "Q~" and 31 to 34 more.
func (s *scanner) azureSecret(i int) {
	t := s.text
	if i < 5 || t[i-1] != 'Q' || !isDigit(t[i-2]) {
		return
	}
	start := i - 5
	end := i + 1
	for end < len(t) && end-i <= 35 && (isWord(t[end]) || t[end] == '-' || t[end] == '.' || t[end] == '~') {
		end++
	}
	end = trimTail(t, i, end)
	if n := end - i - 1; n < 31 || n > 34 || start > 0 && isWord(t[start-1]) || !random(t[i+1:end]) {
		return
	}
	s.add("Azure secret", weightToken, start, end)
}
