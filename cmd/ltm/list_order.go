package main

import (
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

// everything is a limit that no listing reaches.
const everything = math.MaxInt32

// orderFlags adds --sort, --reverse and --since to a command, and returns a function that
// reads them into the filter.
func orderFlags(c *cobra.Command, f *api.ListFilter) func() error {
	var order, since string
	c.Flags().StringVar(&order, "sort", string(api.ByPriority),
		"sort by priority (highest first), age (newest first), used (latest first) or topic")
	c.Flags().BoolVar(&f.Reverse, "reverse", false, "reverse the order")
	c.Flags().StringVar(&since, "since", "",
		"only memories stored since `WHEN`: an age (7d, 2w, 36h) or a date (2026-01-31)")
	return func() (err error) {
		if f.Order, err = api.ParseOrder(order); err != nil || since == "" {
			return err
		}
		f.Since, err = sinceWhen(time.Now(), since)
		return err
	}
}

// sinceWhen parses an age or a date.
func sinceWhen(now time.Time, text string) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(text), now.Location()); err == nil {
		return day, nil
	}
	age, err := api.ParseAge(text)
	if err != nil {
		return now, invalid(`allowed: days ("7d"), weeks ("2w"), hours ("36h") or a day ("2026-01-31")`,
			"--since takes an age or a day, not %q", text)
	}
	return now.Add(-age), nil
}
