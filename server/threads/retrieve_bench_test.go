package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// talker makes messages whose words are distributed as those of people: a few are in most messages, and most are rare.
type talker struct {
	rng  *rand.Rand
	zipf *rand.Zipf
}

func newTalker(seed uint64) talker {
	rng := rand.New(rand.NewPCG(seed, 1))
	return talker{rng, rand.NewZipf(rng, 1.07, 12, 60_000)}
}

// small words are what English has most of.
var small = strings.Fields("the I to a and of it you in that was for is on my with have at but so we be this not are")

func (t talker) words(n int) string {
	words := make([]string, n)
	for i := range words {
		if t.rng.IntN(5) < 2 {
			words[i] = small[t.rng.IntN(len(small))]
			continue
		}
		words[i] = coined(t.zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// coined returns a pronounceable word for each number.
func coined(n uint64) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	b := []byte{}
	for n += 80; n > 0; n /= 80 {
		b = append(b, consonants[n%16], vowels[n/16%5])
	}
	return string(b)
}

// crowd fills a database with users of as many events, in threads of 50.
func crowd(b *testing.B, users, events int) threads.Storage {
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "db"), sqlite.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { _ = store.Close() })
	s := store.Threads()
	require.NoError(b, s.CreateApp(b.Context(), threads.App{ID: "app", Name: "app", CreatedAt: minuteOf(0)}))
	for u := range users {
		talk := newTalker(uint64(u))
		for from := 0; from < events; from += 1000 {
			who := threads.Subject{App: "app", User: fmt.Sprint("u", u)}
			require.NoError(b, s.Change(b.Context(), who, func(tx threads.Tx) error {
				for i := from; i < min(from+1000, events); i++ {
					thread := fmt.Sprintf("%08d-0000-4000-8000-%012d", u, i/50)
					if i%50 == 0 {
						if err := tx.PutThread(threads.Thread{ID: thread, CreatedAt: minuteOf(i)}); err != nil {
							return err
						}
					}
					e := threads.Event{Event: conversation.Event{ID: fmt.Sprintf("%08d-0000-4000-9000-%012d", u, i),
						Thread: thread, Role: conversation.User, Text: talk.words(8 + talk.rng.IntN(30)),
						Occurred: minuteOf(i), Recorded: minuteOf(i)}}
					if _, err := tx.AddEvent(e); err != nil {
						return err
					}
				}
				return nil
			}))
		}
	}
	return s
}

// questions are as people ask: half of small words.
func questions(n int) []string {
	talk := newTalker(99)
	var out []string
	for range n {
		out = append(out, "what did "+talk.words(8)+" when was it")
	}
	return out
}

// BenchmarkRetrieve retrieves contexts of 1,000 tokens from SQLite: of one user with many events, and of many users in
// turn. "cold" rebuilds the index for each. The percentiles are over single requests.
func BenchmarkRetrieve(b *testing.B) {
	for _, c := range []struct{ users, events int }{{1, 1000}, {1, 10_000}, {1, 100_000}, {200, 1000}, {1000, 1000}} {
		b.Run(fmt.Sprintf("%dx%d", c.users, c.events), func(b *testing.B) {
			if c.users*c.events > 100_000 && testing.Short() {
				b.Skip("short")
			}
			store := crowd(b, c.users, c.events)
			s := service(b, store)
			asked := questions(200)
			all := threads.Caller{App: "app"}
			one := func(s *threads.Service, i int) time.Duration {
				begun := time.Now()
				r := ask(fmt.Sprint("u", i%c.users), asked[i%len(asked)])
				r.Explain = false
				_, err := s.Retrieve(b.Context(), all, r)
				require.NoError(b, err)
				return time.Since(begun)
			}
			b.Run("cold", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					one(service(b, store), i)
				}
			})
			for i := range max(2*c.users, 400) {
				one(s, i)
			}
			b.Run("warm", func(b *testing.B) {
				var took []time.Duration
				for i := 0; b.Loop(); i++ {
					took = append(took, one(s, i))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
			b.Run("afterwrite", func(b *testing.B) {
				n := 10_000_000
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					n++
					user := i % c.users
					require.NoError(b, store.Change(context.Background(), threads.Subject{App: "app",
						User: fmt.Sprint("u", user)}, func(tx threads.Tx) error {
						_, err := tx.AddEvent(threads.Event{Event: conversation.Event{
							ID:     fmt.Sprintf("%08d-0000-4000-a000-%012d", b.N, n),
							Thread: fmt.Sprintf("%08d-0000-4000-8000-%012d", user, 0), Role: conversation.User,
							Text: "one more word", Occurred: minuteOf(n), Recorded: minuteOf(n)}})
						return err
					}))
					b.StartTimer()
					one(s, i)
				}
			})
		})
	}
}
