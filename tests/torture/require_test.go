package torture_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// requireBetween requires that each item in now is as before or as after, that no item common to
// both is missing, and that every full text from before is present, unless the operation removes
// it.
func requireBetween(t *testing.T, before, now, after facts) {
	t.Helper()
	requireOneOf(t, "memory", before.memories, now.memories, after.memories)
	requireOneOf(t, "archive", before.archives, now.archives, after.archives)
	requireOneOf(t, "phase of", before.phases, now.phases, after.phases)
	requireOneOf(t, "accesses of", before.accesses, now.accesses, after.accesses)
	requireOneOf(t, "from elsewhere:", before.foreign, now.foreign, after.foreign)
	requireOneOf(t, "stub without its text:", before.bare, now.bare, after.bare)
	requireOneOf(t, "packet", before.packets, now.packets, after.packets)
	requireOneOf(t, "file", before.others, now.others, after.others)
	if !sameCounters(now.counters, before.counters) {
		require.Equal(t, after.counters, now.counters)
	}
	requireTexts(t, before, now, after)
	for name := range now.paths {
		require.True(t, before.paths[name] || isKnownFile(name) || isTemp(name), "%s is in the store's directory", name)
	}
}

// requireTexts requires every full text from before that is also there after, and a file of every
// memory.
func requireTexts(t *testing.T, before, now, after facts) {
	t.Helper()
	for id, texts := range before.full {
		for _, text := range texts {
			require.True(t, slices.Contains(now.full[id], text) || !slices.Contains(after.full[id], text),
				"a text of %q is gone: %q", before.topics[id], text)
		}
	}
	for id, topic := range before.topics {
		if _, stays := after.topics[id]; stays {
			require.Contains(t, now.topics, id, "the file of %q is gone", topic)
		}
	}
}

func sameCounters(a, b counters) bool {
	one, err := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(one) == string(other)
}

func requireOneOf[V comparable](t *testing.T, what string, before, now, after map[string]V) {
	t.Helper()
	for name, v := range now {
		b, inBefore := before[name]
		a, inAfter := after[name]
		require.True(t, inBefore && v == b || inAfter && v == a, "%s %q is %v, not %v nor %v", what, name, v, b, a)
	}
	for name := range before {
		if _, stays := after[name]; stays {
			require.Contains(t, now, name, what)
		}
	}
}

// requireDone requires the state after an acknowledged operation.
func requireDone(t *testing.T, now, after facts) {
	t.Helper()
	requireSameFiles(t, now, after)
	require.Equal(t, after.others, now.others)
	require.Equal(t, after.counters, now.counters)
	require.Equal(t, after.accesses, now.accesses)
	require.Equal(t, after.phases, now.phases)
}

// sameFiles reports whether two projects have the same memories and archives.
func sameFiles(a, b facts) bool {
	return maps.Equal(a.memories, b.memories) && maps.Equal(a.archives, b.archives)
}

func requireSameFiles(t *testing.T, now, after facts) {
	t.Helper()
	require.Equal(t, after.memories, now.memories)
	require.Equal(t, after.archives, now.archives)
	require.Equal(t, after.foreign, now.foreign)
	require.Equal(t, after.bare, now.bare)
	require.Equal(t, after.packets, now.packets)
}

// requireOwn requires that nothing written here counts as foreign. Archives of foreign memories are
// foreign too, and so is a memory with an unresolved merge.
func requireOwn(t *testing.T, before, now facts) {
	t.Helper()
	was := map[string]bool{}
	for name := range before.foreign {
		was[topicOf(name)] = true
	}
	for name := range now.foreign {
		topic := topicOf(name)
		require.True(t, was[topic] || now.memories[topic].Conflicted,
			"%s was written here and counts as foreign", name)
	}
}

// topicOf returns the topic in the name of a foreign memory.
func topicOf(name string) string {
	_, topic, _ := strings.Cut(name, ": ")
	topic, _, _ = strings.Cut(topic, ", version ")
	return topic
}

