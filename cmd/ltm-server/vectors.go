package main

import (
	"context"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
)

// vectorsCommand looks after the vectors of texts.
func (a *app) vectorsCommand() *cobra.Command {
	c := &cobra.Command{Use: "vectors", Args: arguments(0)}
	drop := &cobra.Command{Use: "drop MODEL", Args: arguments(1, "a model")}
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
