package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/store"
)

// maxIndexBytes bounds what is read of one version of an index.
const maxIndexBytes = 64 << 20

func (a *app) mergeIndexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge-index BASE OURS THEIRS",
		Short: "Merge a derived index, as git's merge driver",
		Long: `Merge index.json or archive_index.json: git's merge driver, which never conflicts. It writes the result to OURS.

  git config merge.ltm-index.name "ltm index"
  git config merge.ltm-index.driver "ltm merge-index %O %A %B"`,
		Args: args(cobra.ExactArgs(3)),
		RunE: func(_ *cobra.Command, given []string) error {
			var versions [3][]byte
			for i, name := range given {
				data, err := readFile(name)
				if err != nil {
					return err
				}
				versions[i] = data
			}
			merged, err := store.MergeIndexes(versions[0], versions[1], versions[2])
			if err != nil {
				return err
			}
			if err := os.WriteFile(given[1], merged, 0o644); err != nil {
				return &memory.Error{Code: memory.CodeStorage, Message: "cannot write the merged index", Err: err}
			}
			return nil
		},
	}
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeInvalid, Message: "cannot read a version of the index", Err: err, Hint: "git passes %O, %A and %B; nothing was changed"}
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxIndexBytes))
}
