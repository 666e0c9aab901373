package main

import (
	"context"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
)

// vectorsCommand looks after the vectors of texts.
func (a *app) vectorsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "vectors",
		Short: "Look after the vectors that models made of texts",
		Args:  arguments(0),
	}
	drop := &cobra.Command{
		Use:   "drop MODEL",
		Short: "Remove the vectors of a model that is no longer used",
		Long: "Remove the vectors of a model that is no longer used, in steps, while the server runs. A model that " +
			"was asked for a size of its vectors is MODEL/SIZE. A server that uses the model makes them again.",
		Example: "  ltm-server vectors drop text-embedding-ada-002",
		Args:    arguments(1, "a model"),
	}
	asJSON := jsonFlag(drop)
	drop.RunE = func(c *cobra.Command, given []string) error {
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error {
			var gone int64
			for {
				n, err := s.Threads().DropVectors(ctx, given[0], 1000)
				if err != nil {
					return failed("cannot remove all vectors", err)
				}
				if gone += n; n == 0 {
					break
				}
			}
			if *asJSON {
				return a.printJSON(map[string]int64{"removed": gone})
			}
			return a.println("removed " + plural.Of(int(gone), "vector", "vectors"))
		})
	}
	c.AddCommand(drop)
	return c
}
