//go:build unix

package gitcmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/git/gitcmd"
	"ltm/tests/gittrap"
)

// template makes a repository to copy.
func template(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "template")
	require.NoError(t, os.Mkdir(dir, 0o755))
	cmd := exec.Command("sh", "-c", gittrap.Script)
	cmd.Dir, cmd.Env = dir, environ(t)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// environ returns an environment without the user's own settings, with more variables
// if any are given.
func environ(t *testing.T, more ...string) []string {
	t.Helper()
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, more...)
}

// copied copies a repository.
func copied(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}

// call is a call of git as the program makes them.
type call struct {
	input string
	args  []string
}

// aPatch is a commit as git patch-id reads it.
const aPatch = "commit deadbeefdeadbeefdeadbeefdeadbeefdeadbeef\n\ndiff --git a/file.md b/file.md\n" +
	"--- a/file.md\n+++ b/file.md\n@@ -1 +1 @@\n-base\n+main\n"

// calls returns every command that may be run, in its usual forms and in those closest
// to starting a program: text conversion, signatures, submodules, missing objects,
// changed files.
func calls() []call {
	const missing = "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"
	return []call{
		{args: []string{"rev-parse", "--is-inside-work-tree"}},
		{args: []string{"rev-parse", "HEAD:file.md", missing + "^{commit}"}},
		{args: []string{"ls-files", "-z", "--", "file.md"}},
		{args: []string{"ls-files", "--stage", "--others", "--exclude-standard", "--deleted", "--killed"}},
		{args: []string{"ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory"}},
		{args: []string{"ls-files", "-z", "-v", "--stage"}},
		{args: []string{"diff-index", "--cached", "-z", "--name-only", "HEAD", "--"}},
		{args: []string{"diff-index", "-p", "side", "--"}},
		{args: []string{"diff-tree", "-r", "-z", "--name-only", "side", "HEAD", "--"}},
		{args: []string{"diff-tree", "-r", "-p", "-m", "--pretty=fuller", "side", "HEAD"}},
		{args: []string{"diff-tree", "-r", missing, "HEAD"}},
		{args: []string{"rev-parse", "--symbolic-full-name", "HEAD"}},
		{args: []string{"rev-parse", "--quiet", "--verify", "refs/heads/side"}},
		{args: []string{"rev-list", "--count", "side..HEAD", "--"}},
		{args: []string{"rev-list", "--count", missing + "..HEAD", "--"}},
		{args: []string{"check-ignore", "--no-index", "--verbose", "-z", "--stdin"},
			input: "file.md\x00new.md\x00sub/x\x00"},
		{args: []string{"check-attr", "-z", "--stdin", "eol", "working-tree-encoding"}, input: "file.md\x00new.md\x00"},
		{args: []string{"check-ignore", "-z", "--stdin"}, input: "file.md\x00new.md\x00"},
		{args: []string{"diff-index", "-M", "--diff-filter=R", "--name-status", "-z", "HEAD"}},
		{args: []string{"diff-tree", "-r", "-M", "--diff-filter=R", "--name-status", "--no-commit-id", "-z", "HEAD"}},
		{args: []string{"rev-parse", "--show-object-format"}},
		{args: []string{"log", "--max-count=1", "--no-renames", "--diff-filter=D", "--format=%H", "--", "file.md"}},
		{args: []string{"log", "-3"}},
		{args: []string{"log", "-p", "--follow", "--", "file.md"}},
		{args: []string{"log", "-p", "-m", "--all", "--decorate", "--notes", "--patch-with-stat"}},
		{args: []string{"log", "-z", "--no-walk=unsorted", "--tags", "--decorate=full", "--format=%H%x00%D"}},
		{args: []string{"log", "-z", "--merges", "--since=2020-01-01T00:00:00Z", "--format=%H%x00%ae%x00%b"}},
		{args: []string{"log", "-p", "-m", "--first-parent", "--no-walk=unsorted", "--stdin", "--full-index"},
			input: "HEAD\n"},
		{args: []string{"log", "-p", "--no-walk=unsorted", "--stdin"}, input: missing + "\n"},
		{args: []string{"patch-id", "--stable"}, input: aPatch},
		{args: []string{"rev-list", "--all", "--objects"}},
		{args: []string{"rev-list", "--pretty=fuller", "HEAD"}},
		{args: []string{"rev-list", "--objects", missing}},
		{args: []string{"cat-file", "--batch"}, input: "HEAD\nHEAD:file.md\n" + missing + "\n"},
		{args: []string{"cat-file", "--batch-check"}, input: "side\n" + missing + "\n"},
		{args: []string{"cat-file", "-p", missing}},
		{args: []string{"config", "--get", "merge.other.driver"}},
		{args: []string{"config", "--local", "ltm.test", "x"}},
		{args: []string{"config", "--local", "--remove-section", "ltm"}},
	}
}

