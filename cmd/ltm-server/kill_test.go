package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// clients is how many clients send packets while servers are killed.
const clients = 32

// killRounds returns how often a server is killed: as often as a usual test has time for, or
// LTM_KILL_ROUNDS.
func killRounds(t *testing.T, usual int) int {
	text := os.Getenv("LTM_KILL_ROUNDS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// load is clients that send packets, each to the servers in turn, and note what was acknowledged.
type load struct {
	token string
	up    atomic.Pointer[servers]
	acked atomic.Int64
	tick  chan struct{} // has one entry for each acknowledgment that somebody may wait for
	stop  chan struct{}
	done  sync.WaitGroup

	mu   sync.Mutex
	last map[string]int // the newest version of each packet that was acknowledged
}

// servers are the addresses at a time.
type servers struct {
	urls    []string
	changed chan struct{} // closed when others take their place
}

// begin starts the clients.
func begin(token string, urls ...string) *load {
	l := &load{token: token, tick: make(chan struct{}, 1), stop: make(chan struct{}), last: map[string]int{}}
	l.up.Store(&servers{urls, make(chan struct{})})
	for n := range clients {
		l.done.Go(func() { l.client(n) })
	}
	return l
}

// client sends new packets and new versions of old ones. A version that was not acknowledged is sent
// until it is: it may have been stored all the same.
func (l *load) client(n int) {
	transport := &http.Transport{MaxIdleConnsPerHost: 2}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for i := 0; ; i++ {
		id := fmt.Sprintf("client-%02d-packet-%d", n, i/3) // three versions of each
		for try := 0; ; try++ {
			select {
			case <-l.stop:
				return
			default:
			}
			up := l.up.Load()
			a := ask(client, http.MethodPost, up.urls[(n+try)%len(up.urls)]+"/v1/packets", l.token,
				packetOf(id, fmt.Sprintf("version %d", i%3)))
			if a.status == http.StatusCreated {
				break
			}
			if a.status == 0 && len(up.urls) == 1 { // it was killed
				select {
				case <-up.changed:
				case <-l.stop:
					return
				}
			}
		}
		l.mu.Lock()
		l.last[id] = i % 3
		l.mu.Unlock()
		l.acked.Add(1)
		select {
		case l.tick <- struct{}{}:
		default:
		}
	}
}

// move tells the clients that the servers are elsewhere.
func (l *load) move(urls ...string) {
	close(l.up.Swap(&servers{urls, make(chan struct{})}).changed)
}

// wait returns when n more changes were acknowledged.
func (l *load) wait(n int64) {
	for until := l.acked.Load() + n; l.acked.Load() < until; {
		<-l.tick
	}
}

// end stops the clients.
func (l *load) end() {
	close(l.stop)
	l.done.Wait()
}

// requireAll looks up every packet that was acknowledged: it is there, in that version or in the one
// that was on its way.
func (l *load) requireAll(t *testing.T, url string) {
	t.Helper()
	require.NotEmpty(t, l.last)
	var work sync.WaitGroup
	ids := make(chan string)
	var lost []string
	var mu sync.Mutex
	for range 8 {
		work.Go(func() {
			for id := range ids {
				a := ask(http.DefaultClient, http.MethodGet, url+"/v1/packets/"+id, l.token, "")
				var p struct{ Goal string }
				version := -1
				if a.status == http.StatusOK && json.Unmarshal(a.body, &p) == nil {
					version, _ = strconv.Atoi(strings.TrimPrefix(p.Goal, "version "))
				}
				if version < l.last[id] || version > l.last[id]+1 {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("%s: version %d was acknowledged, and %d %s came back", id,
						l.last[id], a.status, p.Goal))
					mu.Unlock()
				}
			}
		})
	}
	for id := range l.last {
		ids <- id
	}
	close(ids)
	work.Wait()
	require.Empty(t, lost)
	t.Logf("%d packets with %d acknowledged versions are all there", len(l.last), l.acked.Load())
}

// killAndRestart kills a server again and again under load.
func killAndRestart(t *testing.T, db string, rounds int) {
	t.Helper()
	token := strings.TrimSpace(command(t, "init", "--db", db))
	server := start(t, serving(db)...)
	l := begin(token, server.url)
	for round := range rounds {
		l.wait(int64(10 + round*7%90)) // at another point each time
		server.kill()
		server = start(t, serving(db)...)
		l.move(server.url)
	}
	l.wait(clients)
	l.end()
	l.requireAll(t, server.url)
	require.Zero(t, server.stop(t))
	require.Contains(t, command(t, "check", "--db", db), "no problems")
}

// TestKillsLoseNothing kills servers with SIGKILL while 32 clients send packets.
func TestKillsLoseNothing(t *testing.T) {
	killAndRestart(t, filepath.Join(t.TempDir(), "ltm.db"), killRounds(t, 20))
}
