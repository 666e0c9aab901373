package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// TestNames has what a name makes a credential of: r a random value, u a UUID, g groups with dashes, p a password, w a
// word and a year.
func TestNames(t *testing.T) {
	probes := map[byte]string{'r': "{rand}", 'u': "{uuid}", 'g': "{groups}", 'p': "{pw}", 'w': "{words}"}
	for _, tt := range []struct{ name, finds string }{
		{"DB_PASSWORD=", "rgpw"}, {"db_password: ", "rgpw"}, {"dbPassword = ", "rgpw"}, {"DB-Password: ", "rgpw"},
		{"user.password=", "rgpw"}, {"passwd: ", "rgpw"}, {"PGPASSWORD=", "rgpw"}, {"my_pwd = ", "rgpw"},
		{"db_pw: ", "rgpw"}, {"DBPass: ", "rgpw"}, {"requirepass: ", "rgpw"}, {"bindpw: ", "rgpw"}, {"PASS=", "rgpw"},
		{"PASS: ", ""}, {"pass: ", "rgpw"}, {"passphrase: ", "rgpw"}, {"door passcode: ", "rgpw"}, {"passcode: ", ""},
		{"wifi psk: ", "rgpw"}, {"wifi key: ", "rgpw"}, {"pre-shared key: ", "rgpw"}, {"Passwort: ", "rgpw"},
		{"Kennwort: ", "rgpw"}, {"mot de passe: ", "rgpw"}, {"senha: ", "rgpw"}, {"wachtwoord: ", "rgpw"},
		{"parola: ", "rgpw"}, {"heslo: ", "rgpw"}, {"salasana: ", "rgpw"}, {"Пароль: ", "rgpw"},
		{"contraseña: ", "rgpw"}, {"密码: ", "rgpw"}, {"パスワード: ", "rgpw"}, {"şifre: ", "rgpw"}, {"compass: ", ""},
		{"bypass = ", ""}, {"renderpass: ", ""}, {"multipass: ", ""}, {"API_KEY=", "rug"}, {"apiKey: ", "rug"},
		{"x-api-key: ", "rug"}, {"client_secret=", "rug"}, {"clientSecret: ", "rug"}, {"secret_key_base: ", "rug"},
		{"signing-key: ", "rug"}, {"encryption_key=", "rug"}, {"access key: ", "rug"}, {"private_key: ", "rug"},
		{"webhook_secret=", "rug"}, {"credentials: ", "rug"}, {"license key: ", "rug"}, {"API_TOKEN=", "rug"},
		{"token: ", "r"}, {"session_token: ", "r"}, {"SESSION_TOKEN=", "r"}, {"heroku token: ", "rug"},
		{"bearer: ", "r"}, {"authorization: ", "r"}, {"auth: ", "r"}, {"GITLAB_PAT=", "r"}, {"pat: ", ""},
		{"auth_token=", "rug"}, {"botToken: ", "rug"}, {"accesstoken: ", "r"}, {"DATADOG_KEY=", "r"},
		{"our Datadog key: ", "r"}, {"KEY=", "r"}, {"shared key: ", "rug"}, {"wireless.key: ", "rgpw"},
		{"public_key: ", ""}, {"cache_key: ", ""}, {"primary_key=", ""},
		{"partition_key: ", ""}, {"idempotency_key: ", ""}, {"csrf_token: ", ""}, {"next_token=", ""},
		{"page token: ", ""}, {"max_token: ", ""}, {"public_token: ", ""}, {"encrypted_secret: ", ""},
		{"hashed_password: ", "r"}, {"token_type: ", ""}, {"tokens_used: ", ""}, {"keyboard: ", ""}, {"monkey: ", ""},
		{"author: ", ""}, {"passenger: ", ""}, {"passwordless: ", "r"}, {"secretary: ", ""}, {"name: ", ""},
		{"API_TOKEN_PROD=", "rug"}, {"password_2: ", "rgpw"}, {"DB_PASSWORD_OLD=", "rgpw"}, {"api_key_v2: ", "rug"},
		{"secret_access_key=", "rg"}, {"the API key of the shop: ", "rugpw"}, {"the password for staging: ", "rgpw"},
		{"password hash: ", "r"}, {"token id: ", ""}, {"key fingerprint: ", ""}, {"secret name: ", ""},
		{"API key prefix: ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, letter := range "rugpw" {
				if len(secrets.Find(tt.name+values()[probes[byte(letter)]])) > 0 {
					got += string(letter)
				}
			}
			require.Equal(t, tt.finds, got)
		})
	}
}

