package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// finds reports whether something is found in a text whose words in braces are replaced.
func finds(text string) bool {
	for word, value := range values() {
		text = strings.ReplaceAll(text, word, value)
	}
	return len(secrets.Find(text)) > 0
}

// TestKeysByTheirFirstWord has what kinds of keys are credentials.
func TestKeysByTheirFirstWord(t *testing.T) {
	for word := range strings.FieldsSeq("access secret api auth private encryption signing master account shared " +
		"service admin " +
		"hmac license webhook storage routing write jwt aes recovery decryption session integration deploy ingest " +
		"role app " +
		"subscription") {
		require.True(t, finds(word+"_key: {uuid}"), word)
		require.True(t, finds(word+"Key = \"{rand}\""), word)
	}
	for word := range strings.FieldsSeq("public pub cache primary foreign partition sort object idempotency map " +
		"query index host " +
		"group dedup row lookup natural composite unique hash range route translation message lang config s3 kms gpg " +
		"ssh hot event storagekey react item tree registry bucket file tag") {
		require.False(t, finds(word+"_key: {rand}"), word)
		require.False(t, finds(strings.ToUpper(word)+"_KEY={rand}"), word)
	}
	for word := range strings.FieldsSeq("datadog stripe openai anthropic sendgrid mailgun algolia mapbox maps " +
		"segment amplitude " +
		"mixpanel pusher deepl cohere mistral rapidapi") {
		require.True(t, finds("our "+word+" key is {hex}"), word)
	}
	for word := range strings.FieldsSeq("rsa dsa ecdsa eddsa ed25519 pgp") {
		require.False(t, finds("our "+strings.ToUpper(word)+" key is {hex}"), word)
	}
}

// TestTokensByTheirFirstWord has what kinds of tokens are credentials, and which may be a UUID.
func TestTokensByTheirFirstWord(t *testing.T) {
	for word := range strings.FieldsSeq("auth api access deploy personal server bot heroku snyk railway postmark " +
		"codecov " +
		"squarespace sendbird hubspot consul nomad scaleway kucoin messagebird") {
		require.True(t, finds(word+"_token: {uuid}"), word)
	}
	for word := range strings.FieldsSeq("session request device push idempotency client correlation") {
		require.False(t, finds(strings.ToUpper(word)+"_TOKEN={uuid}"), word)
		require.True(t, finds(word+"_token: {rand}"), word)
	}
	for word := range strings.FieldsSeq("page continuation cursor sync csrf xsrf encrypted sealed max num next " +
		"hashed public") {
		require.False(t, finds(word+"_token: {rand}"), word)
		require.False(t, finds(word+"_secret: {hex}"), word)
	}
}

// TestFillers has words at the end of a name that say nothing about its value.
func TestFillers(t *testing.T) {
	for word := range strings.FieldsSeq("value val string str base raw b64 base64 prod production dev staging live " +
		"old new current " +
		"previous 1 2 v1 v2 here now default") {
		require.True(t, finds("API_SECRET_"+strings.ToUpper(word)+"={uuid}"), word)
		require.False(t, finds("API_HOST_"+strings.ToUpper(word)+"={uuid}"), word)
	}
	require.False(t, finds("API_SECRET_FILE={uuid}"))
}

// TestCommandsOfFlags has the commands whose flag of one letter is a password's.
func TestCommandsOfFlags(t *testing.T) {
	for flag, commands := range map[string]string{
		"p": "docker_login sshpass mongosh cqlsh rdesktop psexec kinit influx neo4j-admin cypher-shell altool " +
			"notarytool " +
			"rabbitmqadmin pihole keychain steghide dev-certs useradd",
		"P": "sqlcmd bcp_x osql isql tsql zip_x mosquitto_pub ipmitool 7z ssh-keygen security_import",
		"A": "snmpget snmpwalk", "X": "snmpget snmpwalk", "a": "redis-cli", "k": "openssl_enc security_x",
		"w": "ldapsearch dsconf", "N": "ssh-keygen",
	} {
		for command := range strings.FieldsSeq(commands) {
			command = strings.ReplaceAll(command, "_", " ")
			require.True(t, finds(command+" -"+flag+" {pw} x"), "%s -%s", command, flag)
			require.False(t, finds(command+" -"+flag+" $PW x"), "%s -%s", command, flag)
		}
		require.False(t, finds("tool -"+flag+" {pw} x"), flag)
	}
}

// TestAccounts has users whose password may follow without a name.
func TestAccounts(t *testing.T) {
	for user := range strings.FieldsSeq("root admin ADMIN administrator Administrator elastic postgres deploy sa " +
		"ubuntu jenkins") {
		require.True(t, finds("the server: "+user+" / {leet}"), user)
		require.True(t, finds("use "+user+"/{leet}"), user)
		require.True(t, finds(user+":{leet}"), user)
	}
	for user := range strings.FieldsSeq("ann main config http") {
		require.False(t, finds("use "+user+"/{leet}"), user)
		require.False(t, finds(user+":{leet}"), user)
	}
}

// TestCookies has the names of cookies that identify a login.
func TestCookies(t *testing.T) {
	for name := range strings.FieldsSeq("session sessionid session_id _session_id user_session laravel_session sid " +
		"connect.sid " +
		"PHPSESSID JSESSIONID ASP.NET_SessionId remember_token auth auth_token") {
		require.True(t, finds("Cookie: "+name+"={rand}"), name)
		require.True(t, finds("Set-Cookie: a=b; "+name+"={rand}; HttpOnly"), name)
	}
	for name := range strings.FieldsSeq("theme _ga locale basket") {
		require.False(t, finds("Cookie: "+name+"={rand}"), name)
	}
}

// TestPlaceholders has words that make a value an example, wherever they are in it.
func TestPlaceholders(t *testing.T) {
	for word := range strings.FieldsSeq("example placeholder redacted changeme change-me change_me replace insert " +
		"xxxx your- your_ dummy") {
		require.False(t, finds("API_KEY=q7Tz0aLk"+word+"93VbXcRm"), word)
		require.False(t, finds("password: q7T!"+strings.ToUpper(word)), word)
	}
	for word := range strings.FieldsSeq("password passwd passw0rd secret token sha256 sha512 base64 bcrypt argon2 " +
		"pbkdf2 scrypt hmac " +
		"rs256 es256 ed25519 x25519 utf8 oauth wpa2 wpa3 p256 1password p@ssw sesame") {
		require.False(t, finds("the password: my"+word+"7!"), word)
		require.False(t, finds("postgres://ann:"+word+"7@db"), word)
	}
}
