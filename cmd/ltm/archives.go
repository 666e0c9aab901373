package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) archivesCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "archives [QUESTION...]"}
	c.AddCommand(a.archivesListCommand(), a.archivesPruneCommand())
	c.Flags().IntVar(&limit, "limit", 10, "maximum number of search results, 1 to 1000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 1000); err != nil {
			return err
		}
		if len(given) == 1 {
			if meant := resembles(c, given[0]); meant != "" {
				return invalid(fmt.Sprintf("did you mean %q? To search for the word: ltm recall --archives %s",
					"ltm archives "+meant, given[0]),
					"there is no command %q", "archives "+given[0])
			}
		}
		e := a.engine(lockWait)
		done := a.progress("searching the archives")
		var r api.ArchiveRecall
		var err error
		if len(given) == 0 {
			r, err = e.ListArchives(c.Context())
		} else {
			r, err = e.SearchArchives(c.Context(), strings.Join(given, " "), limit)
		}
		done()
		return answer(a, r, err, a.printArchives)
	}
	return c
}

func (a *app) printArchives(r api.ArchiveRecall) error {
	rows := rowsOf(r.Archives, func(h api.ArchiveHit) []string {
		return a.markedRow([]string{string(h.ID), h.State(), tagList(h.Tags), cell(h.Topic),
			field(strings.TrimSpace(since(h.ArchivedAt) + supersededBy(h.SupersededBy)))}, 3, h.Foreign)
	})
	return a.tableOr("nothing found in the archives", "ID|STATE|TAGS|TOPIC|SINCE", rows)
}

// supersededBy names the memories that supersede one, behind since when that is so.
func supersededBy(ids []memory.ID) string {
	if len(ids) == 0 {
		return ""
	}
	return " by " + memory.JoinIDs(ids)
}
