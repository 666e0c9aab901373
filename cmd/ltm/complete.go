package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/completion"
	"ltm/engine/change"
	"ltm/memory"
	"ltm/memory/api"
)

// mostCompleted is the maximum number of ids or tags that a shell is offered.
const mostCompleted = 200

// noFiles tells the shell to offer nothing else and to keep the order.
const noFiles = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

// completer offers values for an argument that was begun, after those before it.
type completer func(before []string, begun string) []string

// completeAll registers completion for the arguments and flags of all commands.
func (a *app) completeAll(root *cobra.Command) {
	active, archived, every := a.completeIDs(api.IncludeActive), a.completeIDs(api.IncludeArchives),
		a.completeIDs(api.IncludeAll)
	arguments := map[string]completer{
		"ltm show": every, "ltm trust": every, "ltm undo": first(every), "ltm history": first(every),
		"ltm graph":   first(every),
		"ltm resolve": first(every), "ltm diff": first(every), "ltm restore": archived, "ltm archives prune": archived,
		"ltm forget": active, "ltm pin": active, "ltm unpin": active, "ltm update": first(active),
		"ltm correct": first(active), "ltm edit": first(active), "ltm why": first(active),
		"ltm config": a.completeSettings,
		"ltm sign":   active, "ltm verify-signature": every,
		"ltm stale": active, "ltm verify": active, "ltm key use": first(a.completeKeys),
		"ltm key rm": first(a.completeKeys), "ltm key show": first(a.completeKeys),
		"ltm resume": first(a.completePackets), "ltm packet show": first(a.completePackets),
		"ltm packet chain": first(a.completePackets), "ltm packet done": first(a.completePackets),
		"ltm packet keep": first(a.completePackets),
		"ltm packet rm":   first(a.completePackets), "ltm push": first(a.completePackets),
		"ltm auth use": first(a.completeHosts), "ltm auth rm": first(a.completeHosts),
		"ltm alias":   completeAlias(active),
		"ltm tag add": a.completeTagged(1), "ltm tag rm": a.completeTagged(1), "ltm tag rename": a.completeTagged(2),
	}
	kinds := each(memory.Categories(), func(c memory.Category) string { return string(c) })
	tags := func(_ []string, begun string) []string { return a.completeTags(begun) }
	flags := map[string]completer{
		"kind":       fixed(kinds...),
		"agent":      a.completeAgents,
		"by":         fixed("kind"),
		"tag":        tags,
		"add-tag":    tags,
		"remove-tag": tags,
		"importance": fixed("critical", "important", "normal", "low"),
		"as":         fixed(string(memory.Critical), string(memory.Important), string(memory.Low)),
		"parent":     a.completePackets,
		"host":       a.completeHosts,
		"drop":       a.completeWaiting,
		"supersedes": active, "disputes": every, "related": every, "unlink": every,
		"phase":      fixed("0\twhole", "1\thint", "2\tabstract", "3\tout of sight"),
		"sort":       fixed(api.Orders()...),
		"style":      fixed(change.SettingWords("context_style")...),
		"format":     fixed(graphFormats()...),
		"since":      fixed("1d", "7d", "30d"),
		"older-than": fixed("90d", "180d", "52w"),
		"scope":      fixed(string(api.ScopeProject), string(api.ScopeUser), string(api.ScopeAll)),
		"color":      fixed(string(colorAuto), string(colorAlways), string(colorNever)),
	}
	walk(root, func(c *cobra.Command) {
		takesFiles := c.Name() == "help" || c.Name() == "validate" // which the shell completes
		if c.ValidArgsFunction == nil && c.ValidArgs == nil && !takesFiles {
			c.ValidArgsFunction = a.completed(arguments[c.CommandPath()])
		}
		for name, offer := range flags {
			path := c.CommandPath()
			if name == "tag" && (strings.HasPrefix(path, "ltm packet") || path == "ltm write") {
				offer = a.completePacketTags
			}
			if c.LocalFlags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, a.completed(offer))
			}
		}
	})
	_ = root.MarkPersistentFlagDirname("directory")
}

