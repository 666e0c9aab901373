package storagetest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// noQueryScansPostgres checks generic plans: with sequential scans switched off, one is left in a plan where no index
// serves it.
func noQueryScansPostgres(t *testing.T, memory []string) {
	url := newPostgres(t).(postgresURL)
	store := opened(t, url)
	fill(t, store)
	queries := slices.Concat(store.Queries(), memory)
	require.Greater(t, len(queries), 50)
	conn := url.connect(t)
	for _, setting := range []string{"enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off",
		"plan_cache_mode = force_generic_plan"} {
		_, err := conn.Exec(t.Context(), "SET "+setting)
		require.NoError(t, err)
	}
	lists, looked, queued := 0, 0, 0
	for i, query := range queries {
		list := strings.Contains(query, "ORDER BY") && strings.Contains(query, "p.goal")
		_, err := conn.Exec(t.Context(), fmt.Sprintf("SET enable_sort = %t", !list))
		require.NoError(t, err)
		plan := planOf(t, conn, i, query)
		if !readsEverything(query) {
			require.NotContains(t, plan, "Seq Scan", query)
			require.False(t, whole.MatchString(plan), "%s\n%s", query, plan)
		}
		if list {
			lists++
			require.NotContains(t, plan, "Sort", "%s is in the order of an index", query)
		}
		require.NotContains(t, plan, "jobs_next on jobs o", query)
		if ofSubject.MatchString(query) && !strings.Contains(query, "j.run_at") {
			queued++
			require.NotContains(t, plan, "jobs_next", "%s does not read the pending jobs of all users", query)
		}
		if strings.Contains(query, "FROM terms b") {
			looked++
			require.NotContains(t, plan, "Join Filter: ((a.", query)
			require.Regexp(t, `terms b .*\n\s+Index Cond: .*created = a\.created.*id = a\.id`, plan,
				"%s looks a term up by its whole key, and does not compare all packets of two terms", query)
		}
	}
	require.Greater(t, lists, 5)
	require.Positive(t, looked)
	require.Greater(t, queued, 3)
}

// ofSubject matches a query for jobs of one subject.
var ofSubject = regexp.MustCompile(`\bjobs (o|j)?\b[\s\S]*subject = (\$|j\.)`)

// whole matches a step that goes through the whole of an index.
var whole = regexp.MustCompile(`Index (Only )?Scan[^\n]*\n(\s+(Filter|->)|$)`)

// planOf returns the plan of a query.
func planOf(t *testing.T, conn *pgx.Conn, i int, query string) string {
	t.Helper()
	most := 0
	for _, m := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(query, -1) {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		most = max(most, n)
	}
	_, err := conn.Exec(t.Context(), fmt.Sprintf("PREPARE q%d AS %s", i, query))
	require.NoError(t, err, query)
	execute := fmt.Sprintf("EXPLAIN EXECUTE q%d", i)
	if most > 0 {
		execute += "(" + strings.Join(slices.Repeat([]string{"NULL"}, most), ", ") + ")"
	}
	rows, err := conn.Query(t.Context(), execute)
	require.NoError(t, err, query)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
