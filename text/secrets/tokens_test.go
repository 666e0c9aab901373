package secrets_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// pemKey returns a private key of a label, with lines of base64.
func pemKey(label string) string {
	var lines []string
	for range 4 {
		lines = append(lines, key("MIIEvQIBADANBgkqhki", "G9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"))
	}
	return key("-----BEGIN ", label, "-----\n", strings.Join(lines, "\n"), "\n-----END ", label, "-----")
}

// TestPrivateKeys has them whole, quoted, indented and cut off.
func TestPrivateKeys(t *testing.T) {
	whole := pemKey("RSA PRIVATE " + "KEY")
	body := whole[strings.Index(whole, "\n")+1 : strings.Index(whole, "\n-----END")]
	for _, tt := range []struct{ name, before, key, after string }{
		{"whole", "", whole, ""},
		{"in a text", "the key:\n\n", whole, "\n\nis old"},
		{"of another label", "", pemKey("OPENSSH PRIVATE " + "KEY"), "\n"},
		{"with headers", "",
			strings.Replace(whole, "\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n", 1),
			"\n"},
		{"indented", "key: |\n  ", strings.ReplaceAll(whole, "\n", "\n  "), "\nhost: db"},
		{"CRLF", "", strings.ReplaceAll(whole, "\n", "\r\n"), "\r\n"},
		{"in JSON", `{"key": "`, strings.ReplaceAll(whole, "\n", `\n`), `\n"}`},
		{"in a comment", "# ", strings.ReplaceAll(whole, "\n", "\n# "), "\nx"},
		{"without a footer", "", whole[:strings.Index(whole, "\n-----END")+1], ""},
		{"the shortest", "", strings.Replace(whole, body, "MIIEvQIBADANBgkqhkiG9w0B", 1), "\n"},
		{"PuTTY", "Private-Lines: 14\n", body + "\n", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := []secrets.Finding{{Kind: "private key", Start: len(tt.before), End: len(tt.before) + len(tt.key)}}
			require.Equal(t, want, secrets.Find(tt.before+tt.key+tt.after))
		})
	}
	t.Run("footer only", func(t *testing.T) {
		text := "it ends with\n" + body + "\n" + whole[strings.Index(whole, "-----END"):]
		require.Equal(t, []secrets.Finding{{Kind: "private key", Start: 13, End: len(text)}}, secrets.Find(text+"\n"))
	})
	for name, text := range map[string]string{
		"a certificate":  pemKey("CERTIFICATE"),
		"a public key":   pemKey("PUBLIC " + "KEY"),
		"two bytes less": strings.Replace(whole, body, "MIIEvQIBADANBgkqhkiG9w", 1),
		"a header alone": "-----BEGIN RSA PRIVATE " + "KEY-----",
		"an ellipsis":    "-----BEGIN RSA PRIVATE " + "KEY-----\n...\n-----END RSA PRIVATE " + "KEY-----",
		"too short":      "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEvQIBADAN\n-----END RSA PRIVATE " + "KEY-----",
		"one letter": "-----BEGIN RSA PRIVATE " + "KEY-----\n" + strings.Repeat("A", 64) +
			"\n-----END RSA PRIVATE " + "KEY-----",
	} {
		t.Run(name, func(t *testing.T) { require.Empty(t, secrets.Find(text)) })
	}
}

