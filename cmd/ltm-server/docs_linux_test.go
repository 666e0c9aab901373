package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// manualText returns docs/server.md.
func manualText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "server.md"))
	require.NoError(t, err)
	return string(data)
}

// shellLines returns the lines of the document's code blocks in a language, with an empty line for
// each heading.
func shellLines(text, language string) []string {
	var lines []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case inside && line == "```":
			inside = false
		case inside:
			lines = append(lines, line)
		case line == "```"+language:
			inside = true
		case strings.HasPrefix(line, "## "):
			lines = append(lines, "")
		}
	}
	return lines
}

// script makes a shell script of the document's lines. What a line starts in the background runs until
// the next heading, and the lines after it wait until it is ready.
func script(lines []string) string {
	var b strings.Builder
	b.WriteString("set -eu\nbackground=\ntrap 'test -z \"$background\" || kill $background' EXIT\n")
	for _, line := range lines {
		switch {
		case line == "":
			b.WriteString("if [ -n \"$background\" ]; then kill $background; wait $background; background=; fi\n")
		case strings.HasSuffix(line, " &"):
			b.WriteString("set -x\n" + line + "\nbackground=$!\n{ set +x; } 2>/dev/null\n")
			b.WriteString("ltm-server healthcheck --wait 30s\n")
		default:
			b.WriteString("set -x\n" + line + "\n{ set +x; } 2>/dev/null\n")
		}
		if strings.Contains(line, "systemctl restart") || strings.Contains(line, "systemctl start") {
			b.WriteString("ltm-server healthcheck --wait 30s\n")
		}
	}
	return b.String()
}

// standIns are programs that the document uses and that would change this machine.
func standIns() map[string]string {
	return map[string]string{
		"sudo": "#!/bin/sh\n[ \"$1\" != -u ] || shift 2\nexec \"$@\"\n",
		"useradd": `#!/bin/sh
while [ $# -gt 1 ]; do
	[ "$1" != --home-dir ] || mkdir -m 700 "$2"
	shift
done
`,
		// A supervisor says through a pipe that the server has ended.
		"systemctl": `#!/bin/sh
set -eu
cd "$SCRATCH"
start() {
	mkfifo ended
	(
		set -a
		. ./etc/ltm-server.env
		LTM_SERVER_DB=$SCRATCH/var/lib/ltm-server/ltm.db
		set +a
		./bin/ltm-server serve </dev/null >/dev/null 2>>server.log &
		echo $! >pid
		wait $! || true
		rm pid
		echo >ended
	) </dev/null >/dev/null 2>&1 &
}
stop() {
	kill "$(cat pid)"
	cat ended
	rm ended
}
case "$*" in
daemon-reload) ;;
"enable --now ltm-server") cat etc/systemd/system/ltm-server.service >/dev/null && start ;;
"enable --now ltm-server-backup.timer") cat etc/systemd/system/ltm-server-backup.* >/dev/null ;;
"start ltm-server") start ;;
"stop ltm-server") stop ;;
"restart ltm-server") stop && start ;;
*) echo "systemctl $* is not known" >&2 && exit 1 ;;
esac
`,
	}
}

