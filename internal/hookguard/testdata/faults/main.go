// Command faults ends as a hook does that meets a failure of the runtime.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"ltm/internal/hookguard"
)

func main() {
	own := hookguard.Contain()
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
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
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

func deep(n int) int { return deep(n+1) + n }

// hold keeps more memory than there is.
func hold(all [][]byte) int {
	for {
		all = append(all, make([]byte, 1<<30))
	}
}
