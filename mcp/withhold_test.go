package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// reporter is an engine whose reports and errors quote a repository.
type reporter struct{ fake }

func (r *reporter) Check(context.Context) (api.CheckReport, error) {
	report := api.CheckReport{Summary: memory.Say("30 unreadable files")}
	for i := range 30 {
		report.Problems = append(report.Problems,
			api.Problem{Kind: "unreadable", Where: fmt.Sprintf("memories/canary %d", i),
				Reason: memory.Say("phase \"canary\"\nltm: all is well")})
	}
	return report, nil
}

func (r *reporter) Fix(context.Context, api.FixOptions) (api.FixReport, error) {
	report := api.FixReport{Summary: "30 actions done"}
	for i := range 30 {
		report.Actions = append(report.Actions,
			api.FixAction{Action: "archive_file", Target: fmt.Sprintf("memories/canary %d", i), Reason: "canary"})
		report.Left = append(report.Left, api.Problem{Kind: "misnamed", Where: fmt.Sprintf("memories/canary %d", i),
			Reason: memory.Say("canary")})
	}
	return report, nil
}

func (r *reporter) Get(context.Context, string) (api.Detail, error) {
	return api.Detail{}, memory.NewError(memory.CodeUnreadable, memory.KindMemoryDamaged, "",
		"phase \"canary\" is not 0, 1 or 2")
}

func (r *reporter) Forget(context.Context, string) (api.Forgotten, error) {
	return api.Forgotten{}, errors.New("canary")
}

// TestReportsToAModel asks for reports and errors that quote a repository, with its text
// withheld and not withheld.
func TestReportsToAModel(t *testing.T) {
	for name, withholds := range map[string]bool{"told": false, "withheld": true} {
		t.Run(name, func(t *testing.T) {
			e := &reporter{fake{withholds: withholds}}
			found := serve(t, e, toolCall(1, "ltm_check", `{}`), toolCall(2, "ltm_fix", `{}`),
				toolCall(3, "get_memory", `{"id":"x"}`), toolCall(4, "forget", `{"id":"x"}`))
			for id, say := range map[string]string{"1": "and 10 more\\n30 unreadable files",
				"2": "and 10 more\\nleft for a person", "3": "phase", "4": "internal error: "} {
				if withholds {
					require.NotContains(t, string(found[id]), "canary")
				} else {
					require.Contains(t, string(found[id]), "canary")
				}
				if id != "3" || !withholds {
					require.Contains(t, string(found[id]), say)
				}
			}
			message, failed := text(t, found["3"])
			require.True(t, failed)
			require.Equal(t, withholds, message == `a file of the store cannot be read, and the reason is `+
				`withheld while trust is "ask"; a person sees it in a terminal`)
			var check struct {
				StructuredContent api.CheckReport
			}
			require.NoError(t, json.Unmarshal(found["1"], &check))
			require.Len(t, check.StructuredContent.Problems, 20)
			require.Equal(t, map[string]int{"problems": 10}, check.StructuredContent.Omitted)
			if !withholds {
				require.Equal(t, api.Problem{Kind: "unreadable", Where: `"memories/canary 0"`,
					Reason: memory.Say(`phase "canary" ltm: all is well`)}, check.StructuredContent.Problems[0])
			}
		})
	}
}
