//go:build e2e

package e2e

import (
	"bytes"
	"image"
	"image/png"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sixOfSeven are seven calls of Bash, of which six fail.
func sixOfSeven() []step { return append(slices.Repeat([]step{bash("exit 1")}, 6), bash("true")) }

// keep stores a memory at once: the client may not have written all of its record by then.
func keep(topic string) step {
	return tool("store_memory", input{"topic": topic, "content": "Learned: " + topic})
}

// difficulty plays a session whose last step stores a memory, and returns the memory's difficulty.
func (p *project) difficulty(steps ...step) float64 {
	p.t.Helper()
	return p.claude("work", steps...).ok(len(steps) - 1)["difficulty"].(float64)
}

// TestDifficultyFollowsFailures stores the first memory of a project after a session in which six of
// seven calls failed. It is harder than one of a session that only stores, and than one of a session
// without a failure, whether that is the first one of another project or a later one of the same.
func TestDifficultyFollowsFailures(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		hard := p.difficulty(append(sixOfSeven(), keep("Hard"))...)
		idle := newProject(t, p.version).difficulty(keep("Without work"))
		require.Greater(t, hard, idle+0.1)
		easy := append(slices.Repeat([]step{bash("true")}, 7), keep("Easy"))
		require.Greater(t, hard, newProject(t, p.version).difficulty(easy...)+0.1)
		require.Greater(t, hard, p.difficulty(easy...)+0.1)
		require.Greater(t, hard, p.difficulty(keep("Without work, and later"))+0.1)
		require.Greater(t, p.difficulty(append(sixOfSeven(), keep("Hard, and later"))...), idle+0.3,
			"hooks counted all of it")
	})
}

// TestDifficultyOutlivesACompaction has the failures before a compaction, and the first memory of the
// project after it.
func TestDifficultyOutlivesACompaction(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		idle := newProject(t, p.version).difficulty(keep("Without work"))
		p.claude("work", sixOfSeven()...)
		require.NotEmpty(t, p.resume("/compact keep the facts").other)
		byHand := p.resume("keep that", keep("Hard")).ok(0)
		require.Greater(t, byHand["difficulty"], idle+0.1)
		require.Contains(t, p.ltm("why", byHand["id"].(string)), "(6 failed")
		require.Contains(t, p.ltm("why", byHand["id"].(string)), "a compacted context")

		q := newProject(t, p.version)
		steps := append(sixOfSeven(), full(bash("true")), keep("Hard"))
		require.Greater(t, q.claude("work", steps...).ok(len(steps) - 1)["difficulty"], idle+0.1, "by itself")
	})
}

// TestFailuresTouchNoProject has hooks of failures run before there is a store.
func TestFailuresTouchNoProject(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("work", bash("exit 1"), bash("exit 1"), bash("true"), func(r *request) []block {
			assert.NoDirExists(t, p.path(".claude"))
			assert.NoDirExists(t, p.path(".git/ltm"))
			return text("end")(r)
		})
		require.Empty(t, p.git("status", "--short", "--untracked-files=all"))
		require.NoDirExists(t, p.path(".git/ltm"))
	})
}

// TestHooksAgreeWithTheTranscript has outputs that the client cuts, saves or does not show as text.
func TestHooksAgreeWithTheTranscript(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		p.write("long.txt", strings.Repeat("A line of a file that has many of them.\n", 2000))
		noise := image.NewRGBA(image.Rect(0, 0, 150, 150))
		_, _ = rand.New(rand.NewSource(1)).Read(noise.Pix)
		var picture bytes.Buffer
		require.NoError(t, png.Encode(&picture, noise))
		p.write("shot.png", picture.String())
		p.claude("work",
			bash("cat long.txt"),
			bash("cat long.txt; exit 1"),
			bash("head -c 20000 long.txt"),
			tool("Read", input{"file_path": p.path("long.txt")}),
			tool("Read", input{"file_path": p.path("shot.png")}),
			tool("Edit", input{"file_path": p.path("long.txt"), "old_string": "A line", "new_string": "One",
				"replace_all": true}),
			bash("true"))
		s := p.sessionState()
		t.Logf("%d tokens by hooks, %d by the transcript", s.SessionTokens, s.Work.Tokens)
		require.Equal(t, 7, s.Work.Calls)
		require.Greater(t, s.Work.Tokens, 20_000)
		require.InEpsilon(t, s.Work.Tokens, s.SessionTokens, 0.1)
	})
}

// TestFirstMemoryOfAProject stores before there is a store, so that no hook has counted anything:
// how hard the work was comes from the client's record of the session.
func TestFirstMemoryOfAProject(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		// No hook reports an edit that the client refuses.
		refused := tool("Edit", input{"file_path": p.path("README.md"), "old_string": "not in it", "new_string": "x"})
		hard := p.claude("work", bash("false"), bash("false"), refused, bash("false"), p.lesson("Hard"))
		first := hard.ok(4)

		q := newProject(t, p.version)
		easy := q.claude("work", bash("true"), bash("echo one"), bash("echo two"), bash("echo three"), q.lesson("Easy"))
		require.Greater(t, first["difficulty"], easy.ok(4)["difficulty"])

		why := p.ltm("why", first["id"].(string))
		require.Contains(t, why, "(4 failed, 2 retries)")
		require.Contains(t, why, "according to the session's transcript")
		require.Contains(t, q.ltm("why", easy.ok(4)["id"].(string)), "0 failed")
	})
}
