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

// deeds are what clients do, one after another.
type deeds interface {
	// do is the deed number i of client n; a status of 2xx acknowledges it.
	do(c *http.Client, url string, n, i int) answer

	// requireAll checks that what was acknowledged is there: so many deeds of each client.
	requireAll(t *testing.T, url string, acked []int)
}

// load is clients that ask the servers in turn, and note what was acknowledged.
type load struct {
	deeds deeds
	up    atomic.Pointer[servers]
	acked atomic.Int64
	tick  chan struct{} // has one entry for each acknowledgment that a client may wait for
	stop  chan struct{}
	done  sync.WaitGroup
	count []int // the deeds of each client that were acknowledged
}

// servers are the addresses at a time.
type servers struct {
	urls    []string
	changed chan struct{} // closed when others take their place
}

// begin starts the clients.
func begin(d deeds, urls ...string) *load {
	l := &load{deeds: d, tick: make(chan struct{}, 1), stop: make(chan struct{}), count: make([]int, clients)}
	l.up.Store(&servers{urls, make(chan struct{})})
	for n := range clients {
		l.done.Go(func() { l.client(n) })
	}
	return l
}

// client does one deed after another. One that was not acknowledged is done until it is: it may have happened all the
// same.
func (l *load) client(n int) {
	transport := &http.Transport{MaxIdleConnsPerHost: 2}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for i := 0; ; i++ {
		for try := 0; ; try++ {
			select {
			case <-l.stop:
				return
			default:
			}
			up := l.up.Load()
			a := l.deeds.do(client, up.urls[(n+try)%len(up.urls)], n, i)
			if a.status/100 == 2 {
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
		l.count[n] = i + 1
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

// packets are deeds: new packets, and new versions of old ones.
type packets struct{ token string }

// packet returns the packet of a deed, and its version: there are three of each.
func (packets) packet(n, i int) (id string, version int) {
	return fmt.Sprintf("client-%02d-packet-%d", n, i/3), i % 3
}

func (p packets) do(c *http.Client, url string, n, i int) answer {
	id, version := p.packet(n, i)
	return ask(c, http.MethodPost, url+"/v1/packets", p.token, packetOf(id, fmt.Sprintf("version %d", version)))
}

// requireAll looks up every packet that was acknowledged: it is there, in that version or in the one that was on its
// way.
func (p packets) requireAll(t *testing.T, url string, acked []int) {
	t.Helper()
	last, total := map[string]int{}, 0
	for n, deeds := range acked {
		for i := range deeds {
			id, version := p.packet(n, i)
			last[id] = version
		}
		total += deeds
	}
	require.NotEmpty(t, last)
	var work sync.WaitGroup
	ids := make(chan string)
	var lost []string
	var mu sync.Mutex
	for range 8 {
		work.Go(func() {
			for id := range ids {
				a := ask(http.DefaultClient, http.MethodGet, url+"/v1/packets/"+id, p.token, "")
				var got struct{ Goal string }
				version := -1
				if a.status == http.StatusOK && json.Unmarshal(a.body, &got) == nil {
					version, _ = strconv.Atoi(strings.TrimPrefix(got.Goal, "version "))
				}
				if version < last[id] || version > last[id]+1 {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("%s: version %d was acknowledged, and %d %s came back", id,
						last[id], a.status, got.Goal))
					mu.Unlock()
				}
			}
		})
	}
	for id := range last {
		ids <- id
	}
	close(ids)
	work.Wait()
	require.Empty(t, lost)
	t.Logf("%d packets with %d acknowledged versions are all there", len(last), total)
}

// killAndRestart kills a server again and again under load.
func killAndRestart(t *testing.T, db string, rounds int, prepare func(url string) deeds) {
	t.Helper()
	server := start(t, serving(db)...)
	l := begin(prepare(server.url), server.url)
	for round := range rounds {
		l.wait(int64(10 + round*7%90)) // at another point each time
		server.kill()
		server = start(t, serving(db)...)
		l.move(server.url)
	}
	l.wait(clients)
	l.end()
	l.deeds.requireAll(t, server.url, l.count)
	require.Zero(t, server.stop(t))
	require.Contains(t, command(t, "check", "--db", db), "no problems")
}

// sendingPackets makes a database, and returns the deeds of its first user.
func sendingPackets(t *testing.T, db string) func(string) deeds {
	token := strings.TrimSpace(command(t, "init", "--db", db))
	return func(string) deeds { return packets{token} }
}

// TestKillsLoseNothing kills servers with SIGKILL while 32 clients send packets.
func TestKillsLoseNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "ltm.db")
	killAndRestart(t, db, killRounds(t, 20), sendingPackets(t, db))
}
