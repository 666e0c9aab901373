package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress writes a text and the seconds that have gone by, first after a while and then
// again and again on the same line, until the function that it returns is called. That
// function clears the line; when it returns, nothing more is written.
func Progress(w io.Writer, text string, after, every time.Duration) (done func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		started, shown := time.Now(), 0
		timer := time.NewTimer(after)
		defer timer.Stop()
		for {
			select {
			case <-stop:
				if shown > 0 {
					fmt.Fprintf(w, "\r%s\r", strings.Repeat(" ", shown))
				}
				return
			case <-timer.C:
				shown, _ = fmt.Fprintf(w, "\r%s, %d s", text, time.Since(started)/time.Second)
				timer.Reset(every)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
