package eviction_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/eviction"
	"ltm/memory"
	"ltm/priority"
)

// The simulation runs the policies over a project's life: memories are stored, some are needed,
// needed ones that are not in sight are opened, and the end of a session reduces the least
// important. It knows what each reader needs, which the policies do not, and counts how often that
// was in sight.
const (
	simSessions = 200
	simMemories = 300
	simTopics   = 12
	simMax      = 100 // max_memories
	simBatch    = 10
	simShown    = 10 // memories shown in full
	simNeeds    = 3  // memories needed in a session
	simSeeds    = 4
)

// habit is a reader's pattern of need: it returns the topic of a session.
type habit func(r *rand.Rand, session int) int

// firstReader is the habit of most work on a project.
const firstReader = "drifting"

// habits are three readers: one works on a topic for some weeks and then on the next, one returns
// to each topic in turn, and one works on anything.
func habits() map[string]habit {
	return map[string]habit{
		firstReader: func(_ *rand.Rand, session int) int { return session / 15 % simTopics },
		"returning": func(_ *rand.Rand, session int) int { return session % 4 * 3 % simTopics },
		"anything":  func(r *rand.Rand, _ int) int { return r.IntN(simTopics) },
	}
}

// simMemory is a memory in the simulation.
type simMemory struct {
	topic, born int
	difficulty  float64
	phase       memory.Phase
	accesses    float64
	last        int // session of the last access
}

func (m simMemory) priority(p priority.Profile, session int) float64 {
	score, _ := priority.Score(priority.Use{Difficulty: m.difficulty, Accesses: m.accesses,
		SessionsSinceAccess: session - m.last}, p)
	return score
}

// simResult counts what the simulation saw.
type simResult struct {
	needed, whole, archived int // memories that were needed, and how many of them were whole or archived
	born, reducedYoung      int // reduced within three sessions of their creation
	newFaces                int // among the ten best, but not in the session before
	sessions                int
}

// Shares of the needed memories, and new faces per session.
func (r simResult) wholeShare() float64    { return float64(r.whole) / float64(r.needed) }
func (r simResult) archivedShare() float64 { return float64(r.archived) / float64(r.needed) }
func (r simResult) facesEach() float64     { return float64(r.newFaces) / float64(r.sessions) }

func simulate(p priority.Profile, topicOf habit, seed uint64) simResult {
	r := rand.New(rand.NewPCG(seed, 1))
	weights, _ := priority.WeightsOf(priority.Balanced)
	var all []*simMemory
	var before []*simMemory
	var result simResult
	for session := 1; session <= simSessions; session++ {
		topic := topicOf(r, session)
		best := inSight(all, p, session)
		best = best[:min(simShown, len(best))]
		result.sessions++
		for _, m := range best {
			if !slices.Contains(before, m) {
				result.newFaces++
			}
		}
		before = best
		for _, m := range needs(r, all, topic) {
			result.needed++
			switch {
			case m.phase == memory.Removed:
				result.archived++
			case slices.Contains(best, m) && m.phase == memory.Full:
				result.whole++
				continue // already in sight: not opened
			}
			m.accesses, m.last, m.phase = p.Access(m.accesses, session-m.last, priority.Opened), session, memory.Full
		}
		for len(all) < session*simMemories/simSessions {
			all = append(all, &simMemory{topic: topic, born: session, difficulty: judged(r, weights),
				accesses: priority.Opened, last: session})
			result.born++
		}
		result.reducedYoung += fadeAll(all, p, session)
	}
	return result
}

// judged returns the difficulty of a segment of work: of 2 to 150 calls, mostly few, of which up to
// half failed, with up to 3,000 tokens each. What has over 200,000 tokens was compacted. A tenth of
// the difficulties is below 0.30, half below 0.51 and a tenth above 0.76.
func judged(r *rand.Rand, w priority.Weights) float64 {
	calls := int(2 * math.Pow(75, r.Float64()))
	work := memory.Work{Calls: calls, Failures: int(float64(calls) * r.Float64() * r.Float64() / 2),
		Tokens: calls * (300 + r.IntN(2700))}
	work.Retries, work.Compacted = work.Failures/2, work.Tokens > 200_000
	score, _ := priority.Difficulty(work, 0, w)
	return score
}

