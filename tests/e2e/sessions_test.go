//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nudgeText is part of the line that asks for a memory.
const nudgeText = "failed on the way, and what failed now works"

// checkFails makes check.sh, which fails that many times, then succeeds, and then starts over.
func (p *project) checkFails(times int) {
	p.t.Helper()
	p.write("check.sh", fmt.Sprintf("echo x >>tries\n[ $(wc -l <tries) -gt %d ] && rm tries\n", times))
}

// check runs check.sh that many times.
func check(times int) []step {
	var steps []step
	for range times {
		steps = append(steps, bash("sh check.sh"))
	}
	return steps
}

// begun makes the store, with a memory that took no effort.
func (p *project) begun() {
	p.t.Helper()
	p.claude("begin", tool("store_memory", input{"topic": "Where things are", "content": "In src.", "difficulty": 0}))
}

// work is what was counted, as in a memory's file, in ltm why and in state.json.
type work struct {
	Calls, Failures, Retries, Tokens int
	Compacted                        bool
	Source                           string
}

// difficulty returns the difficulty of w with balanced weights.
func (w work) difficulty() float64 {
	failures, calls, tokens := float64(w.Failures), float64(w.Calls), float64(w.Tokens)
	x := failures + float64(w.Retries)/2
	failing := 1 - (1-failures/(calls+4))*(1-x/(x+4))
	return 1 - 0.75*(1-0.55*failing)*(1-0.25*calls/(calls+25))*(1-0.35*tokens/(tokens+30_000))
}

// worked requires these counts. The tokens are those of the answers plus a few words for each tool
// result.
func worked(t *testing.T, calls, failures, retries, answers int, w work) {
	t.Helper()
	require.GreaterOrEqual(t, w.Tokens, answers*answer)
	require.Less(t, w.Tokens, answers*answer+w.Calls*100)
	require.Equal(t, work{Calls: calls, Failures: failures, Retries: retries, Tokens: w.Tokens, Source: w.Source}, w)
}

// stored requires that the memory of a receipt has this work. The call that stores it may be
// counted or not: the client writes its transcript at its own pace.
func (p *project) stored(receipt map[string]any, calls, failures, retries int) work {
	p.t.Helper()
	line := regexp.MustCompile(`(?m)^work: .*$`).FindString(p.read(fmt.Sprintf(".claude/ltm/memories/%s.md",
		receipt["id"])))
	var w work
	_, err := fmt.Sscanf(strings.NewReplacer(",", "", "}", "").Replace(line),
		"work: {calls: %d failures: %d retries: %d tokens: %d compacted: %t source: %s",
		&w.Calls, &w.Failures, &w.Retries, &w.Tokens, &w.Compacted, &w.Source)
	require.NoError(p.t, err, line)
	require.Contains(p.t, []int{calls, calls + 1}, w.Calls)
	require.Equal(p.t, "transcript", w.Source)
	worked(p.t, w.Calls, failures, retries, w.Calls, w)
	require.InDelta(p.t, w.difficulty(), receipt["difficulty"], 0.0051)
	return w
}

// written delays an answer until the transcript has the results of the calls before it. A real
// model is never fast enough for that to matter.
func (p *project) written(s step) step {
	return func(r *request) []block {
		paths := filepath.Join(p.home, ".claude/projects/*/"+p.current+".jsonl")
		var id string
		for _, m := range r.Messages {
			for _, b := range blocks(m.Content) {
				if b.Type == "tool_result" {
					id = b.ToolUseID
				}
			}
		}
		there := func() bool {
			found, _ := filepath.Glob(paths)
			for _, path := range found {
				raw, err := os.ReadFile(path)
				if err == nil && strings.Contains(string(raw), `"tool_use_id":"`+id+`"`) {
					return true
				}
			}
			return false
		}
		assert.Eventually(p.t, there, 10*time.Second, 5*time.Millisecond, "%q is not in the transcript", id)
		return s(r)
	}
}

// lesson stores a memory.
func (p *project) lesson(topic string) step {
	return p.written(tool("store_memory", input{"topic": topic, "content": "Learned: " + topic}))
}

