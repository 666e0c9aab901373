package secrets

import "strings"

// token adds the token that begins at i, the first byte of a word that ends at end, and returns where the token ends,
// or 0.
func (s *scanner) token(i, end int) int {
	t := s.text
	list, second := s.forms[t[i]], s.at(i+1)
	for k := range list {
		if f := &list[k]; f.prefix[1] == second && strings.HasPrefix(t[i:], f.prefix) {
			if stop := s.match(f, i); stop > 0 {
				return stop
			}
		}
	}
	if stop := s.ofAddress(i, end); stop > 0 {
		return stop
	}
	if stop := s.unprefixed(i, end); stop > 0 {
		return stop
	}
	if end-i >= minEncoded || plusSlash.has(s.at(end)) {
		return s.encoded(i)
	}
	return 0
}

// match adds the token of a form whose prefix is at i, and returns where it ends.
func (s *scanner) match(f *form, i int) int {
	if f.body&^wordy != 0 && s.afterDash(i) || f.body == base64 && plusSlash.has(s.at(i-1)) {
		return 0
	}
	body, end := s.body(i+len(f.prefix), f.body, f.max+1)
	if len(body) < f.min || len(body) > f.max || isWord(s.at(end)) {
		return 0
	}
	for len(body) > f.min && hasSuffix(body, ".", "--") { // of the sentence around it
		body = body[:len(body)-1]
		end--
	}
	if !f.genuine(body) {
		return 0
	}
	if f.kind == "Databricks token" && s.at(end) == '-' && isDigit(s.at(end+1)) {
		end += len("-2")
	}
	s.add(f.kind, weightToken, i, end)
	if f.kind == "AWS access key" {
		s.awsSecret(end)
	}
	return end
}

// unprefixed finds the tokens that are known by more than a prefix.
func (s *scanner) unprefixed(i, end int) int {
	t, n := s.text, end-i
	switch c := t[i]; {
	case isDigit(c) && n <= 16:
		return s.compound(i, digitTokens()...)
	case n == 32 && s.at(end) == '-' && isHex(c):
		return s.compound(i, hexTokens()...)
	case strings.HasPrefix(t[i:], "eyJ"):
		return s.webToken(i)
	case strings.HasPrefix(t[i:], "atlasv1."):
		return s.terraformToken(i)
	case n == 40 && strings.HasSuffix(t[i:end], "_mmk") && random(t[i:end]):
		return s.addToken("MaxMind key", i, end)
	case c == 'A' && n == 11 && strings.HasPrefix(t[end:], ":APA91b"):
		return s.firebaseKey(i, end)
	case c == 'A' && n == 34 && t[i+1] == 'C':
		s.twilioToken(end)
	case c == 'M' || c == 'N' || c == 'O':
		return s.compound(i, discordTokens()...)
	}
	return 0
}

// afterDash reports whether a dash before i ties it to the word there: that of "task-sk-", not that of a removed line
// in a diff.
func (s *scanner) afterDash(i int) bool {
	return i > 1 && s.text[i-1] == '-' && (isAlnum(s.text[i-2]) || s.text[i-2] == '-')
}

// run returns the end of the bytes of a class that begin at i, at most n.
func (s *scanner) run(i int, c class, n int) int {
	end := i
	for end < len(s.text) && end-i < n && c.has(s.text[end]) {
		end++
	}
	return end
}

// body returns the bytes of a class that begin at i, at most n, and where they end. When a literal ends there, it reads
// on in the next one: "ab" + "cd".
func (s *scanner) body(i int, c class, n int) (string, int) {
	end := s.run(i, c, n)
	body := s.text[i:end]
	for len(body) < n {
		next := joint(s.text, end)
		if next == 0 {
			break
		}
		stop := s.run(next, c, n-len(body))
		if stop == next {
			break
		}
		body += s.text[next:stop]
		end = stop
	}
	return body, end
}

// trimTail leaves out what belongs to the sentence around a token.
func trimTail(t string, start, end int) int {
	for end > start && (t[end-1] == '.' || t[end-1] == '-') {
		end--
	}
	return end
}
