package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress writes a text and the elapsed seconds on one line, first after the time after and then
// at every interval, until done is called. done clears the line; once it returns, nothing more is
// written.
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