// webToken signs claims that are not those of an example.
func webToken(claims string) string {
	enc := base64.RawURLEncoding.EncodeToString
	signature := key("q7Tz0aLk93Vb_XcRm-", "N2yW8sDf6Gh1Jp4Ue0oZr")
	return enc([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc([]byte(claims)) + "." + signature
}

// TestShapes has tokens that more than a prefix tells.
func TestShapes(t *testing.T) {
	hex, random := values()["{hex}"], values()["{rand}"]
	for _, tt := range []struct{ name, kind, before, token, after string }{
		{"web token", "JSON web token", "t: ", webToken(`{"sub":"ann","exp":1900000000}`), " x"},
		{"web token at the end of a sentence", "JSON web token", "it is ",
			webToken(`{"sub":"ann","exp":1900000000}`), "."},
		{"web token of jwt.io", "", "t: ", webToken(`{"sub":"1234567890","name":"John Doe","iat":1}`), ""},
		{"web token without a signature", "", "t: ",
			strings.Join(strings.Split(webToken(`{"sub":"ann"}`), ".")[:2], "."), ""},
		{"Telegram", "Telegram token", "bot ", key("1234567890:", "AAq7Tz0aLk93VbXcRmN2yW8sDf6Gh1Jp4Ue"), " x"},
		{"Telegram in an address", "Telegram token", "https://api.telegram.org/bot",
			key("1234567890:", "AAq7Tz0aLk93VbXcRmN2yW8sDf6Gh1Jp4Ue"), "/getMe"},
		{"Telegram, a byte less", "", "bot ", key("1234567890:", "AAq7Tz0aLk93VbXcRmN2yW8sDf6Gh1Jp4U"), " x"},
		{"Telegram, an id of 7 digits", "", "bot ", key("1234567:", "AAq7Tz0aLk93VbXcRmN2yW8sDf6Gh1Jp4Ue"), " x"},
		{"Facebook", "Facebook token", "", key("123456789012345|", random, "abc"), ""},
		{"Facebook, a short id", "", "", key("12345678901234|", random, "abc"), ""},
		{"Discord", "Discord token", "", key("MTk4NjIyNDgzNDcxOTI1MjQ4", ".Cl2FMQ.", random, "abcd"), ""},
		{"Discord, two parts", "", "x ", key("MTk4NjIyNDgzNDcxOTI1MjQ4", ".Cl2FMQ"), " x"},
		{"Mailchimp", "Mailchimp key", "", hex + "-us12", " x"},
		{"Mailchimp, no data center", "", "", hex + "-us", " x"},
		{"Mailgun", "Mailgun key", "", hex + "-9f86d081-a0c55ad0", " x"},
		{"Mailgun, a short part", "", "", hex + "-9f86d081-a0c55ad", " x"},
		{"MaxMind", "MaxMind key", "", key("q7Tz0a_", random, "Ue0oZ_mmk"), ""},
		{"Firebase", "Firebase key", "", key("AAAAq7Tz0aL", ":APA91b", strings.Repeat(random, 5)), " x"},
		{"Terraform", "Terraform token", "", key("q7Tz0aLk93VbXc", ".atlasv1.", strings.Repeat(random, 3)[:67]), ""},
		{"Azure", "Azure secret", "", key("abc8", "Q~", strings.Repeat(random, 2)[:34]), " x"},
		{"Azure, too short", "", "", key("abc8", "Q~", strings.Repeat(random, 2)[:30]), " x"},
		{"Twilio, behind its account", "Twilio token", key("AC", "0123456789abcdef0123456789abcdef", "', '"), hex, "'"},
		{"a checksum, behind a word", "", "the sum: ", hex, ""},
		{"web token with five parts", "JSON web token", "t: ",
			webToken(`{"enc":"A256"}`) + "." + random + "." + random, " x"},
		{"web token behind a dash", "", "task-", webToken(`{"sub":"ann"}`), ""},
		{"web token of two words", "", "t: ", "eyJhbGci.eyJzdWIi.x", ""},
		{"AWS id and no secret", "AWS access key", "id ", values()["{akia}"], " and " + strings.Repeat("a/B1", 12)},
		{"Firebase, too short", "", "", key("AAAAq7Tz0aL", ":APA91b", random), " x"},
		{"Terraform, no id", "", "x ", key("atlasv1.", strings.Repeat(random, 3)[:67]), ""},
		{"Terraform, a short id", "", "", key("q7Tz0aLk93VbX", ".atlasv1.", strings.Repeat(random, 3)[:67]), ""},
		{"GitLab at the end of a sentence", "GitLab token", "", key("glpat-", random), "."},
		{"Google's in two literals", "Google API key", `"`, key("AIza", random[:8]) + `" + "` + random + "Abc", `"`},
		{"Google's in a literal and a list", "", `"`, key("AIza", random[:8]) + `", "` + random + "Abc", `"`},
		{"Databricks with a shard", "Databricks token", "", key("da", "pi", hex, "-2"), " x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []secrets.Finding
			if tt.kind != "" {
				want = []secrets.Finding{{Kind: tt.kind, Start: len(tt.before), End: len(tt.before) + len(tt.token)}}
			}
			require.Equal(t, want, secrets.Find(tt.before+tt.token+tt.after))
		})
	}
}

// TestAddresses has passwords and keys in addresses.
func TestAddresses(t *testing.T) {
	runProbes(t, []probe{
		{"user and password", "password in a URL", "postgres://ann:{pw}@db:5432/shop"},
		{"password alone", "password in a URL", "redis://:{pw}@cache:6379"},
		{"a word as the password", "password in a URL", "amqp://ann:{plain}@mq"},
		{"signs in the password", "password in a URL", "postgres://ann:«k7m@Q2#x»@db/shop"},
		{"an encoded sign first", "password in a URL", "postgres://ann:«%40k7mQ2»@db/shop"},
		{"JDBC", "password", "jdbc:postgresql://db/shop?user=ann&password={pw}"},
		{"user alone", "", "https://ann@example.com/x"},
		{"the name as the password", "", "postgres://postgres:postgres@db/shop"},
		{"the usual examples", "", "postgres://user:password@localhost/db mysql://root:root@db amqp://guest:guest@mq"},
		{"placeholders", "",
			"https://user:<password>@host https://user:${PASS}@host https://user:xxxx@host https://u:PASSWORD@h"},
		{"a port and a path with @", "", "https://example.com:8080/@ann/x9Q2"},
		{"a scheme that ends in a sign", "", "x-://ann:{pw}@db"},
		{"no scheme", "", "://ann:{pw}@db"},
		{"driver of Go", "password in a URL", "ann:{pw}@tcp(db:3306)/shop"},
		{"driver of Go, by a socket", "password in a URL", "ann:{pw}@unix(/run/db.sock)/shop"},
		{"Slack", "Slack webhook", "«https://hooks.slack.com/services/T0AB/B0CD/{rand}»"},
		{"Slack, an example", "", "https://hooks.slack.com/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX"},
		{"Discord", "Discord webhook", "«https://discord.com/api/webhooks/123456/{rand}»"},
		{"Discord's other domain", "Discord webhook", "«https://discordapp.com/api/webhooks/123456/{rand}»"},
		{"Discord's site", "", "https://discord.com/invite/{rand}"},
		{"Teams", "Teams webhook", "«https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/{hex}/1»"},
		{"Mattermost", "webhook", "«https://chat.example.com/hooks/{rand}»"},
		{"Zapier", "webhook", "«https://hooks.zapier.com/hooks/catch/1234567/ab12cd»"},
		{"Teams, a short key", "", "https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/9f86d081"},
		{"Zapier, an example", "", "https://hooks.zapier.com/hooks/catch/1/ab"},
		{"React", "", "https://example.com/hooks/use-effect-with-dependencies"},
		{"IFTTT", "secret value", "https://maker.ifttt.com/trigger/x/with/key/{rand}"},
		{"PagerDuty", "secret value", "https://events.pagerduty.com/integration/{hex}/enqueue"},
		{"a path with a key", "", "https://example.com/key/{rand}"},
		{"a key for the weather", "secret value", "https://api.example.com/data?appid={hex}&q=Bern"},
		{"an app of WeChat", "", "https://api.example.com/data?appid=wx{hex}"},
	})
}

// TestEncodings has credentials in base64.
func TestEncodings(t *testing.T) {
	token := values()["{github}"]
	line := "DB_HOST=db\n"
	for _, tt := range []struct{ name, kind, inner string }{
		{"a token", "GitHub token in base64", encode("a " + token)},
		{"a password with its name", "password in base64", encode("export DB_" + "PASSWORD=" + values()["{pw}"])},
		{"twice", "GitHub token in base64 in base64", encode(encode(token))},
		{"three times", "", encode(encode(encode(token)))},
		{"two bytes a letter", "GitHub token in base64", encode(wide(token))},
		{"wrapped", "GitHub token in base64", wrap(encode(strings.Repeat(line, 12) + token))},
		{"wrapped at 60", "GitHub token in base64", wrapAt(60, encode(strings.Repeat(line, 12)+token))},
		{"without padding", "GitHub token in base64", strings.TrimRight(encode(token+"ab"), "=")},
		{"a text", "", encode(strings.Repeat(line, 12))},
		{"an image", "", encode("\x89PNG\r\n\x1a\n" + token)},
		{"a password without a name", "", encode(values()["{pw}"] + " is it, perhaps")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []secrets.Finding
			if tt.kind != "" {
				want = []secrets.Finding{{Kind: tt.kind, Start: 6, End: 6 + len(tt.inner)}}
			}
			require.Equal(t, want, secrets.Find("data: "+tt.inner+"\n"))
		})
	}
}