// needs picks the memories that a session needs from its topic, older ones more often than newer.
func needs(r *rand.Rand, all []*simMemory, topic int) (found []*simMemory) {
	of := slices.DeleteFunc(slices.Clone(all), func(m *simMemory) bool { return m.topic != topic })
	for range simNeeds {
		if len(of) > 0 {
			found = append(found, of[int(float64(len(of))*r.Float64()*r.Float64())])
		}
	}
	return found
}

// inSight returns the memories in sight by priority, newer ones first among equals.
func inSight(all []*simMemory, p priority.Profile, session int) []*simMemory {
	type scored struct {
		*simMemory
		score float64
	}
	var seen []scored
	for _, m := range all {
		if m.phase.Active() {
			seen = append(seen, scored{m, m.priority(p, session)})
		}
	}
	slices.SortStableFunc(seen, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.born, a.born))
	})
	out := make([]*simMemory, len(seen))
	for i, m := range seen {
		out[i] = m.simMemory
	}
	return out
}

// fadeAll runs the end of a session and returns how many young memories it reduced.
func fadeAll(all []*simMemory, p priority.Profile, session int) (young int) {
	candidates := make([]eviction.Candidate, len(all))
	for i, m := range all {
		candidates[i] = eviction.Candidate{ID: memory.ID(fmt.Sprintf("mem_%08x", i)), Phase: m.phase,
			Priority: m.priority(p, session)}
	}
	for _, step := range eviction.Plan(candidates, eviction.Policy{MaxMemories: simMax, BatchSize: simBatch}).Steps {
		i, err := strconv.ParseUint(strings.TrimPrefix(string(step.ID), "mem_"), 16, 32)
		if err != nil {
			panic(err) // impossible: the step was planned above
		}
		all[i].phase = step.To
		if session-all[i].born < 3 && step.From == memory.Full {
			young++
		}
	}
	return young
}

func simulateMany(t *testing.T, profile string, topicOf habit) (sum simResult) {
	t.Helper()
	p, ok := priority.ProfileOf(profile)
	require.True(t, ok)
	for seed := range uint64(simSeeds) {
		r := simulate(p, topicOf, seed)
		sum.needed, sum.whole, sum.archived = sum.needed+r.needed, sum.whole+r.whole, sum.archived+r.archived
		sum.born, sum.reducedYoung = sum.born+r.born, sum.reducedYoung+r.reducedYoung
		sum.newFaces, sum.sessions = sum.newFaces+r.newFaces, sum.sessions+r.sessions
	}
	return sum
}

// TestThePoliciesServeEveryReader checks the default profile against bands, and for the first
// reader against the predecessor's. The simulation is the same on every machine: only a change of
// the policies changes its figures.
func TestThePoliciesServeEveryReader(t *testing.T) {
	mostArchived := map[string]float64{firstReader: 0.15, "returning": 0.30, "anything": 0.30}
	for name, topicOf := range habits() {
		t.Run(name, func(t *testing.T) {
			balanced, classic := simulateMany(t, priority.BalancedProfile, topicOf),
				simulateMany(t, priority.ClassicProfile, topicOf)
			for profile, r := range map[string]simResult{"balanced": balanced, "classic": classic} {
				t.Logf("%s: %.1f%% whole, %.1f%% archived, %d of %d reduced young, %.1f new faces a session", profile,
					100*r.wholeShare(), 100*r.archivedShare(), r.reducedYoung, r.born, r.facesEach())
			}
			require.Zero(t, balanced.reducedYoung, "reduced within three sessions of their birth")
			require.Less(t, balanced.archivedShare(), mostArchived[name], "needed, and archived already")
			require.GreaterOrEqual(t, balanced.facesEach(), 1.0, "new faces among the ten best of a session")
			require.NotZero(t, classic.reducedYoung, "the simulation tells profiles apart")
			if name == firstReader {
				require.Greater(t, balanced.wholeShare(), classic.wholeShare())
				require.Less(t, balanced.archivedShare(), classic.archivedShare())
			}
		})
	}
}