// TestAssignments has the ways in which a value follows its name.
func TestAssignments(t *testing.T) {
	runProbes(t, []probe{
		{"environment", "password", "DB_PASSWORD={pw}"},
		{"export", "password", `export DB_PASSWORD="{signs}"`},
		{"ini", "password", "password = {pw}"},
		{"YAML", "password", "  password: {pw}"},
		{"YAML, quoted", "password", "  password: '{signs}'"},
		{"YAML, block", "password", "password: |\n  {pw}\nhost: db"},
		{"YAML, next line", "secret value", "api_key: >-\n    {rand}\n"},
		{"YAML, Ansible", "password", "db_password: !unsafe {pw}"},
		{"YAML, name and value", "password", "- name: DB_PASSWORD\n  value: {pw}"},
		{"YAML, name and value of something else", "", "- name: DB_HOST\n  value: {pw}"},
		{"YAML, default of a parent", "password", "db_password:\n  default: {pw}"},
		{"Terraform variable", "password", "variable \"db_password\" {\n  type = string\n  default = \"{pw}\"\n}"},
		{"JSON", "password", `{"password": "{signs}"}`},
		{"JSON, escaped", "password", `"{\"password\": \"{pw}\"}"`},
		{"JSON, sections", "secret value", `"Jwt:Key": "{rand}"`},
		{"XML element", "password", "<db.password>{pw}</db.password>"},
		{"XML attribute", "password", `<user name="ann" password="{signs}"/>`},
		{"XML entry", "password", `<entry key="db.password">{pw}</entry>`},
		{"property list", "secret value", "<key>APIKey</key>\n<string>{rand}</string>"},
		{"query", "password", "/login?user=ann&password={pw}&next=/"},
		{"fragment", "secret value", "/cb#access_token={rand}&state=1"},
		{"shared access signature", "secret value", "https://x.blob.core.windows.net/a?sv=1&sig={rand}"},
		{"form", "secret value", "grant_type=refresh&client_secret={rand}&scope=all"},
	})
}

