package secrets

import "strings"

// ofAddress adds the credential that the word from i to end introduces in an address, and returns where it ends, or 0.
func (s *scanner) ofAddress(i, end int) int {
	rest := s.text[i:]
	switch rest[0] {
	case 'b':
		if strings.HasPrefix(rest, "bot") { // of Telegram: /bot123:AAA/getMe
			return s.botToken(i + len("bot"))
		}
	case 'd':
		return max(s.webhook(i, "Discord webhook", "discord.com/", "api/webhooks/"),
			s.webhook(i, "Discord webhook", "discordapp.com/", "api/webhooks/"))
	case 'h':
		if !strings.HasPrefix(rest, "hooks") {
			return 0
		}
		if stop := s.webhook(i, "Slack webhook", "hooks.slack.com/", "services/", "workflows/", "triggers/"); stop > 0 {
			return stop
		}
		return s.hook(i)
	case 'I':
		return s.teamsWebhook(i)
	case 'i', 'k':
		if s.at(end) == '/' {
			return s.pathKey(i, end)
		}
	}
	return 0
}

// webhook finds the address of a webhook, host and one of the paths behind it: anyone who knows its last part may post.
func (s *scanner) webhook(i int, kind, host string, paths ...string) int {
	t := s.text
	if !strings.HasPrefix(t[i:], host) {
		return 0
	}
	start := i + len(host)
	end := s.path(start)
	for _, path := range paths {
		rest, ok := strings.CutPrefix(t[start:end], path)
		cut := strings.LastIndexByte(rest, '/')
		if ok && cut >= 0 && len(rest)-cut-1 >= 16 && random(rest[cut+1:]) {
			return s.addToken(kind, len(strings.TrimSuffix(t[:i], "https://")), end)
		}
	}
	return 0
}

// path returns the end of the path of an address at i.
func (s *scanner) path(i int) int {
	t := s.text
	end := i
	for end < len(t) && end-i < lookAhead && (urlSafe.has(t[end]) || t[end] == '/') {
		end++
	}
	return end
}

// teamsWebhook finds the address of a webhook of Microsoft Teams by the part of its path at i, which the key follows.
func (s *scanner) teamsWebhook(i int) int {
	const part = "IncomingWebhook/"
	if s.at(i-1) != '/' || !strings.HasPrefix(s.text[i:], part) {
		return 0
	}
	key := i + len(part)
	if s.run(key, alnum, 33) != key+32 || !random(s.text[key:key+32]) {
		return 0
	}
	return s.addToken("Teams webhook", s.addressStart(i), s.path(key))
}

// hook finds the address of a webhook of Mattermost, Rocket.Chat and the like, at the part "hooks/" of its path.
func (s *scanner) hook(i int) int {
	t := s.text
	key, ok := strings.CutPrefix(t[i:min(len(t), i+lookAhead)], "hooks/")
	if !ok || s.at(i-1) != '/' {
		return 0
	}
	start := s.addressStart(i)
	if strings.HasSuffix(t[:i], "hooks.zapier.com/") && strings.HasPrefix(key, "catch/") {
		end := s.path(i)
		if end-i < len("hooks/catch/1234567/abcdef") || fake(key) {
			return 0
		}
		return s.addToken("webhook", start, end)
	}
	end := s.path(i + len("hooks/"))
	key = t[i+len("hooks/") : end]
	if len(key) < 20 || isUUID(key) || !strings.HasPrefix(t[start:], "http") || !strongRandom(afterLast(key, '/')) {
		return 0
	}
	return s.addToken("webhook", start, end)
}

// pathKey finds a key in an address, behind the part from i to end: of IFTTT and of PagerDuty.
func (s *scanner) pathKey(i, end int) int {
	t := s.text
	stop := s.run(end+1, urlSafe, maxName)
	ifttt := t[i:end] == "key" && strings.HasSuffix(t[:i], "/with/")
	pager := t[i:end] == "integration" && strings.HasPrefix(t[stop:], "/enqueue")
	if (ifttt || pager) && strongRandom(t[end+1:stop]) {
		return s.addToken("secret value", end+1, stop)
	}
	return 0
}

// addressStart returns where the address around i begins; it may be cut off.
func (s *scanner) addressStart(i int) int {
	t := s.text
	start := i
	for start > 0 && i-start < 200 && visible(t[start-1]) && strings.IndexByte("\"'`<>()[]=", t[start-1]) < 0 {
		start--
	}
	return start
}
