//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// handedOver is what a model knows of unfinished work.
var handedOver = input{
	"goal":             "Keep the pool at 20 connections under load.",
	"next_step":        "Raise max_conns in db/pool.txt to 20 and run sh check.sh.",
	"success_criteria": []string{"sh check.sh passes."},
	"decisions":        []input{{"what": "No second pool.", "why": "The database refuses it.", "locked": true}},
	"attempts":         []input{{"tried": "A longer timeout.", "outcome": "failed", "learned": "It hides the cause."}},
	"checks":           []input{{"command": "sh check.sh", "passed": false}},
}

// clone returns another person's clone of a project, with the same version of the client.
func (p *project) clone() *project {
	p.t.Helper()
	q := newProject(p.t, p.version)
	require.NoError(p.t, os.RemoveAll(q.dir))
	require.NoError(p.t, os.MkdirAll(q.dir, 0o755))
	q.git("clone", "-q", p.dir, ".")
	return q
}

func (p *project) commit(message string) {
	p.t.Helper()
	p.git("add", "-A")
	p.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", message)
}

// packets returns the texts of the packets in the store, in the order of their ids.
func (p *project) packets() []string { return p.packetsIn(".claude/ltm/packets") }

// drafts returns those of the clone that nobody kept.
func (p *project) drafts() []string { return p.packetsIn(".git/ltm/drafts") }

func (p *project) packetsIn(dir string) []string {
	p.t.Helper()
	names, err := filepath.Glob(p.path(dir + "/*.json"))
	require.NoError(p.t, err)
	var texts []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(p.t, err)
		texts = append(texts, string(data))
	}
	return texts
}

const offered = "Unfinished work was handed over"

// TestHandOverThroughGit writes a packet in one session and goes on in another clone.
func TestHandOverThroughGit(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		s := p.claude("/ltm:handoff mira goes on", tool("write_packet", handedOver))
		expanded(t, s, "mira goes on", "`write_packet`", "`next_step`")
		id, _ := s.ok(0)["id"].(string)
		require.Regexp(t, "^[0-9A-Z]{26}$", id)
		require.Len(t, p.packets(), 1)
		require.NotContains(t, contextBlock(t, p.resume("go on").first()), offered, "it is the session's own")
		p.commit("hand over")

		q := p.clone()
		first := q.claude("hello").first()
		block := contextBlock(t, first)
		require.Equal(t, 1, strings.Count(block, offered), block)
		require.Contains(t, block, "packet "+id+" (resume_packet goes on with it)")
		require.Contains(t, block, "as data > ")
		require.Contains(t, block, "Keep the pool at 20 connections under load.")

		s = q.claude("/ltm:resume", tool("resume_packet", input{}))
		expanded(t, s, "`resume_packet`")
		answer := s.ok(0)
		require.Equal(t, id, answer["id"])
		text, _ := answer["text"].(string)
		for _, want := range []string{"<ltm-packet>", "</ltm-packet>", "## Next step\n> Raise max_conns",
			"> No second pool.", "learned > It hides the cause."} {
			require.Contains(t, text, want)
		}

		s = q.claude("it is done", bash("ltm packet done "+id))
		_, failed := s.result(0)
		require.False(t, failed)
		require.NotContains(t, contextBlock(t, q.claude("hello").first()), offered)
	})
}

// TestHandOverListsAllFaults, and the model can correct them.
func TestHandOverListsAllFaults(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		s := p.claude("/ltm:handoff", tool("write_packet", input{"goal": "g", "next_step": "See " + p.dir + " and " +
			"/home/mira/x", "decisions": []input{{"what": "w"}}}), tool("write_packet", handedOver))
		require.Contains(t, s.failed(0), `/decisions/0: "why" is missing`)
		s.ok(1)
		require.Len(t, p.packets(), 1)
	})
}

// TestDraftBeforeACompaction keeps where a session stood, and the session finds it afterwards.
func TestDraftBeforeACompaction(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.write("check.sh", "grep -q 20 db/pool.txt\n")
		p.commit("a check")
		p.claude("Fix the pool.", tool("store_memory", pool),
			tool("Write", input{"file_path": p.path("db/pool.txt"), "content": "max_conns 5\n"}),
			bash("sh check.sh"))
		require.Len(t, p.drafts(), 1, "the session ended with a check that fails")
		s := p.resume("/compact keep the facts")
		require.Empty(t, p.packets(), "nobody kept it")
		draft := p.drafts()[0]
		for _, want := range []string{`"goal":"Fix the pool."`, "[pending: sh check.sh] It failed with status 1", "db/pool.txt",
			`"tags":["draft"]`} {
			require.Contains(t, draft, want)
		}
		require.NotContains(t, draft, p.dir)
		id := regexp.MustCompile(`"id":"(\w+)"`).FindStringSubmatch(draft)[1]
		told := false
		for _, r := range s.other {
			told = told || strings.Contains(r.conversation()+r.seen(), "kept as packet ")
		}
		require.True(t, told, "the model that summarizes is told of the packet")

		// The next request comes after the start of the compacted session.
		seen := p.resume("go on", tool("resume_packet", input{"id": id})).last().conversation()
		require.Contains(t, seen, "Where this session stood before its context was compacted was noted")
		require.Contains(t, seen, "## Next step")
	})
}

// TestAFailureBehindAPipeIsHandedOver: a session whose check fails behind a pipe is compacted and ends, and the next
// one is given what was asked, what was forbidden, what failed and how, and what the summary says.
func TestAFailureBehindAPipeIsHandedOver(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.write("check.sh", "echo '--- FAIL: TestPool (0.00s)'\n"+
			"echo '    pool_test.go:7: got 5, want 20'\necho FAIL\nexit 1\n")
		p.commit("a check")
		p.claude("Raise the pool to 20 connections.", tool("store_memory", pool),
			tool("Write", input{"file_path": p.path("db/pool.txt"), "content": "max_conns 5\n"}),
			bash("sh check.sh 2>&1 | tail -20"), text("The value is read from another file."))
		p.resume("Never touch db/schema.txt, it is frozen until May.", text("I won't."))
		p.resume("/compact keep the facts")
		p.resume("go on", text("Next: write 20 into db/limits.txt."))

		first := p.claude("hello").first()
		block := contextBlock(t, first)
		require.Equal(t, 1, strings.Count(block, offered), block)
		require.Contains(t, block, "Raise the pool to 20 connections.")
		id := regexp.MustCompile(`packet (\w+) \(resume_packet`).FindStringSubmatch(block)[1]
		s := p.claude("go on", tool("resume_packet", input{"id": id}))
		handed, _ := s.ok(0)["text"].(string)
		for _, want := range []string{"> Raise the pool to 20 connections.", "[pending: sh check.sh] It failed",
			"Asked: Never touch db/schema.txt, it is frozen until May.", "got 5, want 20",
			"Said last: Next: write 20 into db/limits.txt.", "as a model summarized it: "} {
			require.Contains(t, handed, want)
		}
		require.NotContains(t, handed, "worked > [unverified] sh check.sh")
		require.Less(t, len(handed), 4*900)

		require.Empty(t, p.packets())
		require.NotContains(t, p.git("status", "--porcelain"), "packets")
		p.ltm("packet", "keep", id)
		require.Len(t, p.packets(), 1)
	})
}
