package search_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// TestAlike has realistic pairs: some should be one memory, the others should not.
func TestAlike(t *testing.T) {
	const long = "Fix database connection timeout\nThe pool was exhausted under load: every request held a " +
		"connection while it waited for the payment service. " +
		"Raise max_conns in db.go to 50, and release the connection before the call.\n\n- seen in staging only with " +
		"more than 40 workers\n- metrics: db_pool_wait_seconds"
	for _, tt := range []struct {
		name string
		a, b string
		near bool
	}{
		{"the same", long, long, true},
		{"other order", "Pool too small\nThe pool was too small. Raise max_conns in db.go.",
			"Pool too small\nRaise max_conns in db.go, because the pool was too small.", true},
		{"slightly reworded", "Connection pool exhausted\nRaise max_conns in db.go to 50.",
			"Exhausted connection pools\nmax_conns in db.go must be raised to 50.", true},
		{"another value of the same thing", "Retry budget\nThe client in retry.go retries 3 times per host.",
			"Retry budget\nThe client in retry.go retries 5 times per host.", true},
		{"one word more", "CI needs Go 1.26\nThe build on the runner fails with an older toolchain; set it in ci.yml.",
			"CI needs Go 1.26\nThe build on the new runner fails with an older toolchain; set it in ci.yml.", true},
		{"the long one contains the short one", long,
			"Pool exhausted\nThe pool was exhausted under load: every request held a connection while it waited for " +
				"the payment service.", true},
		{"the long one holds the short one",
			"Pool exhausted\nThe pool was exhausted under load: every request held a connection while it waited for " +
				"the payment service.", long, true},
		{"reworded at both ends", "The deploy script hangs when the VPN is off",
			"Without VPN the deployment script blocks", true},
		{"without spaces", "修复数据库连接超时\n连接池已耗尽，需要在配置文件中提高上限。", "修复数据库连接超时问题\n连接池耗尽，需要在配置文件中提高上限。", true},

		{"same area, other fact", "Redis cache TTL\nThe TTL of the redis cache is 60 s, set in cache.go.",
			"Redis cache eviction\nThe redis cache evicts with allkeys-lru, set in redis.conf.", false},
		{"same bug, other file", "Fix flaky test TestFoo\nIn foo_test.go: add t.Parallel.",
			"Fix flaky test TestBar\nIn bar_test.go: add t.Parallel.", false},
		{"same topic, other content", "Deploy\nThe deploy needs VPN and the staging token.",
			"Deploy\nRoll back with make rollback REV=previous.", false},
		{"same shape, other subject", "Postgres pool timeout\nThe pool timeout of postgres is 30 s.",
			"Kafka session timeout\nThe session timeout of kafka is 45 s.", false},
		{"same setting of two places", "Postgres limits\nmax_connections of Postgres is 100 in production.",
			"Postgres limits\nmax_connections of Postgres is 20 in staging; work_mem is 4 MB.", false},
		{"cause and later fix",
			"Login loops\nSafari drops the session cookie, because SameSite is None without Secure.",
			"Login on Safari fixed\nThe proxy now terminates TLS, see deploy/nginx.conf.", false},
		{"two decisions of one kind", "Use Postgres for jobs\nWe chose Postgres over Redis for the job queue: one " +
			"store less to run.", "Use S3 for uploads\nWe chose S3 over the local disk for uploads: the nodes are " +
			"stateless.", false},
		{"a long one about much else", long,
			"Payment service is slow\nThe payment service takes 2 s at month's end; the team knows.", false},
		{"too short to tell", "Note one\nx", "Note two\nx", false},
		{"nothing", "", "", false},
		{"nothing in common", "alpha beta gamma delta", "one two three four", false},
		{"without spaces, other fact", "修复数据库连接超时\n连接池已耗尽，需要在配置文件中提高上限。", "日志轮换失败\n磁盘已满，请删除旧的归档文件。", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			there, back := search.NewLikeness(tt.a).To(tt.b), search.NewLikeness(tt.b).To(tt.a)
			require.Equal(t, there, back, "likeness is symmetric")
			require.True(t, there >= 0 && there <= 1)
			require.Equal(t, tt.near, there >= search.Near, "likeness %.2f", there)
		})
	}
}

func TestAlikeIsCounted(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b string
		want float64
	}{
		// pool, small, rais, limit / + file
		{"words in both of words in either", "the pool is small: raise limits",
			"raise the limit of the small pool in the file", 4.0 / 5},
		// 8 words and 7 pairs, in 15 words: 8/15, not 7/7
		{"too few pairs", "two three four five six seven eight nine",
			"two three four five six seven eight nine b c e f g h j", 8.0 / 15},
		// 9 words, 8 pairs, all of them in the longer one with 17
		{"pairs of the shorter one", "two three four five six seven eight nine ten",
			"two three four five six seven eight nine ten b c e f g h j k l", 1},
		// 15 words are less than twice as much: 9/15
		{"not much longer", "two three four five six seven eight nine ten",
			"two three four five six seven eight nine ten b c e f g h", 9.0 / 15},
		// max, conn, maxconn, db, go, dbgo of the same and rows, rowsgo
		{"identifiers count whole and in parts", "max_conns db.go", "max_conns rows.go", 4.0 / 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.InDelta(t, tt.want, search.NewLikeness(tt.a).To(tt.b), 1e-12)
		})
	}
}

func TestAlikeLooksAtBeginnings(t *testing.T) {
	same := strings.Repeat("word ", 16<<10/5)
	require.Equal(t, search.NewLikeness("alpha beta gamma "+same).To("alpha beta gamma "+same+"other end"), 1.0)
}

// TestTheMemoriesOfAProjectAreNotAlike compares all pairs of 152 memories about different things.
func TestTheMemoriesOfAProjectAreNotAlike(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "search", "memories.json"))
	require.NoError(t, err)
	var set struct {
		Docs []struct{ Topic, Content string }
	}
	require.NoError(t, json.Unmarshal(data, &set))
	require.Greater(t, len(set.Docs), 100)
	for i, a := range set.Docs {
		l := search.NewLikeness(a.Topic + "\n" + a.Content)
		for _, b := range set.Docs[:i] {
			require.Less(t, l.To(b.Topic+"\n"+b.Content), search.Near/2, "%s, %s", a.Topic, b.Topic)
		}
	}
}

func BenchmarkAlike(b *testing.B) {
	text := strings.Repeat("The pool was exhausted under load in handler_17.go and waited for a connection. ", 20)
	l := search.NewLikeness(text)
	for b.Loop() {
		l.To(text)
	}
}

// TestNearPairsAreThoseOfAllPairs compares texts that share much with each other, one by one and by what is rare.
func TestNearPairsAreThoseOfAllPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []search.Likeness
	for i := range 180 {
		var words []string
		base := rand.New(rand.NewPCG(7, uint64(i/3)))
		for range 12 + 20*(i%3) {
			word := base.IntN(80)
			if random.IntN(5) == 0 {
				word = random.IntN(80)
			}
			words = append(words, fmt.Sprintf("word%cx%c", 'a'+word%9, 'a'+word/9))
		}
		all = append(all, search.NewLikeness(strings.Join(words, " ")))
	}
	want, got := map[[2]int]float64{}, map[[2]int]float64{}
	for a := range all {
		for b := range a {
			if alike := all[a].Of(all[b]); alike >= search.Near {
				want[[2]int{b, a}] = alike
			}
		}
	}
	search.NearPairs(all, func(a, b int, alike float64) { got[[2]int{min(a, b), max(a, b)}] = alike })
	require.Greater(t, len(want), 15)
	require.Equal(t, want, got)
}
