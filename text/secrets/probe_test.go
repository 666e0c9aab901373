package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// values replace the words in braces of a probe. They are put together here, so that scanners find nothing in the
// tests.
func values() map[string]string {
	hex := key("9f86d081c84d7d65", "9a2feaa0c55ad015")
	return map[string]string{
		"{pw}":     key("k7mQ", "2x9zR"),     // a password by itself
		"{signs}":  key("k7m#", "Q2,;x!"),    // one with signs
		"{leet}":   key("gr4nite", "-Heron"), // one of a sentence
		"{words}":  key("Sum", "mer2019"),    // a word and a year
		"{plain}":  key("sun", "flower"),     // a word
		"{rand}":   key("q7Tz0aLk93Vb", "XcRmN2yW8sDf"),
		"{hex}":    hex,
		"{uuid}":   key("9f1c2d34-5b6a-", "4c7d-8e9f-0a1b2c3d4e5f"),
		"{groups}": key("A1B2C-9Z8Y7", "-Q4W5E"),
		"{aws}":    key("wJ4rQx7tU2pLm9/K7MDv", "Nq8bPxR3fZcYtEhAsWgo"),
		"{github}": key("ghp_", "q7Tz0aLk93VbXc5RmN2y", "W8sDf6Gh1Jp4Ue0o"),
		"{akia}":   key("AKIA", "QX3T5Z7W2N4M6P8R"),
		"{basic}":  encode(key("ann:k7mQ", "2x9zR")),
		"{b64}":    encode(key("k7mQ", "2x9zR-Heron")),
		"{mask}":   secrets.Mask,
	}
}

// probe is a text and what is found in it: each word in braces, as it is replaced, or each part between « and ». Kinds
// are separated by ", ", and the last one counts for all that follow; without kinds, nothing is found. ¦ splits what
// scanners of repositories would find.
type probe struct{ name, kinds, text string }

func (p probe) example() example {
	text := strings.ReplaceAll(p.text, "¦", "")
	for word, value := range values() {
		if p.kinds != "" && word != "{mask}" && !strings.Contains(p.text, "«") {
			value = "«" + value + "»"
		}
		text = strings.ReplaceAll(text, word, value)
	}
	return newExample(p.kinds, text)
}

func runProbes(t *testing.T, probes []probe) {
	t.Helper()
	for _, p := range probes {
		t.Run(p.name, func(t *testing.T) {
			e := p.example()
			require.Equal(t, e.want, secrets.Find(e.text), "%s", e.text)
			require.Equal(t, p.kinds == "", len(e.want) == 0, "a probe has kinds if it has credentials")
		})
	}
}

// TestPlaces has credentials where texts begin, end and break.
func TestPlaces(t *testing.T) {
	runProbes(t, []probe{
		{"empty", "", ""},
		{"all of the text", "GitHub token", "{github}"},
		{"first", "password", "DB_PASSWORD={pw} # until May"},
		{"last", "password", "old settings\nDB_PASSWORD={pw}"},
		{"line break", "password", "DB_PASSWORD={pw}\nDB_HOST=db"},
		{"CRLF", "password", "DB_PASSWORD={pw}\r\nDB_HOST=db\r\n"},
		{"tab", "password", "DB_PASSWORD=\t{pw}\tx"},
		{"escaped break", "password", `"env": "DB_PASSWORD={pw}\nDB_HOST=db"`},
		{"NUL around", "GitHub token", "\x00{github}\x00"},
		{"letters of another script around", "GitHub token", "ключ{github}ключ"},
		{"an accent ends a value", "password", "DB_PASSWORD=«{pw}»é"},
		{"a byte that is not UTF-8 ends a value", "password", "DB_PASSWORD=«{pw}»\xff\xfe"},
		{"emoji before", "password", "🔑 password: {pw}"},
		{"typographic quotes hide a value", "", "password: “{pw}”"},
		{"no-break space", "password", "DB_PASSWORD=«{pw}»\u00a0x"},
		{"comment of Go", "secret value", "// apiKey = \"{rand}\""},
		{"comment of SQL", "password", "-- password: {pw}"},
		{"comment of a shell", "password", "# export PGPASSWORD={pw}"},
		{"comment of HTML", "password", "<!-- password: {pw} -->"},
		{"comment of C", "secret value", "/* client_secret={rand} */"},
		{"fenced code", "password", "```sh\nexport DB_PASSWORD={pw}\n```\n"},
		{"code in a sentence", "password", "Set `DB_PASSWORD={pw}` first."},
		{"quote of a mail", "password", "> password: {pw}"},
		{"list", "password", "- password: {pw}\n- host: db"},
		{"added line of a diff", "password", "+DB_PASSWORD={pw}"},
		{"removed line of a diff", "GitHub token", "-{github}"},
		{"several lines", "password, secret value, GitHub token",
			"DB_PASSWORD={pw}\nAPI_KEY={rand}\ntoken: {github}\n"},
		{"several in a line", "password, secret value", "DB_PASSWORD={pw} API_KEY={rand} ./run"},
		{"next to each other", "GitHub token, AWS access key", "{github},{akia}"},
		{"beside a mask", "secret value", "DB_PASSWORD={mask} API_KEY={rand}"},
		{"a mask as the value", "", "DB_PASSWORD={mask} and API_KEY: \"{mask}\""},
	})
}