// completed adapts a completer to cobra. On any error, the shell is offered nothing.
func (a *app) completed(offer completer) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, begun string) ([]string, cobra.ShellCompDirective) {
		if offer == nil || a.enter() != nil || a.setScope(c) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completion.Offered(offer(before, begun)), noFiles
	}
}

// fixed offers these values, each perhaps with a tab and what it means.
func fixed(values ...string) completer {
	return func(_ []string, begun string) []string {
		return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !strings.HasPrefix(v, begun) })
	}
}

// first offers values for the first argument only.
func first(offer completer) completer {
	return func(before []string, begun string) []string {
		if len(before) > 0 {
			return nil
		}
		return offer(before, begun)
	}
}

// completeIDs offers ids with their topics, highest priority first, in the form in which the
// argument was begun: with or without "mem_".
func (a *app) completeIDs(include api.Include) completer {
	return func(before []string, begun string) []string {
		list := a.offered(include)
		var offers []string
		for _, m := range list.Memories {
			id := string(m.ID)
			digits := strings.TrimPrefix(id, "mem_")
			if slices.Contains(before, id) || slices.Contains(before, digits) {
				continue
			}
			if begun != "" && strings.HasPrefix(digits, begun) {
				id = digits
			}
			if strings.HasPrefix(id, begun) && len(offers) < mostCompleted {
				offers = append(offers, id+"\t"+markedTopic(m.Topic, m.Foreign))
			}
		}
		return offers
	}
}

// offered lists the memories whose ids may be meant: without a scope, those of both stores.
func (a *app) offered(include api.Include) api.Listing {
	f := api.ListFilter{Include: include, AnyAgent: true, Limit: everything, Scope: api.ScopeAll}
	if a.scope != "" {
		f.Scope = a.scope
	}
	list, err := a.shelves(lockWait).List(context.Background(), f)
	if err != nil && f.Scope == api.ScopeAll {
		f.Scope = api.ScopeProject
		list, _ = a.shelves(lockWait).List(context.Background(), f)
	}
	return list
}

// completeTags offers tags, most used first. In a list separated by commas, it completes the last one.
func (a *app) completeTags(begun string) []string {
	tags, err := a.engine(lockWait).Tags(context.Background())
	if err != nil {
		return nil
	}
	done := begun[:strings.LastIndex(begun, ",")+1]
	var offers []string
	for _, t := range tags {
		if tag := cell(t.Tag); strings.HasPrefix(done+tag, begun) && !slices.Contains(splitList(done), tag) &&
			len(offers) < mostCompleted {
			offers = append(offers, fmt.Sprintf("%s%s\t%d", done, tag, t.Memories))
		}
	}
	return offers
}

// completeTagged offers tags for the first argument, nothing for the others up to the names-th, and ids after that.
func (a *app) completeTagged(names int) completer {
	ids := a.completeIDs(api.IncludeActive)
	return func(before []string, begun string) []string {
		switch {
		case len(before) == 0:
			return a.completeTags(begun)
		case len(before) < names:
			return nil
		}
		return ids(before[names:], begun)
	}
}

// completeSettings offers the keys of settings, and after a key the values that it takes.
func (a *app) completeSettings(before []string, begun string) []string {
	settings, err := a.engine(lockWait).Config(context.Background())
	if err != nil || len(before) > 1 {
		return nil
	}
	var offers []string
	for _, s := range settings {
		switch {
		case len(before) == 0 && strings.HasPrefix(s.Key, begun):
			offers = append(offers, s.Key+"\t"+cell(s.Help))
		case len(before) == 1 && s.Key == before[0]:
			for _, word := range change.SettingWords(s.Key) {
				if strings.HasPrefix(word, begun) {
					offers = append(offers, word)
				}
			}
		}
	}
	return offers
}
