package secrets

import "strings"

// token adds the token that begins at i, the first byte of a word that ends at
// end, and returns where the token ends; 0 is none.
func (s *scanner) token(i, end int) int {
	t := s.text
	if b := &s.known[t[i]]; i+2 < len(t) && b.second.has(t[i+1]) && b.third.has(t[i+2]) {
		for k := range b.forms {
			f := &b.forms[k]
			if f.prefix[1] != t[i+1] || len(f.prefix) > 2 && f.prefix[2] != t[i+2] || !strings.HasPrefix(t[i:], f.prefix) {
				continue
			}
			if stop := s.match(f, i); stop > 0 {
				return stop
			}
		}
	}
	if stop := s.unprefixed(i, end); stop > 0 {
		return stop
	}
	if end-i >= minEncoded || end < len(t) && (t[end] == '+' || t[end] == '/') {
		return s.encoded(i)
	}
	return 0
}

// match adds the token of a form whose prefix is at i, and returns where it ends.
func (s *scanner) match(f *form, i int) int {
	t := s.text
	if f.body >= urlSafe && s.afterDash(i) || f.body == base64 && i > 0 && (t[i-1] == '/' || t[i-1] == '+') {
		return 0
	}
	start := i + len(f.prefix)
	body, end := s.body(start, f.body, f.max+1)
	if len(body) < f.min || len(body) > f.max || end < len(t) && isWord(t[end]) {
		return 0
	}
	for len(body) > f.min && hasSuffix(body, ".", "--") { // of the sentence around it
		body = body[:len(body)-1]
		end--
	}
	if !f.genuine(body) {
		return 0
	}
	if f.kind == "Databricks token" && end+1 < len(t) && t[end] == '-' && isDigit(t[end+1]) {
		end += len("-2")
	}
	s.add(f.kind, weightToken, i, end)
	if f.kind == "AWS access key" {
		s.awsSecret(end)
	}
	return end
}

// unprefixed looks for the tokens that more than a prefix tells.
func (s *scanner) unprefixed(i, end int) int {
	t := s.text
	switch c := t[i]; {
	case isDigit(c) && end-i <= 10:
		return s.botToken(i)
	case isDigit(c) && end-i <= 16 && end < len(t) && t[end] == '|':
		return s.facebookToken(i, end)
	case end-i == 32 && end < len(t) && t[end] == '-' && isHex(c):
		return s.hexToken(i, end)
	case c == 'e' && strings.HasPrefix(t[i:], "eyJ"):
		return s.webToken(i)
	case c == 'b' && strings.HasPrefix(t[i:], "bot"): // of the API's addresses: /bot123:AAA/getMe
		return s.botToken(i + len("bot"))
	case c == 'h' && strings.HasPrefix(t[i:], "hooks"):
		if stop := s.webhook(i, "Slack webhook", "hooks.slack.com/", "services/", "workflows/", "triggers/"); stop > 0 {
			return stop
		}
		return s.hook(i)
	case c == 'd' && strings.HasPrefix(t[i:], "discord"):
		return max(s.webhook(i, "Discord webhook", "discord.com/", "api/webhooks/"),
			s.webhook(i, "Discord webhook", "discordapp.com/", "api/webhooks/"))
	case c == 'I' && strings.HasPrefix(t[i:], "IncomingWebhook/"):
		return s.teamsWebhook(i)
	case c == 'a' && strings.HasPrefix(t[i:], "atlasv1."):
		return s.terraformToken(i)
	case end-i == 40 && strings.HasSuffix(t[i:end], "_mmk") && random(t[i:end]):
		s.add("MaxMind key", weightToken, i, end)
		return end
	case c == 'A' && end-i == 11 && strings.HasPrefix(t[end:], ":APA91b"):
		return s.firebaseKey(i, end)
	case c == 'A' && end-i == 34 && t[i+1] == 'C':
		s.twilioToken(end)
		return 0
	case (c == 'k' || c == 'i') && end < len(t) && t[end] == '/':
		return s.pathKey(i, end)
	case c == 'M' || c == 'N' || c == 'O':
		return s.discordToken(i)
	}
	return 0
}

// afterDash reports whether a dash before i ties it to the word there: that of
// "task-sk-", not that of a removed line in a diff.
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

// body returns the bytes of a class that begin at i, at most n, and where they
// end. It reads on in the next literal when one ends there: "ab" + "cd".
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
