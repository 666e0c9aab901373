package secrets

import "strings"

// webhook finds the address of a webhook, host and one of the paths behind it:
// whoever knows its last part may post.
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
		if !ok || cut < 0 || len(rest)-cut-1 < 16 || !random(rest[cut+1:]) {
			continue
		}
		s.add(kind, weightToken, len(strings.TrimSuffix(t[:i], "https://")), end)
		return end
	}
	return 0
}

// path returns the end of the path of an address at i.
func (s *scanner) path(i int) int {
	t := s.text
	end := i
	for end < len(t) && end-i < lookAhead && (isWord(t[end]) || t[end] == '/' || t[end] == '-') {
		end++
	}
	return end
}

// teamsWebhook finds the address of a webhook of Microsoft Teams by the part of
// its path at i, "IncomingWebhook/", which the key follows.
func (s *scanner) teamsWebhook(i int) int {
	t := s.text
	key := i + len("IncomingWebhook/")
	end := s.path(key)
	if i == 0 || t[i-1] != '/' || s.run(key, alnum, 33) != key+32 || !random(t[key:key+32]) {
		return 0
	}
	s.add("Teams webhook", weightToken, s.addressStart(i), end)
	return end
}

// hook finds the address of a webhook of Mattermost, Rocket.Chat and the like, at
// the part "hooks/" of its path.
func (s *scanner) hook(i int) int {
	t := s.text
	key, ok := strings.CutPrefix(t[i:min(len(t), i+lookAhead)], "hooks/")
	if !ok || i == 0 || t[i-1] != '/' {
		return 0
	}
	if strings.HasSuffix(t[:i], "hooks.zapier.com/") && strings.HasPrefix(key, "catch/") {
		end := s.path(i)
		if end-i < len("hooks/catch/1234567/abcdef") || fake(key) {
			return 0
		}
		s.add("webhook", weightToken, s.addressStart(i), end)
		return end
	}
	end := s.path(i + len("hooks/"))
	key = t[i+len("hooks/") : end]
	if len(key) < 20 || !strongRandom(key[strings.LastIndexByte(key, '/')+1:]) || isUUID(key) {
		return 0
	}
	start := s.addressStart(i)
	if !strings.HasPrefix(t[start:], "http") {
		return 0
	}
	s.add("webhook", weightToken, start, end)
	return end
}

// pathKey finds a key that is a part of an address, behind the part at i which
// ends at end: of IFTTT and of PagerDuty.
func (s *scanner) pathKey(i, end int) int {
	t := s.text
	stop := s.run(end+1, urlSafe, maxName)
	ifttt := t[i:end] == "key" && strings.HasSuffix(t[:i], "/with/")
	pager := t[i:end] == "integration" && strings.HasPrefix(t[stop:], "/enqueue")
	if (ifttt || pager) && strongRandom(t[end+1:stop]) {
		s.add("secret value", weightToken, end+1, stop)
		return stop
	}
	return 0
}

// addressStart returns where the address that i is in begins, as far as is worth a
// look.
func (s *scanner) addressStart(i int) int {
	t := s.text
	start := i
	for start > 0 && i-start < 200 && t[start-1] > ' ' && t[start-1] < 0x7f && strings.IndexByte("\"'`<>()[]=", t[start-1]) < 0 {
		start--
	}
	return start
}
