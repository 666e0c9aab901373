package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

// linkFlags are the flags for what a memory says of others. Ids may be abbreviated.
type linkFlags struct {
	supersedes, disputes, related []string
}

func (f *linkFlags) addSupersedes(c *cobra.Command) {
	c.Flags().Var(listValue{&f.supersedes, "id"}, "supersedes", "memories that this one corrects; they are archived")
}

func (f *linkFlags) addOthers(c *cobra.Command) {
	c.Flags().Var(listValue{&f.disputes, "id"}, "disputes", "memories that cannot be true if this one is")
	c.Flags().Var(listValue{&f.related, "id"}, "related", "memories about the same")
}

// patchLinks adds the flags to a command that changes a memory, and returns what puts their values into the patch.
func (a *app) patchLinks(c *cobra.Command, p *api.Patch) func(*engine.Engine) error {
	var f linkFlags
	f.addSupersedes(c)
	f.addOthers(c)
	c.Flags().Var(listValue{&p.Unlink, "id"}, "unlink",
		"memories that it no longer supersedes, disputes or is related to")
	refs := a.patchRefs(c, p)
	return func(e *engine.Engine) error {
		refs()
		err := f.find(c.Context(), e)
		p.Supersedes, p.Disputes, p.Related = f.supersedes, f.disputes, f.related
		return err
	}
}

// find looks up the ids of all flags, and replaces abbreviated ones by whole ones.
func (f *linkFlags) find(ctx context.Context, e *engine.Engine) error {
	for _, ids := range []*[]string{&f.supersedes, &f.disputes, &f.related} {
		if len(*ids) == 0 {
			continue
		}
		found, err := e.FindIDs(ctx, *ids)
		if err != nil {
			return err
		}
		*ids = each(found, func(id memory.ID) string { return string(id) })
	}
	return nil
}

// linkLines returns what a memory says of others and they of it, as a name and ids each.
func linkLines(d api.Detail) [][2]string {
	var lines [][2]string
	add := func(name string, ids []memory.ID, more string) {
		if len(ids) > 0 {
			lines = append(lines, [2]string{name, memory.JoinIDs(ids) + more})
		}
	}
	restored := ""
	if d.Restored && !d.Archived {
		restored = ", restored"
	}
	add("supersedes", d.Supersedes, "")
	add("superseded by", d.SupersededBy, restored)
	add("in dispute with", d.Disputes, "")
	add("related to", d.Related, "")
	return lines
}

// topicCell is the topic of a memory in a table without a column for its importance.
func topicCell(s terminal.Screen, m api.Entry) string {
	if !s.Rich {
		return cell(m.Topic)
	}
	topic := scopedTopic(m.Topic, m.Whose)
	if marks := levelText("", m.Marks); marks != "" {
		return "(" + marks + ") " + topic
	}
	return topic
}

// levelText is the importance of a memory, and what it is marked as, as tables show them.
func levelText(level memory.Importance, marks api.Marks) string {
	var words []string
	if level != "" {
		words = append(words, string(level))
	}
	if memory.IsUnsure(marks.Confidence) {
		words = append(words, "unsure")
	}
	if len(marks.SupersededBy) > 0 {
		words = append(words, "superseded")
	}
	if len(marks.Disputes) > 0 {
		words = append(words, "disputed")
	}
	if len(marks.Stale) > 0 {
		words = append(words, "stale")
	}
	return strings.Join(words, ", ")
}
