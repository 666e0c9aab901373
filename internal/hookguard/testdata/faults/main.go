// Command faults fails as a hook does when the runtime fails.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"ltm/internal/hookguard"
)

// started makes the program fail before main when start is asked to.
var started = start(os.Args)

// addresses is the size of the largest address space: no machine can allocate as many
// bytes.
const addresses = 1 << 47

func main() {
	own := io.Writer(os.Stderr)
	if os.Args[1] == "hook" {
		own = hookguard.Contain()
	}
	switch os.Args[2] {
	case "answer":
		fmt.Println("an answer")
	case "client":
		fmt.Print(hookguard.Client())
	case "error":
		fmt.Fprintln(own, "ltm hook: one line")
		os.Exit(1)
	case "status":
		fmt.Fprint(own, "a line\nanother\n")
		os.Exit(3)
	case "map":
		share(map[int]int{})
	case "stack":
		debug.SetMaxStack(1 << 20)
		fmt.Println(deep(0))
	case "panic":
		go panic("on purpose")
		time.Sleep(time.Hour)
	case "memory":
		fmt.Println(hold(nil))
	case "wait":
		fmt.Println("ready")
		time.Sleep(time.Hour)
	case "kill":
		kill()
	case "usage":
		os.Exit(2)
	case "said":
		fmt.Fprintln(own, "ltm hook: one line")
		die()
	case "deadlock":
		<-make(chan int)
	case "threads":
		debug.SetMaxThreads(1)
	case "huge":
		fmt.Println(len(make([]byte, addresses)))
	case "pointer":
		die()
	}
}

// kill ends this process as another process would.
func kill() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
}

// start fails when the second argument is "early".
func start(args []string) bool {
	if len(args) > 2 && args[2] == "early" {
		die()
	}
	return true
}

// die has another goroutine use a pointer that is nil, which no goroutine can
// recover from.
func die() {
	go func() { fmt.Println(*point(nil)) }()
	time.Sleep(time.Hour)
}

func point(p *int) *int { return p }

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

func deep(n int) int { return deep(n+1) + n }

// hold keeps more memory than there is.
func hold(all [][]byte) int {
	for {
		all = append(all, make([]byte, 1<<30))
	}
}
