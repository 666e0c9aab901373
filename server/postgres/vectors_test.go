package postgres_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// withVectors is a database with pgvector, and what should be in it.
type withVectors struct {
	url   string
	conns int
	exact int
	limit time.Duration // of an operation, all of which wait while PGlite makes an index
	store *sqlstore.Store
	known map[threads.Subject][]threads.Vector
}

const vectorApp = "app"

func newWithVectors(t *testing.T, exact int) *withVectors {
	t.Helper()
	made := pgtest.NewVector(t)
	w := &withVectors{url: made.URL, conns: made.MaxConns, exact: exact, known: map[threads.Subject][]threads.Vector{},
		limit: 5*time.Minute + time.Duration(exact)*20*time.Millisecond}
	w.open(t)
	t.Cleanup(func() { require.NoError(t, w.store.Close()) })
	require.NoError(t, w.store.Threads().CreateApp(t.Context(),
		threads.App{ID: vectorApp, Name: "app", CreatedAt: time.Now()}))
	return w
}

// open opens the database, and again what was open.
func (w *withVectors) open(t *testing.T) {
	t.Helper()
	if w.store != nil {
		require.NoError(t, w.store.Close())
	}
	var err error
	w.store, err = postgres.Open(t.Context(), w.url,
		postgres.Options{MaxConns: w.conns, ExactMost: w.exact, Limit: w.limit})
	require.NoError(t, err)
}

func subject(name string) threads.Subject { return threads.Subject{App: vectorApp, User: name} }

// randomVector returns a vector near one of few centers, as those of texts are.
func randomVector(r *rand.Rand, size int) []float32 {
	center := rand.New(rand.NewPCG(uint64(r.IntN(20)), 1))
	v := make([]float32, size)
	for i := range v {
		v[i] = float32(center.NormFloat64() + 0.7*r.NormFloat64())
	}
	return v
}

// put adds n vectors of a user.
func (w *withVectors) put(t testing.TB, user, model string, kind threads.Kind, size, n int, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	who := subject(user)
	for n > 0 {
		batch := min(n, 500)
		n -= batch
		var made []threads.Vector
		for range batch {
			id := fmt.Sprintf("%s-%06d", kind, r.IntN(1e9))
			made = append(made, threads.Vector{Ref: threads.Ref{Kind: kind, ID: id}, Model: model,
				V: randomVector(r, size)})
		}
		require.NoError(t, w.store.Threads().Change(t.Context(), who, func(tx threads.Tx) error {
			for _, v := range made {
				if err := tx.PutVector(v); err != nil {
					return err
				}
			}
			return nil
		}))
		w.known[who] = append(w.known[who], made...)
	}
}

// nearest asks the database.
func (w *withVectors) nearest(t testing.TB, user, model string, v []float32, kinds []threads.Kind,
	k int) []threads.Near {
	t.Helper()
	var near []threads.Near
	require.NoError(t, w.store.Threads().View(t.Context(), subject(user), func(view threads.View) (err error) {
		near, err = view.Nearest(model, v, kinds, k)
		return err
	}))
	return near
}

// want returns what is nearest.
func (w *withVectors) want(user, model string, v []float32, kinds []threads.Kind, k int) []threads.Near {
	var all []threads.Near
	product := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	for _, o := range w.known[subject(user)] {
		if o.Model == model && len(o.V) == len(v) && slices.Contains(kinds, o.Kind) {
			cosine := product(v, o.V) / math.Sqrt(product(v, v)) / math.Sqrt(product(o.V, o.V))
			all = append(all, threads.Near{Ref: o.Ref, Cosine: cosine})
		}
	}
	slices.SortFunc(all, func(a, b threads.Near) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return all[:min(k, len(all))]
}

// recall returns the share of what is nearest that the database found, over some queries.
func (w *withVectors) recall(t testing.TB, user, model string, size, k int, kinds ...threads.Kind) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(99, 3))
	var found, all int
	for range 20 {
		v := randomVector(r, size)
		got := map[string]bool{}
		for _, n := range w.nearest(t, user, model, v, kinds, k) {
			got[n.ID] = true
		}
		for _, n := range w.want(user, model, v, kinds, k) {
			all++
			if got[n.ID] {
				found++
			}
		}
	}
	require.NotZero(t, all)
	return float64(found) / float64(all)
}

