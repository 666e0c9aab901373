package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) resolveCommand() *cobra.Command {
	var ours, theirs, both bool
	c := &cobra.Command{Use: "resolve ID --ours|--theirs|--both", Args: arguments(1, anID)}
	c.Flags().BoolVar(&ours, "ours", false, "keep our side")
	c.Flags().BoolVar(&theirs, "theirs", false, "keep their side")
	c.Flags().BoolVar(&both, "both", false, "keep the lines of both sides")
	c.RunE = func(c *cobra.Command, given []string) error {
		how, err := resolution(ours, theirs, both)
		if err != nil {
			return err
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := e.Resolve(c.Context(), id, how)
		if err != nil {
			return err
		}
		path := a.fromHere(filepath.Join(a.place().Store, "memories", r.ID.File()))
		r.Message = append(r.Message, memory.Remark{Text: "the conflict is resolved: git add " + path})
		return answer(a, r, nil, a.printReceipt)
	}
	return c
}

// resolution returns the one that the flags ask for.
func resolution(ours, theirs, both bool) (api.Resolution, error) {
	switch {
	case ours && !theirs && !both:
		return api.KeepOurs, nil
	case theirs && !ours && !both:
		return api.KeepTheirs, nil
	case both && !ours && !theirs:
		return api.KeepBoth, nil
	}
	return "", invalid(`"ltm edit ID" shows both sides`, "give one of --ours, --theirs and --both")
}