// answers runs all calls and returns the result of each.
func answers(t *testing.T, tree *gitcmd.Tree) []string {
	t.Helper()
	var found []string
	for _, c := range calls() {
		out, err := tree.Filter(t.Context(), []byte(c.input), c.args...)
		found = append(found, fmt.Sprintf("%q: status %d: %s", c.args, gitcmd.Status(err), out))
		if err != nil {
			require.NotZero(t, gitcmd.Status(err), "%q: %v", c.args, err)
		}
	}
	return found
}

// TestNoTrapIsSprung runs every call in a repository with each trap, and in one with
// all of them. No program is started, and git answers as it does without the trap.
func TestNoTrapIsSprung(t *testing.T) {
	from := template(t)
	clean, err := gitcmd.Open(from, filepath.Join(from, "store"), environ(t))
	require.NoError(t, err)
	want := answers(t, clean)
	sets := map[string][]gittrap.Trap{"all": gittrap.Traps()}
	for _, trap := range gittrap.Traps() {
		sets[trap.Name] = []gittrap.Trap{trap}
	}
	for name, traps := range sets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repository := copied(t, from)
			set, err := gittrap.New(t.TempDir())
			require.NoError(t, err)
			require.NoError(t, set.Lay(filepath.Join(repository, ".git"), traps...))
			require.NoError(t, set.Lay(filepath.Join(repository, "sub", ".git"), traps...))
			tree, err := gitcmd.Open(repository, filepath.Join(repository, "store"), environ(t))
			require.NoError(t, err)
			require.Equal(t, want, answers(t, tree))
			sprung, err := set.Sprung()
			require.NoError(t, err)
			require.Empty(t, sprung)
		})
	}
}

// TestNoSettingStartsAProgram sets every setting that "git help --config" names to a
// program, except those for which git refuses that value.
func TestNoSettingStartsAProgram(t *testing.T) {
	repository := copied(t, template(t))
	set, err := gittrap.New(t.TempDir())
	require.NoError(t, err)
	program, err := set.Program("setting")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "settings")
	config, err := os.OpenFile(filepath.Join(repository, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = fmt.Fprintf(config, "[include]\n\tpath = %s\n", file)
	require.NoError(t, err)
	require.NoError(t, config.Close())
	tree, err := gitcmd.Open(repository, filepath.Join(repository, "store"), environ(t))
	require.NoError(t, err)
	keys := settings(t)
	for _, c := range calls() {
		if slices.Contains(c.args, "--remove-section") {
			continue // succeeds once
		}
		status := func(keys []string) int {
			require.NoError(t, os.WriteFile(file, configOf(keys, program), 0o644))
			_, err := tree.Filter(t.Context(), []byte(c.input), c.args...)
			return gitcmd.Status(err)
		}
		want := status(nil)
		for status(keys) != want {
			refused := firstKey(keys, func(keys []string) bool { return status(keys) != want })
			keys = slices.DeleteFunc(keys, func(key string) bool { return key == refused })
		}
		sprung, err := set.Sprung()
		require.NoError(t, err)
		require.Empty(t, sprung, "%q", c.args)
	}
	require.Greater(t, len(keys), 400, "git refused too many values")
	for _, key := range []string{"core.fsmonitor", "core.hooksPath", "core.sshCommand", "diff.external", "gpg.program",
		"filter.trap.clean", "alias.trap"} {
		require.Contains(t, keys, key)
	}
}

// settings returns the settings of this git, with "trap" for every part that can be
// chosen.
func settings(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "help", "--config").Output()
	require.NoError(t, err)
	var keys []string
	for line := range strings.Lines(string(out)) {
		key := regexp.MustCompile(`<[^>]*>|\*`).ReplaceAllString(strings.TrimSpace(line), "trap")
		if regexp.MustCompile(`^[a-zA-Z0-9.-]+\.[a-zA-Z0-9-]+$`).MatchString(key) &&
			!strings.HasPrefix(key, "include") {
			keys = append(keys, key)
		}
	}
	require.Greater(t, len(keys), 600)
	return keys
}