// TestCode has the ways in which code sets a value.
func TestCode(t *testing.T) {
	runProbes(t, []probe{
		{"Go", "password", `const password = "{signs}"`},
		{"Go, short", "password", `password := "{signs}"`},
		{"Go, typed", "password", `var password string = "{signs}"`},
		{"Go, bytes", "secret value", `var secretKey = []byte("{rand}")`},
		{"Ruby", "password", `:password => "{signs}"`},
		{"PHP", "password", `define('DB_PASSWORD', '{signs}');`},
		{"Python, default", "password", `os.getenv("DB_PASSWORD", "{signs}")`},
		{"JavaScript, default", "secret value", `process.env.JWT_SECRET || "{rand}"`},
		{"JavaScript, nullish", "secret value", `config.apiKey ?? '{rand}'`},
		{"C, array", "password", `char password[32] = "{signs}";`},
		{"C++, braces", "password", `std::string password{"{signs}"};`},
		{"Python, bytes", "secret value", `SECRET_KEY = b"{rand}"`},
		{"SQL", "password", "CREATE USER ann IDENTIFIED BY '{signs}'"},
		{"SQL, role", "password", "ALTER ROLE ann PASSWORD '{signs}'"},
		{"SQL, set", "password", "SET PASSWORD FOR 'ann'@'%' = '{signs}'"},
		{"Markdown, bold", "password", "**Password:** {pw}"},
		{"Markdown, code", "password", "password: `{pw}`"},
		{"Markdown, table", "password", "| user | password |\n|---|---|\n| ann | {pw} |\n| bob | {leet} |"},
		{"Markdown, table without a credential", "", "| user | host |\n|---|---|\n| ann | {pw} |"},
		{"Markdown, heading", "password", "notes\n## Password\n{leet}\n"},
		{"arrow", "password", "password → {leet}"},
		{"arrow of two signs", "password", "admin password -> {leet}"},
		{"a remark between", "password", "admin password (staging): {leet}"},
		{"Dockerfile", "password", "ENV DB_PASSWORD {pw}"},
		{"netrc", "password", "machine example.com login ann password {pw}"},
		{"npmrc", "secret value", "//registry.example.com/:_authToken={rand}"},
		{"authorization", "secret value", "Authorization: token {rand}"},
		{"authorization with a scheme", "secret value", "Authorization: ApiKey {rand}"},
		{"authorization with a scheme that is not known", "", "Authorization: Digest {rand}"},
		{"basic authorization", "password", "Authorization: Basic {basic}"},
		{"basic authorization of a placeholder", "", "Authorization: Basic " + encode("user:"+"password")},
		{"user and password in one", "password", "NEO4J_AUTH=neo4j/{pw}"},
		{"base64 of a password", "password", "password: {b64}"},
		{"cookie", "session cookie", "Cookie: theme=dark; sessionid={rand}; lang=en"},
		{"cookie of no session", "", "Cookie: theme={rand}"},
		{"key of a JWK", "secret value", `{"kty":"EC","d":"{rand}"}`},
		{"kaggle.json", "secret value", `{"username":"ann","key":"{hex}"}`},
		{"a key without a user", "", `{"key":"{hex}"}`},
		{"xfreerdp", "password", "xfreerdp /u:ann /p:{words} /v:host"},
		{"a parameter of something else", "", "tool /p:Configuration=Release9 /v:host"},
		{"type before the value", "password", `password: String = "{signs}"`},
		{"default of a line", "password", `option "db_password" default: {pw}`},
		{"Python, or", "secret value", `api_key = os.environ.get(API_KEY) or "{rand}"`},
		{"two literals side by side", "password", `git config "smtp.password" "{signs}"`},
		{"two literals of which none is a name", "", `git config "smtp.server" "{signs}"`},
		{"a name in spaces", "password", `define( 'DB_PASSWORD' , '{signs}' );`},
		{"a list of names", "", `names := []string{"password", "{signs}"}`},
		{"ENV of Docker with a suffix", "secret value", "ENV API_KEY_PROD {rand}"},
		{"the same in a sentence", "", "Then API_KEY_PROD {rand}"},
		{"table of keys", "secret value", "| service | API key |\n|---|---|\n| maps | {rand} |"},
		{"table with a short row", "", "| user | password |\n|---|---|\n| ann |\n"},
		{"a word at the end of a line", "", "the Password\n{leet}\n"},
		{"long heading", "", "notes\nPassword1234567890\n{leet}\n"},
		{"attribute of another kind", "", `<entry type="db.password">{pw}</entry>`},
		{"property of another kind", "", "<key>Label</key>\n<string>{rand}</string>"},
		{"fallback of something else", "", `process.env.JWT_ISSUER || "{rand}"`},
		{"a name of digits", "", "42: {rand}"},
		{"a name that is too long", "", "password" + strings.Repeat("x", 90) + ": {pw}"},
		{"the end of a long sentence", "password", strings.Repeat("and so on ", 12) + "the password: {leet}"},
		{"GitLab's session", "secret value", "_gitlab_session: {rand}"},
		{"a wallet", "recovery phrase",
			"MNEMONIC=«river stone river stone river stone river stone river stone river stone»"},
		{"base64 of a user and a password", "secret value", "DOCKER_AUTH_TOKEN: {basic}"},
		{"joined literals", "secret value", `apiKey = "«q7Tz0aLk93Vb" + "XcRmN2yW8sDf»"`},
		{"joined over lines", "secret value", "apiKey = '«q7Tz0aLk93Vb' +\n  'XcRmN2yW8sDf»';"},
	})
}

