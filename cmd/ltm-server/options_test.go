package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// call runs the program in this process with an environment.
func call(t *testing.T, env map[string]string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	var environ []string
	for name, value := range env {
		environ = append(environ, name+"="+value)
	}
	status = run(context.Background(), args, strings.NewReader(""), &out, &said,
		func(name string) string { return env[name] }, environ)
	return status, out.String(), said.String()
}

// TestOptionsThatNoServerCouldRunWith gives each a wrong value.
func TestOptionsThatNoServerCouldRunWith(t *testing.T) {
	short := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(short, []byte("short\n"), 0o600))
	for _, c := range []struct{ option, value, want string }{
		{"addr", "5860", "--addr is wrong"},
		{"addr", "", "--addr is wrong"},
		{"db", "mysql://x/y", `--db cannot be a URL with "mysql"`},
		{"db", "host=h password=geheim dbname=ltm", "--db has keywords of Postgres; allowed: a file, or postgres://"},
		{"tls-cert", "cert.pem", "--tls-cert and --tls-key belong together"},
		{"tls-key", "key.pem", "--tls-cert and --tls-key belong together"},
		{"log", "xml", `--log cannot be "xml"; allowed: text, json`},
		{"external-url", "javascript://evil", "--external-url cannot be"},
		{"external-url", "https://user@host", "--external-url cannot be"},
		{"external-url", "https://host?x", "--external-url cannot be"},
		{"trusted-proxies", "10.0.0.0/40", `--trusted-proxies cannot have "10.0.0.0/40"`},
		{"metrics-from", "everyone", `--metrics-from cannot have "everyone"`},
		{"max-packets", "0", "--max-packets cannot be 0"},
		{"max-bytes", "-1", "--max-bytes cannot be -1"},
		{"rate-token", "0", "--rate-token cannot be 0"},
		{"invite-life", "1s", "--invite-life cannot be 1s"},
		{"token-life", "-1h", "--token-life cannot be -1h"},
		{"purge-after", "-1h", "--purge-after cannot be -1h"},
		{"metrics", "perhaps", `"perhaps" is not a value of --metrics: true or false`},
		{"invite-life", "week", `"week" is not a value of --invite-life: a time such as 30s`},
	} {
		t.Run(c.option+"="+c.value, func(t *testing.T) {
			status, out, said := call(t, map[string]string{"HOME": "/home/x"}, "config", "--"+c.option+"="+c.value)
			require.Equal(t, exitInvalid, status)
			require.Empty(t, out)
			require.Contains(t, said, c.want)
			require.NotContains(t, said, "geheim")
			require.Equal(t, 1, strings.Count(said, "\n"), said)
		})
	}
}

// TestPasswordsAreMasked shows databases as config and messages do.
func TestPasswordsAreMasked(t *testing.T) {
	for given, want := range map[string]string{
		"ltm.db":                                   "ltm.db",
		"postgres://mira:geheim@h/ltm":             "postgres://mira:***@h/ltm",
		"postgresql://mira@h:5433/ltm":             "postgresql://mira@h:5433/ltm",
		"postgres://h/ltm?password=geheim&x=y":     "postgres://h/ltm?password=***&x=y",
		"postgres://h/ltm?sslpassword=geheim":      "postgres://h/ltm?sslpassword=***",
		"postgres://mira:geh%zzeim@h/ltm":          "postgres://***",
		"postgres://mi%40ra:a%3Ab@h/ltm?user=mira": "postgres://mi%40ra:***@h/ltm?user=mira",
	} {
		o := options{db: given}
		require.Equal(t, want, o.shownDatabase(), given)
	}
}

// TestVersionIsThatOfThePlugin compares the programs' version with the plugin's manifest.
func TestVersionIsThatOfThePlugin(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", ".claude-plugin", "plugin.json"))
	require.NoError(t, err)
	var manifest struct{ Version string }
	require.NoError(t, json.Unmarshal(data, &manifest))
	require.Equal(t, manifest.Version, version)
}

// TestNamesInTheEnvironment sets variables that no option is read from.
func TestNamesInTheEnvironment(t *testing.T) {
	for name, meant := range map[string]string{"ADRR": "ADDR", "TRUSTED_PROXYS": "TRUSTED_PROXIES",
		"REFUSE_SECRET": "REFUSE_SECRETS", "EXTERNALURL": "EXTERNAL_URL", "DB_FLIE": "DB_FILE", "LOGS": "LOG",
		"MAX_PACKET": "MAX_PACKETS", "RATE_ADRESS": "RATE_ADDRESS", "CHAT_KEYFILE": "CHAT_KEY_FILE"} {
		status, _, said := call(t, map[string]string{"LTM_SERVER_" + name: "x"}, "config")
		require.Equal(t, exitInvalid, status, said)
		require.Equal(t, "ltm-server: there is no LTM_SERVER_"+name+"; did you mean LTM_SERVER_"+meant+
			"? \"ltm-server config\" lists all\n", said)
	}
	for _, name := range []string{"SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_5860_TCP",
		"PORT_5860_TCP_ADDR", "DB_SERVICE_HOST", "DB_PORT", "DB_PORT_5432_TCP_PROTO"} {
		status, _, said := call(t, map[string]string{"LTM_SERVER_" + name: "tcp://10.0.0.1:5860"}, "config")
		require.Equal(t, exitOK, status, said)
		require.Empty(t, said, name)
	}
	status, _, said := call(t, map[string]string{"LTM_SERVER_FLAVOR": "mint", "LTM_SERVER_EMPTY": "", "OTHER": "x"},
		"config")
	require.Equal(t, exitOK, status, said)
	require.Equal(t, 1, strings.Count(said, "\n"), said)
	require.Contains(t, said, "LTM_SERVER_FLAVOR is ignored: no option is read from it")
	require.NotContains(t, said, "mint")
}
