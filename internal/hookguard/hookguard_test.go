package hookguard_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/hookguard"
)

// fault is the environment variable that makes the tests' program end as a hook does.
const fault = "LTM_TEST_FAULT"

func TestMain(m *testing.M) {
	if what := os.Getenv(fault); what != "" {
		end(what)
	}
	os.Exit(m.Run())
}

// end ends the process in a way that is not a test's.
func end(what string) {
	own := hookguard.Contain()
	switch what {
	case "answer":
		fmt.Println("an answer")
	case "error":
		fmt.Fprintln(own, "ltm hook: one line")
		os.Exit(1)
	case "map":
		share(map[int]int{})
	case "stack":
		debug.SetMaxStack(1 << 20)
		fmt.Println(deep(0))
	case "panic":
		go panic("on purpose")
		time.Sleep(time.Hour)
	case "said":
		fmt.Fprintln(own, "ltm hook: one line")
		go func() { fmt.Println(**new(*int)) }()
		<-make(chan int)
	case "threads":
		debug.SetMaxThreads(1)
	case "huge":
		const addresses = 1 << 47 // no machine has as many
		fmt.Println(len(make([]byte, addresses)))
	}
	os.Exit(0)
}

// share has several goroutines write to a map.
func share(m map[int]int) {
	for range 8 {
		go func() {
			for i := 0; ; i++ {
				m[i%100] = i
			}
		}()
	}
	select {}
}

//lint:ignore SA5007 the stack is to overflow
func deep(n int) int { return deep(n+1) + n }

// TestContain has the runtime fail in every way that it can: the status is not 2, and standard error has at most the
// line that the hook wrote.
func TestContain(t *testing.T) {
	const ended = -2 // by a signal, or with a status of Windows
	type outcome struct {
		status         int
		stdout, stderr string
	}
	for what, want := range map[string]outcome{
		"answer":  {0, "an answer\n", ""},
		"error":   {1, "", "ltm hook: one line\n"},
		"map":     {ended, "", ""},
		"stack":   {ended, "", ""},
		"panic":   {ended, "", ""},
		"said":    {ended, "", "ltm hook: one line\n"},
		"threads": {ended, "", ""},
		"huge":    {ended, "", ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			require.NoError(t, err)
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), fault+"="+what)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), &stdout, &stderr
			_ = cmd.Run()
			got := outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
			if got.status == -1 || runtime.GOOS == "windows" && uint32(got.status) >= 0xC0000000 {
				got.status = ended
			}
			require.Equal(t, want, got)
		})
	}
}