// TestVectorsAreCompared compares the database's answers with those that are right, with the extension, without it, and
// when it appears and disappears.
func TestVectorsAreCompared(t *testing.T) {
	w := newWithVectors(t, 0)
	events, both := []threads.Kind{threads.KindEvent}, []threads.Kind{threads.KindEvent, threads.KindClaim}
	check := func(t *testing.T, by string) {
		t.Helper()
		require.Contains(t, w.store.VectorsBy(), by)
		r := rand.New(rand.NewPCG(5, 5))
		for _, kinds := range [][]threads.Kind{events, both, {threads.KindSummary}} {
			for _, model := range []string{"m", "n", "none", `o'; DROP TABLE vectors; --\`} {
				for _, k := range []int{1, 10, 500} {
					v := randomVector(r, 24)
					want := w.want("ann", model, v, kinds, k)
					got := w.nearest(t, "ann", model, v, kinds, k)
					require.Len(t, got, len(want))
					for i := range want {
						require.Equal(t, want[i].Ref, got[i].Ref)
						require.InDelta(t, want[i].Cosine, got[i].Cosine, 1e-9)
					}
				}
			}
		}
		require.Empty(t, w.nearest(t, "ann", "m", make([]float32, 24), events, 5), "a vector without a direction")
		require.Empty(t, w.nearest(t, "nobody", "m", randomVector(r, 24), events, 5))
	}
	for i, user := range []string{"ann", "ben"} {
		w.put(t, user, "m", threads.KindEvent, 24, 60, uint64(i))
		w.put(t, user, "m", threads.KindClaim, 24, 20, uint64(i+10))
		w.put(t, user, "n", threads.KindEvent, 24, 30, uint64(i+20))
		w.put(t, user, "m", threads.KindEvent, 12, 10, uint64(i+30)) // of another size
		w.put(t, user, `o'; DROP TABLE vectors; --\`, threads.KindEvent, 24, 10, uint64(i+40))
	}
	odd := threads.Vector{Ref: threads.Ref{Kind: threads.KindEvent, ID: "odd"}, Model: "m"}
	for _, v := range [][]float32{make([]float32, 24), {}, {1}, make([]float32, 16_001),
		slices.Repeat([]float32{float32(math.NaN())}, 24)} {
		odd.V, odd.ID = v, odd.ID+"+"
		require.NoError(t, w.store.Threads().Change(t.Context(), subject("ann"),
			func(tx threads.Tx) error { return tx.PutVector(odd) }))
	}
	check(t, "pgvector")

	pgtest.Exec(t, w.url, "DROP EXTENSION vector CASCADE", "CREATE EXTENSION vector", "DROP EXTENSION vector CASCADE",
		// as on a server without it, which may not be told by name
		"CREATE DOMAIN vector AS int")
	w.open(t)
	check(t, "the server, because pgvector is not installed")
	w.put(t, "ann", "m", threads.KindEvent, 24, 15, 77)
	check(t, "the server")

	pgtest.Exec(t, w.url, "DROP DOMAIN vector")
	w.open(t)
	check(t, "pgvector") // also while the column is filled in
	require.Eventually(t, func() bool { return count(t, w.url, "near IS NULL") == 0 }, time.Minute, 50*time.Millisecond)
	check(t, "pgvector")

	n, err := w.store.Threads().DropVectors(t.Context(), "m", 1000)
	require.NoError(t, err)
	require.Positive(t, n)
	for who, all := range w.known {
		w.known[who] = slices.DeleteFunc(all, func(v threads.Vector) bool { return v.Model == "m" })
	}
	check(t, "pgvector")
}

// count counts vectors.
func count(t *testing.T, url, where string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM vectors WHERE "+where).Scan(&n))
	require.NoError(t, conn.Close(t.Context()))
	return n
}

// TestASmallUserIsNotLostAmongMany looks for the vectors of a user of few among those of one with many, who are
// searched by an index. LTM_VECTORS says how many.
func TestASmallUserIsNotLostAmongMany(t *testing.T) {
	many := manyVectors(t)
	const size, few = 16, 50
	w := newWithVectors(t, many/4)
	w.put(t, "small", "m", threads.KindEvent, size, few/2, 1)
	w.put(t, "large", "m", threads.KindEvent, size, many/2, 2)
	w.put(t, "large", "m", threads.KindClaim, size, few, 3)
	w.put(t, "small", "m", threads.KindEvent, size, few/2, 4)
	w.put(t, "others", "m", threads.KindEvent, size, many/2, 5)
	require.EqualValues(t, 1, w.recall(t, "large", "m", size, 10, threads.KindEvent), "while there is no index")
	require.Eventually(t, func() bool { return indexes(t, w.url) == 1 }, 2*w.limit, 100*time.Millisecond)
	w.put(t, "small", "m", threads.KindEvent, size, few/2, 6)

	large := w.recall(t, "large", "m", size, 10, threads.KindEvent)
	t.Logf("%d vectors: recall@10 of the large user by the index %.3f", many, large)
	require.Greater(t, large, 0.9)
	require.EqualValues(t, 1, w.recall(t, "small", "m", size, 10, threads.KindEvent), "the small user")
	require.EqualValues(t, 1, w.recall(t, "large", "m", size, 10, threads.KindClaim), "few of a kind")

	w.open(t) // which knows of no index until it is asked for
	require.EqualValues(t, 1, w.recall(t, "small", "m", size, 10, threads.KindEvent))
	require.Greater(t, w.recall(t, "large", "m", size, 10, threads.KindEvent), 0.9)
	require.Equal(t, 1, indexes(t, w.url))

	// As a user whom policies of rows concern, in PGlite: its connections share a session. The index is used as well.
	pgtest.Exec(t, w.url, "CREATE ROLE plain", "GRANT ALL ON ALL TABLES IN SCHEMA public TO plain",
		"GRANT USAGE ON SCHEMA public TO plain", "SET ROLE plain")
	defer pgtest.Exec(t, w.url, "RESET ROLE", "DROP OWNED BY plain", "DROP ROLE plain")
	began := scans(t, w.url)
	require.EqualValues(t, 1, w.recall(t, "small", "m", size, 10, threads.KindEvent))
	require.Greater(t, w.recall(t, "large", "m", size, 10, threads.KindEvent), 0.9)
	require.Eventually(t, func() bool { return scans(t, w.url) >= began+20 }, time.Minute, time.Second)
}

// TestASmallUserIsFoundAmongManySmallOnes looks for the vectors of a user of few among those of many such users, for
// whom there is no index: those of the user are compared. LTM_VECTORS says how many there are in all.
func TestASmallUserIsFoundAmongManySmallOnes(t *testing.T) {
	const size, few, step = 16, 50, 2000
	w := newWithVectors(t, 0)
	w.put(t, "small", "m", threads.KindEvent, size, few/2, 1)
	w.put(t, "other", "m", threads.KindEvent, size, few, 2)
	users := manyVectors(t) / few
	for at := 0; at < users; at += step {
		pgtest.Exec(t, w.url, fmt.Sprintf(`INSERT INTO vectors (app, subject, kind, id, model, digest, v, near)
			SELECT v.app, v.subject + g, v.kind, v.id, v.model, v.digest, v.v, v.near FROM vectors v,
			generate_series(%d, %d) g WHERE v.subject = (SELECT seq FROM subjects WHERE name = 'other')`,
			100+at, 99+min(at+step, users)))
	}
	pgtest.Exec(t, w.url, "ANALYZE vectors")
	w.put(t, "small", "m", threads.KindEvent, size, few/2, 3)
	n := count(t, w.url, "true")
	require.Equal(t, (users+2)*few, n)
	began := time.Now()
	require.EqualValues(t, 1, w.recall(t, "small", "m", size, 10, threads.KindEvent))
	require.EqualValues(t, 1, w.recall(t, "other", "m", size, 10, threads.KindEvent))
	t.Logf("%d vectors of %d users, 40 queries in %v", n, users+2, time.Since(began).Round(time.Millisecond))
	require.Zero(t, indexes(t, w.url))
}

// manyVectors returns how many vectors there are for tests of a user of few among them.
func manyVectors(t *testing.T) int {
	t.Helper()
	given := os.Getenv("LTM_VECTORS")
	if given == "" {
		return 20_000
	}
	many, err := strconv.Atoi(given)
	require.NoError(t, err)
	return many
}

// scans counts how often indexes of vectors were used.
func scans(t *testing.T, url string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT COALESCE(sum(idx_scan), 0) FROM pg_stat_all_indexes
		WHERE indexrelname LIKE 'vectors\_near\_%'`).Scan(&n))
	require.NoError(t, conn.Close(t.Context()))
	return n
}

// indexes counts the indexes of vectors that are ready.
func indexes(t *testing.T, url string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_class c JOIN pg_index i
		ON i.indexrelid = c.oid WHERE c.relname LIKE 'vectors\_near\_%' AND i.indisvalid`).Scan(&n))
	require.NoError(t, conn.Close(t.Context()))
	return n
}
