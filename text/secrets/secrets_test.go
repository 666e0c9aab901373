package secrets_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// key puts an example together here, so that scanners of this repository have nothing to find.
func key(parts ...string) string { return strings.Join(parts, "") }

func TestFindSpans(t *testing.T) {
	gh := key("ghp_", "q7Tz0aLk93VbXc5RmN2y", "W8sDf6Gh1Jp4Ue0o")
	for _, tt := range []struct {
		name, text string
		want       []string // kind, credential
	}{
		{"nothing", "", nil},
		{"at the start", gh + " is it", []string{"GitHub token", gh}},
		{"at the end", "it is " + gh, []string{"GitHub token", gh}},
		{"end of a sentence", "It is " + gh + ".", []string{"GitHub token", gh}},
		{"twice", gh + " " + gh, []string{"GitHub token", gh, "GitHub token", gh}},
		{"the form says more than the name", "API_TOKEN=" + gh, []string{"GitHub token", gh}},
		{"after an escaped break", `"a\n` + gh + `\nb"`, []string{"GitHub token", gh}},
		{"after an escaped sign", "?t%3D" + gh, []string{"GitHub token", gh}},
		{"in the middle of a word", "x" + gh, nil},
		{"too long for its form", key("AKIA", "QX3T5Z7W2N4M6P8R") + "S", nil},
		{"the example of AWS", key("AKIA", "IOSFODNN7EXAMPLE"), nil},
		{"a UUID beside a certain name", "api_key: 9f1c2d34-5b6a-" + "4c7d-8e9f-0a1b2c3d4e5f",
			[]string{"secret value", "9f1c2d34-5b6a-" + "4c7d-8e9f-0a1b2c3d4e5f"}},
		{"a UUID beside a weak name", "session_token: 9f1c2d34-5b6a-" + "4c7d-8e9f-0a1b2c3d4e5f", nil},
		{"a quoted value ends at its quote", key(`pass`, `word`, `="k7#m`, `Q2,;x!" host="b"`),
			[]string{"password", key("k7#m", "Q2,;x!")}},
		{"a value in a query ends at &", key("?pass", "word", "=k7m", "Q2x9z&b=1"),
			[]string{"password", key("k7m", "Q2x9z")}},
		{"the last @ ends a password in a URL", key("redis://:", "k7@m", "Q2x9z@cache:6379"),
			[]string{"password in a URL", key("k7@m", "Q2x9z")}},
		{"a mask is not a credential", "password=" + secrets.Mask, nil},
		{"two literals", `"` + gh[:12] + `" + "` + gh[12:] + `"`,
			[]string{"GitHub token", gh[:12] + `" + "` + gh[12:]}},
		{"a literal that ends a sentence", `It is "` + gh + `". "Really?"`, []string{"GitHub token", gh}},
		{"literals that are keys", key(`"pass`, `word": "k7m`, "Q2x9z\"\n\"user\": \"ann\""),
			[]string{"password", key("k7m", "Q2x9z")}},
		{"in base64", "x: " + encode("GITHUB_TOKEN="+gh),
			[]string{"GitHub token in base64", encode("GITHUB_TOKEN=" + gh)}},
		{"in base64 in base64", encode(encode(gh)), []string{"GitHub token in base64 in base64", encode(encode(gh))}},
		{"in base64 of two bytes a letter", encode(wide("$t='" + gh + "'")),
			[]string{"GitHub token in base64", encode(wide("$t='" + gh + "'"))}},
		{"in base64 of several lines", wrap(encode(strings.Repeat("a line of settings\n", 9) + gh)),
			[]string{"GitHub token in base64", wrap(encode(strings.Repeat("a line of settings\n", 9) + gh))}},
		{"base64 of a text", encode("a text without anything to hide"), nil},
		{"base64 of a common password", key("pass", "word: ") + encode("password"), nil},
		{"a password in a sentence", key("root pass", "word is gr4nite", "-Heron on staging"),
			[]string{"password", key("gr4nite", "-Heron")}},
		{"a column of a table", key("| user | pass", "word |\n|---|---|\n| ann | `gr4nite", "-Heron` |\n"),
			[]string{"password", key("gr4nite", "-Heron")}},
		{"behind an arrow", key("pass", "word → gr4nite", "-Heron"), []string{"password", key("gr4nite", "-Heron")}},
		{"what is taken else", key("env.JWT_SEC", `RET || "k7mQ2x9z`, `R4tB"`),
			[]string{"secret value", key("k7mQ2x9z", "R4tB")}},
		{"the hash of a password in a sentence",
			key("The pass", "word hash is 5f4dcc3b5aa7", "65d61d8327deb882cf99"), nil},
		{"a word of the trade in a sentence", key("The pass", "word is Base64", "url encoded"), nil},
		{"a key that is documented", key("sk_test", "_4eC39HqLyjWDarjtT1zdp7dc"), nil},
		{"letters that count", key("ghp_", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"), nil},
		{"letters and digits that count", key("ghp_", "A1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q7R8"), nil},
		{"a key that ends like a documented one", key("sk_live", "_9aQ39HqLyjWDarjtT1zdp7dc"),
			[]string{"Stripe key", key("sk_live", "_9aQ39HqLyjWDarjtT1zdp7dc")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range secrets.Find(tt.text) {
				got = append(got, f.Kind, tt.text[f.Start:f.End])
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// wide encodes a text as PowerShell does, in two bytes a letter.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}

// wrap breaks base64 into lines of 76.
func wrap(text string) string { return wrapAt(76, text) }

func wrapAt(n int, text string) string {
	var lines []string
	for len(text) > n {
		lines, text = append(lines, text[:n]), text[n:]
	}
	return strings.Join(append(lines, text), "\n")
}

func TestRedact(t *testing.T) {
	token := key("ghp_", "q7Tz0aLk93VbXc5RmN2y", "W8sDf6Gh1Jp4Ue0o")
	masked, n := secrets.Redact("a " + token + " b\n" + key("PGPA", "SSWORD=k7m", "Q2x9zR\n"))
	require.Equal(t, 2, n)
	require.Equal(t, "a [redacted] b\nPGPASSWORD=[redacted]\n", masked)
	again, n := secrets.Redact(masked)
	require.Zero(t, n)
	require.Equal(t, masked, again)
}

func TestEntropy(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        float64
	}{
		{"nothing", "", 0},
		{"one byte", "aaaa", 0},
		{"two, evenly", "abab", 1},
		{"16 different", "0123456789abcdef", 4},
		{"a half and two quarters", "aabc", 1.5}, // 1/2·1 + 1/4·2 + 1/4·2
	} {
		t.Run(tt.name, func(t *testing.T) { require.InDelta(t, tt.want, secrets.Entropy(tt.value), 1e-9) })
	}
}

// A path of any length behind "hooks/" is read.
func TestLongPathOfAWebhook(t *testing.T) {
	for _, size := range []int{505, 506, 507, 512, 513, 5000} {
		text := "https://chat.example.com/hooks/" + strings.Repeat("a", size)
		require.Empty(t, secrets.Find(text), size)
	}
}

// FuzzRedact: nothing is found in what was masked, findings are in order and apart, and what lies between them keeps
// its bytes.
func FuzzRedact(f *testing.F) {
	for _, s := range sets() {
		for _, e := range s.examples(f) {
			f.Add(e.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, found := range secrets.Find(text) {
			require.GreaterOrEqual(t, found.Start, at)
			require.Greater(t, found.End, found.Start)
			at = found.End
		}
		require.LessOrEqual(t, at, len(text))
		masked, n := secrets.Redact(text)
		require.Empty(t, secrets.Find(masked), "%q", masked)
		if n == 0 {
			require.Equal(t, text, masked)
		}
		rest := text
		for part := range strings.SplitSeq(masked, secrets.Mask) {
			i := strings.Index(rest, part)
			require.GreaterOrEqual(t, i, 0, "%q is not of the text", part)
			rest = rest[i+len(part):]
		}
	})
}

// BenchmarkRedact masks texts that are all credentials, in several rounds.
func BenchmarkRedact(b *testing.B) {
	const size = 256 * 1024
	for _, bb := range []struct{ name, text string }{
		{"names", "token=pass" + "word="},
		{"nested", key("token=x1&pass", "word=k7m", "Q2x9zR=secret=a1b2C3d4")},
		{"urls", key("a://b:k7m", "Q2x9zR@")},
		{"key ids", key("AKIA", "QX3T5Z7W2N4M6P8R ")},
	} {
		b.Run(bb.name+"/256KiB", func(b *testing.B) {
			text := strings.Repeat(bb.text, size/len(bb.text)+1)[:size]
			b.SetBytes(size)
			for b.Loop() {
				secrets.Redact(text)
			}
		})
	}
}

// BenchmarkFind: a memory as people write them, a long one, the limit, and texts made to be slow.
func BenchmarkFind(b *testing.B) {
	const kib = 1024
	prose := "The API key is read from PAYMENTS_API_KEY, see config/load.go:118.\n" +
		"func (s *Server) authToken(r *http.Request) string {\n" +
		"\treturn r.Header.Get(\"X-Token\") // password: never logged\n}\n" +
		"https://example.com/docs?page=2 and sha256:9f86d081884c7d65, key=value.\n"
	hostile := key("sk-", "pass", "word=", "eyJ", "x7.", "a:b@", "A1b2C3d4E5f6G7h8",
		"-----BEGIN ", "PRIVATE KEY-----", "://", "token:", "Bearer ", "AKIA")
	for _, bb := range []struct {
		name, text string
		size       int
	}{
		{"clean/1KiB", prose, kib},
		{"clean/64KiB", prose, 64 * kib},
		{"clean/256KiB", prose, 256 * kib},
		{"hostile/mixed/256KiB", hostile, 256 * kib},
		{"hostile/prefixes/256KiB", "sk-", 256 * kib},
		{"hostile/names/256KiB", "password=", 256 * kib},
		{"hostile/colons/256KiB", "a:", 256 * kib},
		{"hostile/headers/256KiB", "-----BEGIN " + "PRIVATE KEY-----", 256 * kib},
		{"hostile/footers/256KiB", "AAAAAAAAAAAAAAAAAAAA\n-----END " + "PRIVATE KEY-----\n", 256 * kib},
		{"hostile/one word/256KiB", "a1B2", 256 * kib},
		{"hostile/urls/256KiB", "a://b:c@", 256 * kib},
		{"hostile/key ids/256KiB", key("AKIA", "QX3T5Z7W2N4M6P8R "), 256 * kib},
		{"hostile/short words/256KiB", "A -pB ", 256 * kib},
		{"hostile/web tokens/256KiB", "eyJ" + "a.", 256 * kib},
		{"hostile/base64/256KiB", "dG9rZW49dG9rZW49dG9rZW49dG9rZW49 ", 256 * kib},
		{"hostile/prefixes of base64/256KiB", "ABSK/", 256 * kib},
		{"hostile/literals/256KiB", `"a" + `, 256 * kib},
		{"hostile/named literals/256KiB", `token="a" + `, 256 * kib},
		{"hostile/calls/256KiB", `login("a","b`, 256 * kib},
		{"hostile/sentences/256KiB", "password is to ", 256 * kib},
		{"hostile/second words/256KiB", "password login with ", 256 * kib},
		{"hostile/flags/256KiB", "a -u b -p c --value ", 256 * kib},
		{"hostile/slashes/256KiB", "login / a1!bcdefgh / ", 256 * kib},
		{"hostile/cookies/256KiB", "Cookie: a=b;", 256 * kib},
		{"hostile/pipes/256KiB", "echo a | chpasswd --password-stdin ", 256 * kib},
		{"hostile/elements/256KiB", `<a name="b">`, 256 * kib},
		{"hostile/webhooks/256KiB", "/IncomingWebhook/", 256 * kib},
		{"hostile/tables/256KiB", "| password | a\n", 256 * kib},
		{"hostile/arrows/256KiB", "password → a || b ?? ", 256 * kib},
		{"hostile/ids/256KiB", "AC0123456789abcdef0123456789abcdef ", 256 * kib},
	} {
		b.Run(bb.name, func(b *testing.B) {
			text := strings.Repeat(bb.text, bb.size/len(bb.text)+1)[:bb.size]
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				secrets.Find(text)
			}
		})
	}
}
