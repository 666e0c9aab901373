package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// BenchmarkHTTP measures requests from clients with connections of their own to a server in a process
// of its own, on both stores: the median and the 99th percentile in milliseconds. LTM_BENCH_PACKETS
// says how many packets there are; 100 without it.
func BenchmarkHTTP(b *testing.B) {
	packets := 100
	if text := os.Getenv("LTM_BENCH_PACKETS"); text != "" {
		var err error
		packets, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	b.Run("sqlite", func(b *testing.B) {
		db, token := initialized(b)
		measureServer(b, db, token, packets)
	})
	b.Run("postgres", func(b *testing.B) {
		db := pgtest.New(b)
		measureServer(b, db, strings.TrimSpace(command(b, "init", "--db", db)), packets)
	})
}

func measureServer(b *testing.B, db, token string, packets int) {
	s := start(b, serving(db)...)
	url := s.url + "/v1/packets"
	push := func(c *http.Client, id string, n int) int {
		return ask(c, http.MethodPost, url, token, packetOf(id, fmt.Sprintf("Goal of word%d and more", n%50))).status
	}
	atOnce(8, packets, func(c *http.Client, n int) {
		if status := push(c, fmt.Sprintf("packet-%09d", n), n); status != http.StatusCreated {
			b.Errorf("a packet was answered with %d", status)
		}
	})
	var pushed atomic.Int64
	get := func(c *http.Client, path string) int { return ask(c, http.MethodGet, url+path, token, "").status }
	for _, op := range []struct {
		name string
		want int
		run  func(c *http.Client, n int) int
	}{
		{"push", http.StatusCreated, func(c *http.Client, n int) int {
			return push(c, fmt.Sprintf("pushed-%09d", pushed.Add(1)), n)
		}},
		{"pull", http.StatusOK, func(c *http.Client, n int) int {
			return get(c, fmt.Sprintf("/packet-%09d", n%packets))
		}},
		{"list", http.StatusOK, func(c *http.Client, _ int) int { return get(c, "") }},
		{"search", http.StatusOK, func(c *http.Client, n int) int { return get(c, fmt.Sprintf("?text=word%d", n%50)) }},
	} {
		for _, clients := range []int{1, 8, 32} {
			b.Run(fmt.Sprintf("%s/clients=%d", op.name, clients), func(b *testing.B) {
				took := make([]time.Duration, b.N)
				atOnce(clients, b.N, func(c *http.Client, n int) {
					began := time.Now()
					if status := op.run(c, n); status != op.want {
						b.Errorf("answered with %d", status)
					}
					took[n] = time.Since(began)
				})
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}

// atOnce calls a function n times, spread over clients.
func atOnce(clients, n int, run func(c *http.Client, n int)) {
	var next atomic.Int64
	var work sync.WaitGroup
	for range clients {
		work.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				run(client, i)
			}
		})
	}
	work.Wait()
}