// configOf sets every one of these settings to a value.
func configOf(keys []string, value string) []byte {
	var b strings.Builder
	for _, key := range keys {
		section, name := key[:strings.LastIndex(key, ".")], key[strings.LastIndex(key, ".")+1:]
		if before, sub, ok := strings.Cut(section, "."); ok {
			section = before + " \"" + sub + "\""
		}
		fmt.Fprintf(&b, "[%s]\n\t%s = %s\n", section, name, value)
	}
	return []byte(b.String())
}

// firstKey returns the first of these settings for which git refuses all up to it.
func firstKey(keys []string, refuses func([]string) bool) string {
	at := sort.Search(len(keys), func(n int) bool { return refuses(keys[:n+1]) })
	return keys[at]
}

// TestTheEnvironmentStartsNothing sets the variables that git reads.
func TestTheEnvironmentStartsNothing(t *testing.T) {
	from := template(t)
	clean, err := gitcmd.Open(from, filepath.Join(from, "store"), environ(t))
	require.NoError(t, err)
	set, err := gittrap.New(t.TempDir())
	require.NoError(t, err)
	program, err := set.Program("environment")
	require.NoError(t, err)
	elsewhere := copied(t, from)
	require.NoError(t, set.Lay(filepath.Join(elsewhere, ".git"), gittrap.Traps()...))
	trace := filepath.Join(t.TempDir(), "trace")
	hostile := environ(t, "GIT_DIR="+filepath.Join(elsewhere, ".git"), "GIT_WORK_TREE="+elsewhere, "GIT_COMMON_DIR="+
		elsewhere, "GIT_INDEX_FILE="+filepath.Join(elsewhere, ".git", "index"),
		"GIT_OBJECT_DIRECTORY="+elsewhere, "GIT_EXEC_PATH="+elsewhere, "GIT_CONFIG="+
			filepath.Join(elsewhere, ".git", "config"), "GIT_CONFIG_GLOBAL="+filepath.Join(elsewhere, ".git", "config"),
		"GIT_CONFIG_SYSTEM="+filepath.Join(elsewhere, ".git", "config"), "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0="+program, "GIT_CONFIG_PARAMETERS='core.fsmonitor="+
			program+"'", "GIT_EXTERNAL_DIFF="+program, "GIT_PAGER="+program, "PAGER="+program, "GIT_EDITOR="+program,
		"EDITOR="+program, "VISUAL="+program,
		"GIT_SEQUENCE_EDITOR="+program, "GIT_ASKPASS="+program, "SSH_ASKPASS="+program, "GIT_SSH="+program,
		"GIT_SSH_COMMAND="+program, "GIT_PROXY_COMMAND="+program, "GIT_ALLOW_PROTOCOL=ext:ssh:file",
		"GIT_NO_LAZY_FETCH=0", "GIT_TRACE="+trace, "GIT_TRACE2="+trace, "GIT_TRACE_SETUP="+trace,
		"GIT_LITERAL_PATHSPECS=0", "GIT_NAMESPACE=x", "GIT_CEILING_DIRECTORIES="+filepath.Dir(from),
		"GIT_REPLACE_REF_BASE=refs/x", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de")
	tree, err := gitcmd.Open(from, filepath.Join(from, "store"), hostile)
	require.NoError(t, err)
	require.Equal(t, answers(t, clean), answers(t, tree))
	sprung, err := set.Sprung()
	require.NoError(t, err)
	require.Empty(t, sprung)
	require.NoFileExists(t, trace)
}
