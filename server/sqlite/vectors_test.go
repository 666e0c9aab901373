package sqlite_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// vectorSize is the size of the vectors of tests.
const vectorSize = 16

// near16 returns a vector near one of few centers, as those of texts are.
func near16(r *rand.Rand) []float32 {
	center := rand.New(rand.NewPCG(uint64(r.IntN(20)), 1))
	v := make([]float32, vectorSize)
	for i := range v {
		v[i] = float32(center.NormFloat64() + 0.7*r.NormFloat64())
	}
	return v
}

// putVectors adds n vectors of a user, and returns them by their ids.
func putVectors(t *testing.T, s threads.Storage, user string, n int, r *rand.Rand) map[string][]float32 {
	t.Helper()
	known := map[string][]float32{}
	for len(known) < n {
		require.NoError(t, s.Change(t.Context(), threads.Subject{App: "app", User: user}, func(tx threads.Tx) error {
			for range min(n-len(known), 5000) {
				id, v := fmt.Sprintf("%s-%07d", user, len(known)), near16(r)
				known[id] = v
				of := threads.Ref{Kind: threads.KindEvent, ID: id}
				if err := tx.PutVector(threads.Vector{Ref: of, Model: "m", V: v}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return known
}

// nearest10 returns the ids of the ten vectors that are nearest to one.
func nearest10(known map[string][]float32, to []float32) []string {
	product := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	cosines := map[string]float64{}
	var ids []string
	for id, v := range known {
		cosines[id] = product(v, to) / math.Sqrt(product(v, v))
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(cosines[b], cosines[a]), cmp.Compare(a, b))
	})
	return ids[:min(10, len(ids))]
}

// TestASmallUserIsNotLostAmongMany looks for the vectors of a user of few among those of many. LTM_VECTORS says how
// many.
func TestASmallUserIsNotLostAmongMany(t *testing.T) {
	many := 20_000
	if given := os.Getenv("LTM_VECTORS"); given != "" {
		var err error
		many, err = strconv.Atoi(given)
		require.NoError(t, err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ltm.db"), sqlite.Options{Limit: time.Minute})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	s, r := store.Threads(), rand.New(rand.NewPCG(1, 7))
	require.NoError(t, s.CreateApp(t.Context(), threads.App{ID: "app", Name: "app", CreatedAt: time.Now()}))
	const few = 50
	small := putVectors(t, s, "small", few, r)
	large := putVectors(t, s, "large", min(many/2, 10_000), r)
	for left, n := many-len(small)-len(large), 0; left > 0; n++ {
		put := min(left, 10_000)
		putVectors(t, s, fmt.Sprint("other", n), put, r)
		left -= put
	}
	for user, known := range map[string]map[string][]float32{"small": small, "large": large} {
		for range 20 {
			to := near16(r)
			require.Equal(t, nearest10(known, to), nearestIDs(t, store, user, to), "recall@10 of %s", user)
		}
	}
	t.Logf("%d vectors: recall@10 is 1.0 for a user of %d and one of %d; p50 %s and %s", many, len(small), len(large),
		median(t, store, "small", r), median(t, store, "large", r))
}

// nearestIDs asks the database.
func nearestIDs(t *testing.T, store *sqlstore.Store, user string, to []float32) (ids []string) {
	t.Helper()
	who := threads.Subject{App: "app", User: user}
	require.NoError(t, store.Threads().View(t.Context(), who, func(v threads.View) error {
		near, err := v.Nearest("m", to, []threads.Kind{threads.KindEvent}, 10)
		for _, n := range near {
			ids = append(ids, n.ID)
		}
		return err
	}))
	return ids
}

// median returns how long a query takes, with half of them shorter.
func median(t *testing.T, store *sqlstore.Store, user string, r *rand.Rand) time.Duration {
	t.Helper()
	took := make([]time.Duration, 21)
	for i := range took {
		began := time.Now()
		nearestIDs(t, store, user, near16(r))
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[len(took)/2]
}
