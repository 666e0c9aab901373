package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// TestVectorDatabases checks that the extension is real, that what the store needs of it is there, and that a test
// sees nothing of another.
func TestVectorDatabases(t *testing.T) {
	for _, name := range []string{"one", "another"} {
		t.Run(name, func(t *testing.T) {
			conn, err := pgx.Connect(t.Context(), pgtest.NewVector(t).URL)
			require.NoError(t, err)
			for _, statement := range []string{
				"CREATE EXTENSION vector",
				"CREATE TABLE here (id int, v public.vector)",
				"INSERT INTO here VALUES (1, '[1,0,0]'), (2, '[0,1,0]'), (3, '[0.9,0.1,0]'), (4, '[1,2]')",
				"CREATE INDEX CONCURRENTLY ON here USING hnsw ((v::vector(3)) vector_cosine_ops) WHERE id < 4",
				"SET hnsw.iterative_scan = 'strict_order'",
			} {
				_, err = conn.Exec(t.Context(), statement)
				require.NoError(t, err, statement)
			}
			rows, err := conn.Query(t.Context(), `SELECT id FROM here WHERE id < 4
				ORDER BY v::vector(3) <=> $1::text::vector LIMIT 2`, "[1,0,0]")
			require.NoError(t, err)
			ids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
			require.NoError(t, err)
			require.Equal(t, []int32{1, 3}, ids)
			require.NoError(t, conn.Close(t.Context()))
		})
	}
}
