package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	progressAfter = time.Second
	progressEvery = time.Second / 4
)

// progress shows on a terminal that something takes more than a second, until
// the function that it returns is called.
func (a *app) progress(what string) (done func()) {
	if !isTerminal(a.stderr) {
		return func() {}
	}
	return showProgress(a.stderr, what, progressAfter, progressEvery)
}

// showProgress writes a line again and again, and clears it at the end.
func showProgress(w io.Writer, what string, after, every time.Duration) (done func()) {
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
				shown, _ = fmt.Fprintf(w, "\rltm: %s, %d s", what, time.Since(started)/time.Second)
				timer.Reset(every)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
