package storagetest_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

// The directory versions has data of each version of the database: NNNN.sql puts it into a database of that version,
// with bytes as X'…', and NNNN.dump is what the newest version makes of it. A new
// migration needs both files of the version before it, with something in every table, and one of its
// own; make update writes the dumps, which are then to be read.

// kindsSince are the kinds of rows of a dump by the version that brought them.
var kindsSince = [][]string{1: {"scope", "user", "token", "team", "member", "invite", "packet", "device", "answer"},
	2: {"app", "app_key", "subject", "thread", "event", "summary", "act", "claim", "reaction", "vector", "job",
		"change", "erased", "usage"}, 3: {"audit"}, 4: {"disabled"}}

// hexed matches bytes in the data.
var hexed = regexp.MustCompile(`X'([0-9a-f]*)'`)

// TestVersions tests the migrations on data of each version.
func TestVersions(t *testing.T) {
	onEach(t, func(t *testing.T, empty fresh) {
		for version := range empty(t).migrate(t, 0) + 1 {
			t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
				d, name := empty(t), fmt.Sprintf("versions/%04d", version)
				statements, err := os.ReadFile(name + ".sql")
				require.NoError(t, err, "a new migration needs data of the version before, and of its own")
				if _, file := d.(sqliteFile); !file {
					statements = hexed.ReplaceAll(statements, []byte(`'\x$1'`))
				}
				d.migrate(t, version)
				if len(strings.TrimSpace(string(statements))) > 0 {
					d.exec(t, string(statements))
				}
				got := dumped(t, opened(t, d))
				golden.Require(t, name+".dump", got)
				for since, kinds := range kindsSince {
					for _, kind := range kinds {
						require.True(t, version < int64(since) || strings.Contains(got, "\n{\""+kind+"\":{"),
							"version %d has data of %s", version, kind)
					}
				}
			})
		}
	})
}