// isKnownFile reports whether a team shares this file of the store's directory. A clone's own files
// are in another directory.
func isKnownFile(name string) bool {
	return regexp.MustCompile(`^(memories/mem_[0-9a-f]{8}\.md|` +
		`archives/mem_[0-9a-f]{8}(\.[1-9][0-9]*\.[0-9a-f]{8})?\.md|` +
		`packets/(notes/)?[0-9A-Z]{26}\.json|packets/done/[0-9A-Z]{26}\.[0-9]{8}T[0-9]{6}Z|` +
		`config\.json|index\.json|README\.md|\.gitignore|\.gitattributes)$`).MatchString(name)
}

// requireCleanTree requires that git sees only what a team shares, what was in the work tree
// before, and what the operation itself writes.
func requireCleanTree(t *testing.T, p project, before, after facts) {
	t.Helper()
	if !p.inGit() {
		return
	}
	for line := range strings.Lines(p.git("status", "--porcelain", "--untracked-files=all")) {
		name := strings.Trim(strings.TrimSpace(line[2:]), `"`)
		inStore, isStore := strings.CutPrefix(name, ".claude/ltm/")
		_, was := before.others["project/"+name]
		_, will := after.others["project/"+name]
		require.True(t, was || will || isStore && (isKnownFile(inStore) || before.paths[inStore]), "git sees %s", name)
	}
}

// requireWholeJournal requires that each line of the clone's journals is complete, and that the
// copies of files in them match their description.
func requireWholeJournal(t *testing.T, p project) {
	t.Helper()
	for _, name := range []string{"log.jsonl", "undo.jsonl"} {
		data, err := os.ReadFile(filepath.Join(p.own(), name))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		for line := range bytes.Lines(data) {
			require.True(t, len(bytes.TrimSpace(line)) == 0 || json.Valid(line), "%s: %q", name, line)
		}
	}
	kept, err := os.ReadDir(filepath.Join(p.own(), "undo"))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	for _, file := range kept {
		if isTemp(file.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.own(), "undo", file.Name()))
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		require.Equal(t, hex.EncodeToString(sum[:]), file.Name())
	}
}

// requireServed requires that a new process finds and shows what the files contain, whatever the
// caches contain.
func requireServed(t *testing.T, p project, now facts) {
	t.Helper()
	e := engine.New(engine.Options{Store: store.New(p.places(), time.Now), Version: "torture", Now: time.Now,
		LockWait: time.Second})
	ctx := context.Background()
	list, err := e.List(ctx, api.ListFilter{Limit: 1000})
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, entry := range list.Memories {
		m, ok := now.memories[entry.Topic]
		require.True(t, ok, "%q is listed and does not exist", entry.Topic)
		shown[entry.Topic] = true
		d, err := e.Peek(ctx, string(entry.ID))
		require.NoError(t, err)
		if d.Importance != "" { // which files have as a tag
			d.Tags = append(d.Tags, "importance:"+string(d.Importance))
		}
		require.Equal(t, text{now.phases[entry.Topic], m.Summary, m.Content, "", m.Difficulty, "", m.Conflicted},
			text{d.Phase, d.Summary, d.Content, "", d.Difficulty, "", d.Conflicted})
		require.ElementsMatch(t, strings.Fields(m.Tags), d.Tags)
	}
	for _, topic := range now.topics {
		require.Equal(t, now.phases[topic].Active() && !now.hidden[topic], shown[topic], "%q is listed", topic)
		include := api.IncludeActive
		if !shown[topic] {
			include = api.IncludeArchives
		}
		if now.memories[topic].Reason == memory.ReasonErased {
			continue
		}
		found, err := e.Recall(ctx, api.Query{Text: topic, Limit: 100, Include: include})
		require.NoError(t, err)
		require.Contains(t, topicsOf(found), topic)
	}
}

func topicsOf(r api.Recall) []string {
	var topics []string
	for _, h := range r.Memories {
		topics = append(topics, h.Topic)
	}
	return topics
}