func TestHardWorkComesFirstInTheNextSession(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		p.write("a.txt", "hello\nworld\n")
		p.checkFails(2)
		edit := func(before string) step {
			return tool("Edit", input{"file_path": p.path("a.txt"), "old_string": before, "new_string": "there"})
		}
		easy := p.claude("work", bash("true"), p.lesson("Easy way"))
		hard := p.claude("work",
			bash("sh check.sh"), // fails
			tool("Read", input{"file_path": p.path("a.txt")}),
			edit("nowhere"),                     // fails, but no hook sees it
			tool("no_such_tool", input{"x": 1}), // fails, but no hook sees it
			bash("sh check.sh"),                 // retry; fails
			edit("world"),                       // retry
			bash("sh check.sh"),                 // retry
			p.lesson("Hard way"))
		p.stored(easy.ok(1), 1, 0, 0)
		counted := p.stored(hard.ok(7), 7, 4, 3)
		require.Greater(t, hard.ok(7)["difficulty"], easy.ok(1)["difficulty"])

		s := p.sessionState()
		worked(t, 8, 4, 3, 9, s.Work) // the whole session's
		require.Equal(t, 2, s.ToolFailures, "what hooks saw")

		var why struct {
			Difficulty float64
			Work       work
		}
		require.NoError(t, json.Unmarshal([]byte(p.ltm("why", fmt.Sprint(hard.ok(7)["id"]), "--json")), &why))
		require.Equal(t, counted, why.Work)
		require.EqualValues(t, hard.ok(7)["difficulty"], why.Difficulty)

		block := contextBlock(t, p.claude("go on").first())
		require.Contains(t, block, "Easy way")
		before, _, found := strings.Cut(block, "Hard way")
		require.True(t, found, block)
		require.NotContains(t, before, "Easy way")
	})
}

func TestNudgeComesOnceAfterHardWork(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		nudges := func(s *session) int { return strings.Count(s.last().seen(), nudgeText) }
		p.checkFails(4)
		require.Zero(t, nudges(p.claude("work", check(5)...)), "without a store")
		require.NoDirExists(t, p.path(".claude"))
		p.begun()

		hard := p.claude("work", append(check(5), append(check(5), text("end"))...)...)
		require.Len(t, hard.requests, 11)
		for i, r := range hard.requests {
			want := 0
			if i >= 5 { // after the success that follows four failures
				want = 1
			}
			require.Equal(t, want, strings.Count(r.seen(), nudgeText), "request %d", i)
		}
		require.Contains(t, hard.last().conversation(), "ltm: 4 of 5 tool calls failed on the way")

		require.Zero(t, nudges(p.claude("work", bash("true"), bash("false"), bash("true"), bash("false"))), "easy")
		require.Zero(t, nudges(p.claude("work", append(check(4), p.lesson("One"), bash("sh check.sh"))...)),
			"stored before")
		require.Equal(t, 2, nudges(p.claude("work", append(append(check(5), p.lesson("Two")), check(5)...)...)),
			"again after a store")
		p.ltm("config", "nudge", "off")
		require.Zero(t, nudges(p.claude("work", check(5)...)), "switched off")
	})
}

// wait delays an answer of the scripted model until something has happened.
func wait(t *testing.T, until <-chan struct{}, s step) step {
	return func(r *request) []block {
		select {
		case <-until:
		case <-time.After(timeLimit / 2):
			t.Error("the other session did not get there")
		}
		return s(r)
	}
}

// tell signals that the scripted model was asked.
func tell(c chan<- struct{}, s step) step {
	return func(r *request) []block {
		close(c)
		return s(r)
	}
}

func TestMemoryIsOfTheSessionThatStoresIt(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		t.Run("plugin", func(t *testing.T) { resumeBeside(t, p, p.lesson("Of Ann")) })
		t.Run("settings", func(t *testing.T) {
			p := newProject(t, p.version)
			p.withoutPlugin()
			p.ltm("init")
			resumeBeside(t, p, p.lesson("Of Ann"))
		})
		t.Run("command line", func(t *testing.T) {
			p := newProject(t, p.version)
			resumeBeside(t, p, p.written(bash("ltm remember 'Of Ann' 'Stored with the Bash tool.' --json")))
		})
	})
}