// TestOverlaps has texts in which two rules find the same bytes: one finding remains, with the name that tells most.
func TestOverlaps(t *testing.T) {
	runProbes(t, []probe{
		{"form and name", "GitHub token", "GITHUB_TOKEN={github}"},
		{"form and URL", "GitHub token", "https://ann:{github}@example.com/x"},
		{"form and header", "GitHub token", "Authorization: Bearer {github}"},
		{"form and flag", "GitHub token", "curl -u ann:{github} https://example.com"},
		{"name and URL", "password in a URL", "DATABASE_URL=postgres://ann:{pw}@db/x"},
		{"name in a value", "secret value", "token=secret={rand}"},
		{"two names in a query", "password, secret value", "/x?password={pw}&api_key={rand}"},
		{"id and secret of AWS", "AWS access key, AWS secret key", "{akia}\n{aws}"},
	})
}

// TestMasks shows what a reader sees instead of credentials.
func TestMasks(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		n                int
	}{
		{"a value keeps its name and quotes", `password = "{pw}"`, `password = "[redacted]"`, 1},
		{"a URL keeps user and host", "postgres://ann:{pw}@db:5432/x", "postgres://ann:[redacted]@db:5432/x", 1},
		{"a header keeps its scheme", "Authorization: Bearer {rand}", "Authorization: Bearer [redacted]", 1},
		{"a command keeps its flags", "mysql -u ann -p{pw} shop", "mysql -u ann -p[redacted] shop", 1},
		{"a sentence keeps its end", "The password is {leet}.", "The password is [redacted].", 1},
		{"all of several", "{github} {github}\n{akia}", "[redacted] [redacted]\n[redacted]", 3},
		{"joined literals at once", `key := "{github}` + `", "x"`, `key := "[redacted]", "x"`, 1},
		{"nothing", "the password is in the vault", "the password is in the vault", 0},
		{"twice is once", "DB_PASSWORD=[redacted]", "DB_PASSWORD=[redacted]", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.text
			for word, value := range values() {
				text = strings.ReplaceAll(text, word, value)
			}
			got, n := secrets.Redact(text)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.n, n)
		})
	}
}

// TestHugeTexts finds a credential wherever it is in a text of a megabyte, and ends.
func TestHugeTexts(t *testing.T) {
	const size = 1 << 20
	token := values()["{github}"]
	for _, tt := range []struct{ name, filler string }{
		{"sentences", "The API key is read from a file, see config/load.go:118.\n"},
		{"one line", "lorem ipsum, "},
		{"one word", "a1B2"},
		{"names", "password=token: "},
		{"quotes", `"'` + "`"},
		{"brackets", "({[<"},
		{"base64", "dG9rZW49dG9rZW49dG9rZW49dG9rZW49"},
		{"bytes that are not UTF-8", "\xff\xfe\x80"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fill := strings.Repeat(tt.filler, size/len(tt.filler))
			text := token + " \n" + fill + "\n " + token + " \n" + fill + "\n " + token
			var at []int
			for _, f := range secrets.Find(text) {
				if text[f.Start:f.End] == token {
					at = append(at, f.Start)
				}
			}
			middle := len(token) + len(fill) + len(" \n\n ")
			require.Equal(t, []int{0, middle, len(text) - len(token)}, at)
		})
	}
	t.Run("a long value", func(t *testing.T) {
		value := strings.Repeat(values()["{rand}"]+"x", 400)
		text := "API_KEY=" + value + " end"
		require.Equal(t, []secrets.Finding{{Kind: "secret value", Start: 8, End: 8 + len(value)}}, secrets.Find(text))
	})
}
