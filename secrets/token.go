package secrets

import (
	"strings"
	"sync"
)

// class says which bytes the random part of a token is made of.
type class byte

const (
	alnum class = iota
	upperNum
	hexLower
	digits
	wordy   // letters, digits, _
	urlSafe // letters, digits, _ and -
	dotted  // urlSafe and .
	base64  // letters, digits, +, /, =
)

func (c class) has(b byte) bool {
	switch c {
	case alnum:
		return isAlnum(b)
	case upperNum:
		return isUpper(b) || isDigit(b)
	case hexLower:
		return isDigit(b) || b >= 'a' && b <= 'f'
	case digits:
		return isDigit(b)
	case wordy:
		return isWord(b)
	case urlSafe:
		return isWord(b) || b == '-'
	case dotted:
		return isWord(b) || b == '-' || b == '.'
	default:
		return isAlnum(b) || b == '+' || b == '/' || b == '='
	}
}

// form is how tokens of a service look: a prefix, then min to max bytes of a class.
type form struct {
	kind, prefix string
	body         class
	min, max     int
}

// forms are sorted by their first byte, at the first use: most processes never
// look.
var forms = sync.OnceValue(func() *[256][]form {
	var byFirst [256][]form
	for _, f := range knownForms() {
		byFirst[f.prefix[0]] = append(byFirst[f.prefix[0]], f)
	}
	return &byFirst
})

