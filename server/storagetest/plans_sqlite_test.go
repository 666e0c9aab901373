package storagetest_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// noQueryScansSQLite checks the plans of queries of the memory, and of those of a life with packets.
func noQueryScansSQLite(t *testing.T, memory []string) {
	file := newSQLite(t).(sqliteFile)
	store := opened(t, file)
	fill(t, store)
	queries := slices.Concat(store.Queries(), memory)
	require.Greater(t, len(queries), 50)
	db := file.connect(t)
	lists, byID := 0, 0
	for _, query := range queries {
		plan := stepsOf(t, db, query)
		for _, step := range plan {
			if readsEverything(query) {
				continue
			}
			require.False(t, scan.MatchString(step), "%s\n%s", query, strings.Join(plan, "\n"))
		}
		if strings.Contains(query, "e.id IN (") {
			byID++
			require.Contains(t, strings.Join(plan, "\n"), "events_id", "%s does not read all events of a user", query)
		}
		if strings.Contains(query, "ORDER BY") && strings.Contains(query, "p.goal") {
			lists++
			require.NotContains(t, strings.Join(plan, "\n"), "TEMP B-TREE", "%s is in the order of an index", query)
		}
	}
	require.Greater(t, lists, 5)
	require.Greater(t, byID, 1)
}

// scan matches a step that goes through a table or the whole of an index. What is computed is named
// otherwise.
var scan = regexp.MustCompile(`^SCAN (scopes|users|tokens|teams|members|invites|packets|terms|devices|answers|apps|app_keys|subjects|threads|` +
	`events|summaries|acts|claims|reactions|vectors|jobs|changes|erased|usages|.)\b`)

// stepsOf returns the steps of a query's plan.
func stepsOf(t *testing.T, db *sql.DB, query string) (steps []string) {
	t.Helper()
	most := 0
	for _, m := range regexp.MustCompile(`\?(\d+)`).FindAllStringSubmatch(query, -1) {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		most = max(most, n)
	}
	rows, err := db.Query("EXPLAIN QUERY PLAN "+query, make([]any, most)...)
	require.NoError(t, err, query)
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		steps = append(steps, fmt.Sprint(step))
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	return steps
}
