//go:build sdk

package described

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// TestAnswersAreAsDescribed fails on a 5xx, on a status or body that the description does not have, and on what can
// still be read after it was deleted.
func TestAnswersAreAsDescribed(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { asDescribed(t, filepath.Join(t.TempDir(), "ltm.db")) })
	t.Run("Postgres", func(t *testing.T) { asDescribed(t, pgtest.New(t)) })
}

func asDescribed(t *testing.T, database string) {
	tool := os.Getenv("SCHEMATHESIS")
	require.NotEmpty(t, tool, `SCHEMATHESIS names the program; "make sdk-test" does that`)
	url, key := serve(t, database)
	description, err := filepath.Abs(filepath.Join("..", "..", "sdk", "openapi.json"))
	require.NoError(t, err)
	run := exec.Command(tool, "run", description, "--url", url,
		"--header", "X-API-Key: "+key, "--phases", "coverage,fuzzing,stateful", "--max-examples", "8",
		"--max-time", "60", "--seed", "1", "--continue-on-failure", "--no-color", "--generation-database", "none",
		"--generation-with-security-parameters", "false", "--checks", "not_a_server_error,status_code_conformance,"+
			"response_schema_conformance,content_type_conformance,use_after_free,ensure_resource_availability")
	run.Dir = t.TempDir() // it keeps a cache where it runs
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out[strings.Index(string(out), "= SUMMARY"):])
}

// serve starts a server on a database, and returns its address and the key of an application.
func serve(t *testing.T, database string) (url, key string) {
	program := os.Getenv("LTM_SERVER")
	require.NotEmpty(t, program, `LTM_SERVER names the built ltm-server; "make sdk-test" does that`)
	env := append(os.Environ(), "LTM_SERVER_DB="+database, "LTM_SERVER_ERASURES="+filepath.Join(t.TempDir(), "erased"))
	run := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Env = env
		out, err := cmd.Output()
		require.NoError(t, err, "%s", args)
		return strings.TrimSpace(string(out))
	}
	run("init")
	run("app", "create", "described", "--field", "topic:text")
	key = run("key", "issue", "--app", "described", "--name", "described")
	const many = "1000000"
	server := exec.Command(program, "serve", "--addr", "127.0.0.1:0",
		"--rate-address", many, "--rate-key", many, "--rate-user", many)
	server.Env = env
	log, err := server.StderrPipe()
	require.NoError(t, err)
	return said(t, server, log), key
}

// said starts a program, and returns the address that it says it listens on. It ends with the test.
func said(t *testing.T, program *exec.Cmd, output io.Reader) (url string) {
	require.NoError(t, program.Start())
	lines := bufio.NewScanner(output)
	for url == "" && lines.Scan() {
		url = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, output)
	}()
	t.Cleanup(func() {
		require.NoError(t, program.Process.Signal(syscall.SIGTERM))
		<-read
		_ = program.Wait() // Node ends by the signal
	})
	require.NotEmpty(t, url, "%s says where it listens", program)
	return url
}