// resumeBeside resumes a session, so that its server knows a different id, and has it store while
// another session is the last one that hooks saw.
func resumeBeside(t *testing.T, ann *project, store step) {
	ann.begun()
	ann.claude("work", bash("true"))
	ben := *ann
	failed, worked, stored, left := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		<-failed // so that Ben's session is not the one that is resumed
		ben.claude("work", bash("true"), tell(worked, wait(t, stored, text("end"))))
	}()
	s := ann.resume("go on",
		bash("false"), bash("false"), bash("false"),
		tell(failed, wait(t, worked, store)),
		tell(stored, wait(t, left, text("end"))))
	<-left
	require.NotEqual(t, ann.current, ben.current)
	ann.stored(s.ok(3), 3, 3, 2)
	require.Zero(t, ben.sessionState().ToolFailures)
	require.NotEqual(t, ann.sessionState().Client, ben.sessionState().Client)
}

// killed plays a session whose client is killed after the steps, and returns its process id.
func (p *project) killed(prompt string, steps ...step) int {
	p.t.Helper()
	path, err := clientPath(p.version)
	require.NoError(p.t, err)
	reached := make(chan struct{})
	a := newAPI(p.t, append(steps, func(*request) []block {
		close(reached)
		return []block{{Type: "text", Text: "too late"}}
	}))
	args := append(p.begin(prompt), "--dangerously-skip-permissions", "--plugin-dir", p.plugin)
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = p.dir, p.environment(a.URL)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(p.t, cmd.Start())
	select {
	case <-reached:
	case <-time.After(timeLimit):
	}
	require.NoError(p.t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	require.Error(p.t, cmd.Wait())
	select {
	case <-reached:
	default:
		require.Fail(p.t, "the client did not take its steps")
	}
	return cmd.Process.Pid
}

func TestKilledSessionIsClosedByTheNext(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		client := p.killed("work", bash("false"), bash("true"), bash("false"))
		dead := p.current
		require.Nil(t, p.sessionState().EndedAt)
		require.Equal(t, client, p.sessionState().Client)

		p.claude("go on", bash("true"))
		s := p.state()
		require.NotNil(t, s.Sessions[dead].EndedAt)
		require.True(t, s.Sessions[dead].Lost)
		require.Equal(t, 2, s.Sessions[dead].ToolFailures)
		require.Equal(t, 1, s.Sessions[dead].ToolSuccesses)
		require.False(t, p.sessionState().Lost)
		require.Zero(t, p.sessionState().ToolFailures)
		require.Equal(t, 1, p.sessionState().ToolSuccesses)
	})
}

func TestCommandResetBeginsAnotherTopic(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		p.claude("work", bash("false"), bash("false"), bash("false"))
		p.asks = true // the command grants the permission
		s := p.resume("/ltm:ltm reset", tool("new_topic", input{}))
		expanded(t, s, "<request>\nreset\n</request>", "`new_topic`")
		s.ok(0)
		p.asks = false

		s = p.claude("work", bash("false"), bash("false"), bash("false"),
			p.written(tool("new_topic", input{})), bash("true"), p.lesson("Another topic"))
		require.Greater(t, s.ok(3)["difficulty"], 0.5, "from the work before")
		p.stored(s.ok(5), 1, 0, 0)
	})
}

// Neither hooks nor the transcript count the calls of subagents as the session's.
func TestWorkOfSubagentsIsCountedApart(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		s := p.claude("work", bash("true"),
			tool("Agent", input{"description": "look around", "prompt": "look around",
				"subagent_type": "general-purpose", "run_in_background": false}),
			/**/ bash("false"), bash("false"), bash("false"), text("seen"),
			p.lesson("Seen by another"))
		line := p.read(fmt.Sprintf(".claude/ltm/memories/%s.md", s.ok(5)["id"]))
		require.Regexp(t,
			`(?m)^work: \{calls: [23], failures: 0, retries: 0, tokens: \d+, `+
				`compacted: false, agent_calls: 3, agent_failures: 3, source: transcript\}$`, line)
		require.Less(t, s.ok(5)["difficulty"], 0.28, "1 − 0.75·(1 − 0.25·3/28), and few tokens")
		require.Zero(t, p.sessionState().ToolFailures, "what hooks counted")
	})
}
