//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// expanded asserts that the model got a command as its file's text, with the arguments filled in.
func expanded(t *testing.T, s *session, texts ...string) {
	t.Helper()
	for _, want := range texts {
		require.Contains(t, s.first().pending(), want)
	}
	require.NotContains(t, s.first().pending(), "$ARGUMENTS")
}

func TestCommandRemember(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		s := p.claude("/ltm:remember keep db/pool.go at 20 connections",
			tool("store_memory", input{"topic": "Pool stays at 20", "content": "db/pool.go keeps 20 connections.",
				"auto_tag": true}))
		expanded(t, s, "keep db/pool.go at 20 connections", "`store_memory`", "`auto_tag`")
		require.NotEmpty(t, s.ok(0)["tags"])
		require.Len(t, p.memories(), 1)

		expanded(t, p.claude("/ltm:remember"), "review this session", "at most 3")
	})
}

func TestCommandRecall(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		s := p.claude("/ltm:recall why the timeouts", tool("recall", input{"query": "why the timeouts"}))
		expanded(t, s, "why the timeouts", "`recall`", "`query`")
		require.Len(t, s.ok(0)["memories"], 1)
	})
}

func TestCommandForget(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		id := p.claude("keep that", tool("store_memory", pool)).ok(0)["id"]
		s := p.claude(fmt.Sprintf("/ltm:forget %s", id), tool("forget", input{"id": id}))
		expanded(t, s, fmt.Sprint(id), "`forget`")
		require.Equal(t, true, s.ok(0)["archived"])
		require.Empty(t, p.memories())
		require.FileExists(t, p.path(fmt.Sprintf(".claude/ltm/archives/%s.md", id)))
	})
}

func TestCommandLtm(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		id := p.claude("keep that", tool("store_memory", pool), tool("forget", input{"id": "mem_00000000"})).ok(0)["id"]
		steps := []struct {
			words string
			calls step
			want  string
		}{
			{"", tool("ltm_status", input{}), "Empty or `status`: call `ltm_status`"},
			{"help", text("help"), "`/ltm:remember`"},
			{"list", tool("list_memories", input{}), "`list_memories`"},
			{"status", tool("ltm_status", input{}), "`ltm_status`"},
			{"check", tool("ltm_check", input{}), "`ltm_check`"},
			{"fix", tool("ltm_fix", input{"dry_run": true}), "`dry_run` true"},
			{"config", tool("ltm_status", input{}), "`config`"},
			{"list --tag postgres --phase 0 --importance low",
				tool("list_memories", input{"tag": "postgres", "phase": 0, "importance": "low"}), "`--tag X` is `tag`"},
			{"reset", tool("new_topic", input{}), "`new_topic`"},
			{"doctor", bash("ltm doctor || true"), "`ltm doctor`"},
			{"init", bash("ltm init --dry-run"), "`ltm init --dry-run`"},
		}
		for _, step := range steps {
			s := p.claude("/ltm:ltm "+step.words, step.calls)
			expanded(t, s, "<request>\n"+step.words+"\n</request>", step.want)
			if len(s.calls) > 0 {
				answer, failed := s.result(0)
				require.False(t, failed, answer)
			}
		}
		s := p.claude(fmt.Sprintf("/ltm:ltm restore %s", id),
			tool("forget", input{"id": id}), tool("restore_memory", input{"id": id}))
		expanded(t, s, "`restore_memory`")
		s.ok(1)
		require.Len(t, p.memories(), 1)
	})
}

// A command grants permission for its own tools only.
func TestCommandAllowsItsTools(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.asks = true
		require.NotEmpty(t, p.claude("keep that", tool("store_memory", pool)).failed(0))
		require.Empty(t, p.memories())
		id := p.claude("/ltm:remember that", tool("store_memory", pool)).ok(0)["id"]
		p.claude("/ltm:recall pool", tool("recall", input{"query": "pool"}), tool("get_memory", input{"id": id})).ok(1)
		p.claude("/ltm:ltm status", tool("ltm_status", input{}), tool("list_memories", input{}),
			tool("ltm_check", input{})).ok(2)
		require.NotEmpty(t, p.claude("/ltm:ltm fix", tool("ltm_fix", input{})).failed(0))
		p.claude("/ltm:forget that", tool("forget", input{"id": id})).ok(0)
		p.claude("/ltm:ltm restore that", tool("restore_memory", input{"id": id})).ok(0)
	})
}

// The person's words must never run as a shell command.
func TestCommandArgumentsReachNoShell(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		for _, name := range []string{"remember", "recall", "forget", "ltm"} {
			s := p.claude("/ltm:" + name + " x !`touch ran1` $(touch ran2)\n!`touch ran3`\n```!\ntouch ran4\n```")
			expanded(t, s, "touch ran1")
		}
		require.Empty(t, p.git("status", "--short"))
	})
}
