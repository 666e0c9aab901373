package storagetest

import (
	"embed"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

// versions has data of each version of the database: NNNN.sql puts it into a database of that version,
// with bytes as X'…', and NNNN.dump is what the newest version makes of it. A new
// migration needs both files of the version before it, with something in every table, and one of its
// own; "make update" writes the dumps, which are then to be read.
//
//go:embed versions
var versions embed.FS

// kindsSince are the kinds of rows of a dump by the version that brought them.
var kindsSince = [][]string{1: {"scope", "user", "token", "team", "member", "invite", "packet", "device", "answer"},
	2: {"app", "app_key", "subject", "thread", "event", "summary", "act", "claim", "reaction", "vector", "job",
		"change", "erased", "usage"}, 3: {"audit"}}

// hexed matches bytes in the data.
var hexed = regexp.MustCompile(`X'([0-9a-f]*)'`)

// TestVersions tests the migrations on data of each version. migrate brings an empty database to a
// version and returns the newest one, run runs statements in it, and open opens it with this program.
func TestVersions(t *testing.T, bytea bool, fresh func(t *testing.T) (
	migrate func(version int64) int64, run func(statements string), open func() Dumper)) {
	migrate, _, _ := fresh(t)
	newest := migrate(0)
	for version := range newest + 1 {
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			name := fmt.Sprintf("versions/%04d", version)
			statements, err := versions.ReadFile(name + ".sql")
			require.NoError(t, err, "a new migration needs data of the version before, and of its own")
			if bytea {
				statements = hexed.ReplaceAll(statements, []byte(`'\x$1'`))
			}
			migrate, run, open := fresh(t)
			migrate(version)
			if len(strings.TrimSpace(string(statements))) > 0 {
				run(string(statements))
			}
			got := Dumped(t, open())
			golden.Require(t, filepath.Join("..", "storagetest", filepath.FromSlash(name)+".dump"), got)
			for since, kinds := range kindsSince {
				for _, kind := range kinds {
					require.True(t, version < int64(since) || strings.Contains(got, "\n{\""+kind+"\":{"),
						"version %d has data of %s", version, kind)
				}
			}
		})
	}
}
