package redact

import (
	"regexp"
	"strings"
	"sync"
)

// pattern finds what has one label. The patterns of the protocol are part of its behavior: what
// they find here must be found by every other program that sends packets.
type pattern struct {
	label Label
	expr  *regexp.Regexp
	group int // that is the match
	shown int // characters of the match that are no secret, at most 6, all of them ASCII
}

// patterns are compiled at their first use: most runs of the program look at no packet.
var patterns = sync.OnceValue(func() []pattern {
	label := func(name Label, shown, group int, expr string) pattern {
		return pattern{name, regexp.MustCompile(expr), group, shown}
	}
	return []pattern{
		label(AbsPath, 1, 1, `(?:^|[^A-Za-z0-9_])(/(?:Users|home|opt|var|etc|root)/[A-Za-z0-9._/-]+)`),
		label(AbsPath, 3, 0, `\b[A-Za-z]:[\\/](?:[A-Za-z0-9 _.-]+[\\/]?)+`),
		label(AWSKey, 4, 0, `\b(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[0-9A-Z]{16}\b`),
		label(GitHubToken, 4, 0, `gh[pousr]_[A-Za-z0-9]{36,}`),
		label(JWT, 3, 0, `eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`),
		label(PrivateKey, 5, 0, `-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----`),
		label(GoogleKey, 4, 0, `\bAIza[0-9A-Za-z_-]{35}\b`),
		label(SlackToken, 5, 0, `xox[baprs]-[A-Za-z0-9-]{10,}`),
		label(StripeKey, 3, 0, `\b[sr]k_(?:live|test)_[0-9A-Za-z]{20,}\b`),
		label(StripeKey, 6, 0, `\bwhsec_[0-9A-Za-z]{32,}\b`),
		label(SSHPublicKey, 4, 0, `ssh-(?:rsa|ed25519|dss|ecdsa)\s+AAAA[0-9A-Za-z+/]{20,}`),
	}
})

// unmask returns a text without invisible characters, and with the wide forms of ASCII
// as ASCII: with either, a credential looks whole to a reader and not to a search.
func unmask(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
			return r
		case 0xff01 <= r && r <= 0xff5e: // the wide forms of '!' to '~'
			return r - 0xff01 + '!'
		case isInvisible(r):
			return -1
		}
		return r
	}, s)
}

// isInvisible reports whether a character takes no room on a page.
func isInvisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e, r == 0xfeff:
	case 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f:
	case 0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff:
	default:
		return false
	}
	return true
}
