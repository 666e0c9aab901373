package torture_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// perProject is the number of rounds in one project.
	perProject = 25

	// longestRound is the latest moment at which the last process of a round is killed.
	longestRound = 25 * time.Millisecond
)

// TestKilledAtRandom runs servers, hooks and commands in one project and kills one of them at a
// random moment of each round. Between rounds everything that was acknowledged must be present, and
// nothing written here may count as foreign. LTM_TORTURE_SEED repeats a run, as far as the system
// schedules processes in the same order.
func TestKilledAtRandom(t *testing.T) {
	n, _ := rounds(t)
	seed := uint64(time.Now().UnixNano())
	if text, ok := os.LookupEnv("LTM_TORTURE_SEED"); ok {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	kills := 0
	for project := 0; kills < n; project++ {
		t.Run(fmt.Sprintf("seed %d project %d", seed, project), func(t *testing.T) {
			kills += killAtRandom(t, project, rand.New(rand.NewPCG(seed, uint64(project))), min(perProject, n-kills))
		})
		require.False(t, t.Failed(), "LTM_TORTURE_SEED=%d", seed)
	}
	t.Logf("%d kills", kills)
}

// killAtRandom returns how many processes it killed. Depending on the project's number, its
// memories fade in the files, it is outside of git, or it starts as a predecessor's.
func killAtRandom(t *testing.T, number int, r *rand.Rand, n int) (kills int) {
	p := newProject(t)
	if number%5 == 4 {
		p = newPlainProject(t)
	}
	p.run("", "config", "max_memories", "15")
	p.run("", "config", "eviction_batch_size", "4")
	if number%2 == 1 {
		p.run("", "config", "--shared", "fading", inFiles)
	}
	c := newCrew(p)
	workers := c.shift(number)
	if number%3 == 2 {
		(&hand{crew: c, name: "predecessor"}).inherit(4)
	}
	for kills < n {
		if c.round(t, r, workers) {
			kills++
		}
		c.l.verify(t, p)
		if t.Failed() {
			break
		}
	}
	for _, w := range workers {
		require.NoError(t, w.stop())
	}
	c.l.requireOrder(t, p)
	t.Logf("%d memories and %d sessions acknowledged, %d stores cut off, %d gave up on the lock", len(c.l.memories),
		len(c.l.sessions), len(c.l.unsure), c.l.busy)
	return kills
}

// shift returns the workers of a project: three at a time, or six in every fourth project.
func (c *crew) shift(number int) []worker {
	switch number % 4 {
	case 0:
		return []worker{&client{crew: c, name: "server"}, &hook{crew: c, name: "session"}, &hand{crew: c, name: "hand"}}
	case 1:
		return []worker{&hand{crew: c, name: "hand one"}, &hand{crew: c, name: "hand two"},
			&hook{crew: c, name: "session"}}
	case 2:
		return []worker{&client{crew: c, name: "server one"}, &client{crew: c, name: "server two"},
			&hand{crew: c, name: "hand"}}
	}
	return []worker{
		&client{crew: c, name: "server one"}, &client{crew: c, name: "server two"},
		&hook{crew: c, name: "session one"}, &hook{crew: c, name: "session two"},
		&hand{crew: c, name: "hand one"}, &hand{crew: c, name: "hand two"},
	}
}

// round lets all workers work until a process is killed, and reports whether one was.
func (c *crew) round(t *testing.T, r *rand.Rand, workers []worker) (killed bool) {
	t.Helper()
	over := make(chan struct{})
	var work sync.WaitGroup
	for _, w := range workers {
		dice := rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))
		work.Go(func() {
			for {
				if err := w.step(dice); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	<-time.After(time.Duration(r.Int64N(int64(longestRound)))) // the random moment
	killed = c.kill(r)
	close(over)
	work.Wait()
	return killed
}