// TestReferences has values that only name a credential, or cannot be one.
func TestReferences(t *testing.T) {
	for _, value := range []string{
		"$DB_PASSWORD", "${DB_PASSWORD}", "$(cat pw.txt)", "%DB_PASSWORD%", "{{ db_password }}", "<password>",
		"@Inject4Secret9", "!secret db/password_1", "&anchor-9Fx2", "*alias-9Fx2", "var.db_password_2",
		"module.db[0].password9", "getenv('X9')", "config.Get(9)", "self.password1", "os.environ['DB1']",
		"vault:kv/db#pass9", "arn:aws:secretsmanager:eu-1:x9", "./pw9.txt", "/run/secrets/db_password1",
		`C:\secrets\pw1.txt`, "~/.ssh/id_ed25519", "keys/server1.pem", "https://example.com/pw9",
		"2024-05-17T08:00:00Z", "0x7ffe12ab", "sha256:9f86d081c84d7d65", "$2b$12$abcdefghijkl0123",
		"{SSHA}9f86d081c84d", "SCRAM-SHA-256$4096:9f8", "ssh-ed25519", "Get-Credential", "ConvertTo-SecureString",
		"ENC[AES256,data:9f8]", "config.password=opts.password9", "aa:bb:cc:dd:ee:f1", "pw-%s-2024",
		"Ag" + strings.Repeat("By7", 40), "ann:$2b$12$9f86d081", "md5" + strings.Repeat("0a9f", 8),
		"*" + strings.Repeat("0A9F", 10), "/srv/data/shop/pw9xk2", "user.name?.pass9", "2YotnFZFEjr1zCsicMWpAA",
		"eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAs.x", "pk_live_9f86d081c84d7d65",
		"ann@example.com", "changeme123!", "example123!", "your-password-1", "xxxxxxxx1", "********", "password123",
		"Passw0rd!", "secret123", "test1234", "admin123", "letmein", "hunter", "none", "null", "true", "1234567890",
		"abcdefgh1234", "aaaaaaaaaaaa", "base64", "sha512", "bcrypt12", "string", "required", "min:8",
	} {
		t.Run(value, func(t *testing.T) {
			require.Empty(t, secrets.Find("password: "+value))
			require.Empty(t, secrets.Find("DB_PASSWORD="+value+"\n"))
		})
	}
}

// TestValueLimits has values around the limits of length and entropy.
func TestValueLimits(t *testing.T) {
	random := key("q7Tz0aLk93VbXc", "RmN2yW8sDf")
	for _, tt := range []struct {
		name, text string
		found      bool
	}{
		{"16 random bytes", "API_KEY=" + random[:16], true},
		{"15 random bytes", "API_KEY=" + random[:15], false},
		{"a password of 9", "password=" + key("k7mQ", "2x9zR"), true},
		{"a password of 8", "password=" + key("k7mQ", "2x9z"), true},
		{"a password of 7 with capitals and digits", "password=" + key("k7mQ", "2x9"), true},
		{"a password of 7 in small letters", "password=" + key("k7mq", "2x9"), false},
		{"a password of 6 with a sign", "password=" + key("k7m", "Q2!"), true},
		{"a password of 6 without one", "password=" + key("k7m", "Q2x"), false},
		{"a password of 5 with a sign", "password=" + key("k7", "Q2!"), false},
		{"a password without digits of 12", "password: " + key("kXmQ", "wZrTbNvH"), true},
		{"a password without digits of 11", "password: " + key("kXmQ", "wZrTbNv"), false},
		{"few different bytes", "API_KEY=" + strings.Repeat("a1b1", 6), false},
		{"2.91 bits a byte", "API_KEY=" + key("b7b7b7d2", "d2f5f5a9"), true},
		{"2.56 bits a byte", "API_KEY=" + key("b7b7b7d2", "d2d2f5f5"), false},
		{"a word and a digit", "DB_PASSWORD=" + key("sun", "flower7"), true},
		{"a word", "DB_PASSWORD=sunflower", false},
		{"words with dashes", "API_KEY=quick-brown-jumping-horses-9", false},
		{"a URL's password of 4", "redis://:" + key("z9", "x8") + "@cache", true},
		{"a URL's password of 3", "redis://:" + key("z9", "x") + "@cache", false},
		{"three groups of 4", "license key: " + key("A1B2-C3X4", "-Z9Y8"), true},
		{"four groups of 3", "license key: " + key("K7M-Q2X", "-R9T-B4W"), false},
		{"two groups of 4", "license key: " + key("A1B2", "-C3X4"), false},
		{"a token of 24 that only the word before tells", "with token " + random[:24], true},
		{"a token of 23 that only the word before tells", "with token " + random[:23], false},
		{"words and a number of 3 digits, quoted", `password: "` + key("sun", "flo-201") + `"`, true},
		{"words and a number of 2 digits, quoted", `password: "sunflow-21"`, false},
		{"words and a number of 3 digits", "password: sunflo-201", false},
		{"an encoded sign in a URL", "postgres://ann:%4f" + key("k7m", "Q2@db"), true},
		{"a template in a URL", "postgres://ann:%4z" + key("k7m", "Q2@db"), false},
		{"12 words of a wallet", "mnemonic: " + strings.Repeat("river stone ", 6), true},
		{"11 words of a wallet", "mnemonic: " + strings.Repeat("river stone ", 5) + "river", false},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.found, len(secrets.Find(tt.text)) > 0, tt.text) })
	}
}