// token adds the token that begins at i, the first byte of a word, and returns
// its end; 0 is none.
func (s *scanner) token(i int) int {
	t := s.text
	if isDigit(t[i]) {
		return s.botToken(i)
	}
	for _, f := range forms()[t[i]] {
		if i+1 < len(t) && t[i+1] != f.prefix[1] || !strings.HasPrefix(t[i:], f.prefix) || f.body >= urlSafe && s.afterDash(i) {
			continue
		}
		start := i + len(f.prefix)
		end := s.run(start, f.body, f.max+1)
		if n := end - start; n < f.min || n > f.max || end < len(t) && isWord(t[end]) {
			continue
		}
		if end = trimTail(t, start, end); end-start < f.min || !f.genuine(t[start:end]) {
			continue
		}
		s.add(f.kind, weightToken, i, end)
		if f.kind == "AWS access key" {
			s.awsSecret(end)
		}
		return end
	}
	switch {
	case strings.HasPrefix(t[i:], "eyJ"):
		return s.webToken(i)
	case strings.HasPrefix(t[i:], "bot"): // of the API's addresses: /bot123:AAA/getMe
		return s.botToken(i + len("bot"))
	case strings.HasPrefix(t[i:], "hooks"):
		return s.webhook(i, "Slack webhook", "hooks.slack.com/", "services/", "workflows/", "triggers/")
	case strings.HasPrefix(t[i:], "discord"):
		return s.webhook(i, "Discord webhook", "discord.com/", "api/webhooks/")
	case t[i] == 'M' || t[i] == 'N' || t[i] == 'O':
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

// trimTail leaves out what belongs to the sentence around a token.
func trimTail(t string, start, end int) int {
	for end > start && (t[end-1] == '.' || t[end-1] == '-') {
		end--
	}
	return end
}

// genuine reports whether the random part of a token is no example. That it
// reads like words tells nothing where its length is fixed.
func (f form) genuine(body string) bool {
	return Entropy(body) >= minFormEntropy && !sequence(body) && !fake(body) && (f.min == f.max || !wordlike(body))
}

func knownForms() []form {
	return append(platformForms(), serviceForms()...)
}

func platformForms() []form {
	return []form{
		{"AWS access key", "AKIA", upperNum, 16, 16}, {"AWS access key", "ASIA", upperNum, 16, 16},
		{"AWS access key", "ABIA", upperNum, 16, 16}, {"AWS access key", "ACCA", upperNum, 16, 16},
		{"GitHub token", "ghp_", alnum, 36, 255}, {"GitHub token", "gho_", alnum, 36, 255}, {"GitHub token", "ghu_", alnum, 36, 255},
		{"GitHub token", "ghs_", alnum, 36, 255}, {"GitHub token", "ghr_", alnum, 36, 255}, {"GitHub token", "github_pat_", wordy, 50, 255},
		{"GitLab token", "glpat-", dotted, 20, 400}, {"GitLab token", "glrt-", dotted, 20, 400}, {"GitLab token", "gldt-", urlSafe, 20, 100},
		{"GitLab token", "glcbt-", urlSafe, 20, 100}, {"GitLab token", "glptt-", hexLower, 40, 40}, {"GitLab token", "glft-", urlSafe, 20, 100},
		{"GitLab token", "glsoat-", urlSafe, 20, 100}, {"GitLab token", "glimt-", urlSafe, 20, 100}, {"GitLab token", "glagent-", urlSafe, 40, 100},
		{"GitLab token", "gloas-", urlSafe, 40, 100}, {"GitLab token", "glffct-", urlSafe, 20, 100}, {"GitLab token", "glrtr-", dotted, 20, 400},
		{"GitLab token", "GR1348941", urlSafe, 20, 50},
		{"Slack token", "xoxb-", urlSafe, 20, 200}, {"Slack token", "xoxp-", urlSafe, 20, 200}, {"Slack token", "xoxa-", urlSafe, 20, 200},
		{"Slack token", "xoxr-", urlSafe, 20, 200}, {"Slack token", "xoxs-", urlSafe, 20, 200}, {"Slack token", "xoxc-", urlSafe, 20, 200},
		{"Slack token", "xoxd-", base64, 20, 400}, {"Slack token", "xoxe-", urlSafe, 20, 400}, {"Slack token", "xoxe.xox", urlSafe, 40, 400},
		{"Slack token", "xapp-", urlSafe, 40, 200},
		{"Stripe key", "sk_live_", alnum, 16, 255}, {"Stripe key", "sk_test_", alnum, 16, 255}, {"Stripe key", "rk_live_", alnum, 16, 255},
		{"Stripe key", "rk_test_", alnum, 16, 255}, {"Stripe key", "whsec_", base64, 24, 100},
		{"Google API key", "AIza", urlSafe, 35, 35}, {"Google OAuth secret", "GOCSPX-", urlSafe, 20, 60},
		{"Google OAuth secret", "ya29.", dotted, 40, 500},
		{"Anthropic key", "sk-ant-", urlSafe, 32, 300}, {"OpenRouter key", "sk-or-", urlSafe, 40, 100},
		{"OpenAI key", "sk-proj-", urlSafe, 32, 300}, {"OpenAI key", "sk-svcacct-", urlSafe, 32, 300}, {"OpenAI key", "sk-admin-", urlSafe, 32, 300},
		{"OpenAI key", "sk-", urlSafe, 32, 200},
		{"npm token", "npm_", alnum, 36, 36}, {"PyPI token", "pypi-", urlSafe, 50, 400},
	}
}

func serviceForms() []form {
	return []form{
		{"SendGrid key", "SG.", dotted, 60, 80}, {"Hugging Face token", "hf_", alnum, 30, 60},
		{"DigitalOcean token", "dop_v1_", hexLower, 64, 64}, {"DigitalOcean token", "doo_v1_", hexLower, 64, 64},
		{"DigitalOcean token", "dor_v1_", hexLower, 64, 64}, {"Docker token", "dckr_pat_", urlSafe, 20, 60},
		{"Databricks token", "dapi", hexLower, 32, 32}, {"Shopify token", "shpat_", hexLower, 32, 32},
		{"Shopify token", "shpss_", hexLower, 32, 32}, {"Shopify token", "shpca_", hexLower, 32, 32}, {"Shopify token", "shppa_", hexLower, 32, 32},
		{"Vault token", "hvs.", urlSafe, 24, 300}, {"Vault token", "hvb.", urlSafe, 100, 300},
		{"Grafana token", "glsa_", wordy, 40, 60}, {"Grafana token", "glc_", base64, 40, 400},
		{"Linear key", "lin_api_", alnum, 32, 60}, {"New Relic key", "NRAK-", upperNum, 27, 27},
		{"age key", "AGE-SECRET-KEY-1", upperNum, 58, 58}, {"Groq key", "gsk_", alnum, 40, 80}, {"xAI key", "xai-", alnum, 60, 120},
		{"Replicate token", "r8_", alnum, 37, 37}, {"Perplexity key", "pplx-", alnum, 40, 64}, {"Postman key", "PMAK-", urlSafe, 50, 80},
		{"Sentry token", "sntrys_", base64, 60, 400}, {"Sentry token", "sntryu_", hexLower, 64, 64},
		{"RubyGems key", "rubygems_", hexLower, 48, 48}, {"Atlassian token", "ATATT3", urlSafe, 100, 300},
		{"PlanetScale token", "pscale_tkn_", urlSafe, 32, 64}, {"Figma token", "figd_", urlSafe, 38, 60}, {"Notion token", "ntn_", alnum, 40, 60},
		{"Doppler token", "dp.pt.", alnum, 40, 50}, {"Supabase token", "sbp_", hexLower, 40, 40}, {"Fly token", "fm2_", base64, 80, 500},
		{"Square token", "sq0atp-", urlSafe, 22, 22}, {"Square token", "sq0csp-", urlSafe, 43, 43}, {"Mailgun key", "key-", hexLower, 32, 32},
		{"Twilio key", "SK", hexLower, 32, 32}, {"NuGet key", "oy2", alnum, 43, 43}, {"crates.io token", "cio", alnum, 32, 32},
		{"Tailscale key", "tskey-", urlSafe, 30, 80}, {"Pulumi token", "pul-", hexLower, 40, 40}, {"Heroku key", "HRKU-", urlSafe, 36, 80},
		{"Brevo key", "xkeysib-", urlSafe, 70, 90}, {"Netlify token", "nfp_", alnum, 36, 50}, {"Sourcegraph token", "sgp_", wordy, 40, 64},
		{"Buildkite token", "bkua_", hexLower, 40, 40}, {"Contentful token", "CFPAT-", urlSafe, 43, 43},
	}
}