// freePort returns an address on loopback that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// TestServerDocument runs every command line of docs/server.md, in order, in scratch directories
// instead of those of the machine.
func TestServerDocument(t *testing.T) {
	scratch := t.TempDir()
	work := filepath.Join(scratch, "work")
	for _, dir := range []string{"bin", "stand", "etc/systemd/system", "var/lib", "home", "work/packaging/systemd"} {
		require.NoError(t, os.MkdirAll(filepath.Join(scratch, dir), 0o755))
	}
	for name, text := range standIns() {
		require.NoError(t, os.WriteFile(filepath.Join(scratch, "stand", name), []byte(text), 0o755))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	files := map[string]string{self: "ltm-server"}
	packaged, err := filepath.Glob(filepath.Join("..", "..", "packaging", "systemd", "*"))
	require.NoError(t, err)
	for _, from := range packaged {
		files[from] = "packaging/systemd/" + filepath.Base(from)
	}
	for from, to := range files {
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(work, to), data, 0o755))
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(scratch, "bin", "ltm"), "ltm/cmd/ltm").CombinedOutput()
	require.NoError(t, err, "%s", out)

	addr := freePort(t)
	env := append(os.Environ(), "HOME="+filepath.Join(scratch, "home"), "XDG_DATA_HOME=", "XDG_CONFIG_HOME=",
		"LTM_USER_DIR=", "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "LTM_SERVER_DB=", "LTM_DB=", "LTM_SERVER_ADDR="+addr,
		"SCRATCH="+scratch, "PATH="+filepath.Join(scratch, "stand")+":"+filepath.Join(scratch, "bin")+":"+
			os.Getenv("PATH"))
	t.Cleanup(func() {
		cmd := exec.Command(filepath.Join(scratch, "stand", "systemctl"), "stop", "ltm-server")
		cmd.Env = env
		_ = cmd.Run()
	})
	run := func(text string) {
		text = strings.NewReplacer("/usr/local/bin/", scratch+"/bin/", "/etc/", scratch+"/etc/", "/var/lib/",
			scratch+"/var/lib/", defaultAddr, addr).Replace(text)
		cmd := exec.Command("sh", "-c", text)
		cmd.Dir, cmd.Env, cmd.WaitDelay = work, env, 10*time.Second
		out, err := cmd.CombinedOutput()
		log, _ := os.ReadFile(filepath.Join(scratch, "server.log"))
		require.NoError(t, err, "%s\n%s", out, log)
	}
	run("git init -q . && git -c user.name=dev -c user.email=dev@example.org commit -q --allow-empty -m begin")
	lines := shellLines(manualText(t), "sh")
	require.Greater(t, len(lines), 25)
	run(script(lines))
}

// TestServerDocumentOnPostgres runs the lines that move a database to Postgres.
func TestServerDocumentOnPostgres(t *testing.T) {
	url := pgtest.New(t)
	work := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(work, "createdb"), []byte("#!/bin/sh\n"), 0o755)) // the test did
	command(t, "init", "--db", filepath.Join(work, "ltm.db"))
	lines := shellLines(manualText(t), "postgres")
	require.Greater(t, len(lines), 3)
	cmd := exec.Command("sh", "-c", script(lines))
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "POSTGRES_URL="+url, "PATH="+work+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, command(t, "user", "ls", "--db", url), "root")
}

// TestEveryOptionIsDocumented compares the document with the options and the version.
func TestEveryOptionIsDocumented(t *testing.T) {
	text := manualText(t)
	models, err := os.ReadFile(filepath.Join("..", "..", "docs", "providers.md"))
	require.NoError(t, err)
	for _, name := range optionNames() {
		require.Contains(t, text+string(models), "`--"+name+"`")
	}
	for _, name := range []string{"init", "serve", "token", "user add", "purge", "backup", "restore", "check",
		"healthcheck", "approve", "config", "version"} {
		require.Contains(t, text, name)
	}
	var rows []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| none | ") || strings.HasPrefix(line, "| 0.") {
			rows = append(rows, line)
		}
	}
	require.NotEmpty(t, rows)
	require.Contains(t, rows[len(rows)-1], "| "+version+" |", "the newest version has no row")
}

// TestConversationDocument runs every command line of docs/conversation.md, in order, and checks what it
// says of the answers. Without curl it is skipped, or fails if LTM_REQUIRE_CURL is 1.
func TestConversationDocument(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		require.Empty(t, os.Getenv("LTM_REQUIRE_CURL"), "CI must have curl")
		t.Skip("the document's lines need curl")
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "conversation.md"))
	require.NoError(t, err)
	lines := shellLines(strings.ReplaceAll(string(data), "\n## ", "\n### "), "sh") // one server for all of it
	require.Greater(t, len(lines), 20)
	bin, work := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "ltm-server")))
	addr := freePort(t)
	cmd := exec.Command("sh", "-c", script(append(lines, "")))
	cmd.Args[2] = strings.ReplaceAll(cmd.Args[2], defaultAddr, addr)
	cmd.Dir, cmd.WaitDelay = work, 10*time.Second
	cmd.Env = append(os.Environ(), "HOME="+work, "XDG_DATA_HOME=", "LTM_SERVER_DB=", "LTM_SERVER_ADDR="+addr,
		"PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, want := range []string{
		`"words: `, // why a line is there
		`"state": "active"`, `"text": "I live in Turin"`, `"verb": "supersede"`, `"deleted": true`, `"rows": {`,
		`> memory from elsewhere: Returns: A returned bicycle is refunded within 30 days.`, `"path": "memories/mem_0a1b2c3d.md"`,
		`"stores": {`, `"id":2,"result":{"content":[{"type":"text","text":"[memory: notes about this user`,
	} {
		require.Contains(t, string(out), want)
	}
}
