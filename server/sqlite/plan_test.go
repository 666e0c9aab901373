package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
	"ltm/server/storagetest"
)

// TestNoQueryScansATable checks the plans of all queries that the contract's parts run.
func TestNoQueryScansATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	storagetest.Fill(t, store)
	queries := slices.Concat(store.Queries(), storagetest.MemoryQueries(t, fresh))
	require.Greater(t, len(queries), 50)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	lists, byID := 0, 0
	for _, query := range queries {
		plan := explained(t, db, query)
		for _, step := range plan {
			if storagetest.ReadsEverything(query) {
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

// explained returns the steps of a query's plan.
func explained(t *testing.T, db *sql.DB, query string) (steps []string) {
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
