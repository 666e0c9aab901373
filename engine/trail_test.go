package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/tools/searcheval/eval"
)

// play is a scripted session: "?" before a question, which comes five seconds after what was before, "=" before one
// that comes at once, "!" before the numbers of memories that are opened, "+" before more seconds that pass.
func (f *fixture) play(e *engine.Engine, ids []memory.ID, steps ...string) {
	f.t.Helper()
	for _, step := range steps {
		switch rest := step[1:]; step[0] {
		case '?', '=':
			if step[0] == '?' {
				f.now = f.now.Add(5 * time.Second)
			}
			_, err := e.Recall(f.ctx, api.Query{Text: rest, Asked: true})
			require.NoError(f.t, err)
		case '+':
			var seconds int
			_, err := fmt.Sscan(rest, &seconds)
			require.NoError(f.t, err)
			f.now = f.now.Add(time.Duration(seconds) * time.Second)
		case '!':
			var opened []string
			for _, digit := range rest {
				opened = append(opened, string(ids[digit-'0']))
			}
			if len(opened) == 1 {
				_, err := e.Get(f.ctx, opened[0])
				require.NoError(f.t, err)
			} else {
				_, err := e.GetMany(f.ctx, opened)
				require.NoError(f.t, err)
			}
		}
	}
	e.CountAccesses(f.ctx)
}

// pools stores memories of which the first four are about pools, and returns their ids.
func (f *fixture) pools() (ids []memory.ID) {
	for _, topic := range []string{"Connection pool size", "Pool of workers", "Pool of buffers", "Pool of threads",
		"Nginx timeouts", "Login cookies"} {
		ids = append(ids, f.remember(topic, topic+" are described here.", 0.5))
	}
	return ids
}

func (f *fixture) learned(id memory.ID) []string {
	f.t.Helper()
	all, err := f.Aliases(f.ctx, string(id))
	require.NoError(f.t, err)
	return all.Learned
}

func TestLearnedAliases(t *testing.T) {
	const asked = "why do requests hang"
	long := strings.Repeat("why does it hang and hang ", 10)
	for name, c := range map[string]struct {
		steps []string
		of    int
		want  []string
	}{
		"asked in vain, then found":  {[]string{"?" + asked, "?connection pool size", "!0"}, 0, []string{asked}},
		"another hit than the first": {[]string{"?" + asked, "?pool", "!3"}, 3, []string{asked}},
		"opened with another":        {[]string{"?" + asked, "?pool", "!31"}, 3, []string{asked}},
		"only the first opened":      {[]string{"?" + asked, "?pool", "!31"}, 1, []string{}},
		"asked twice in vain": {[]string{"?" + asked, "?everything is slow", "?connection pool", "!0"}, 0,
			[]string{asked, "everything is slow"}},
		"with operators": {[]string{"?" + asked + " tag:x -login", "?connection pool", "!0"},
			0, []string{asked}},
		"long":          {[]string{"?" + long, "?connection pool", "!0"}, 0, []string{long[:120]}},
		"found at once": {[]string{"?connection pool", "!0"}, 0, []string{}},
		"found by both": {[]string{"?connection size", "?connection pool", "!0"}, 0, []string{}},
		"the same words": {[]string{"?hang requests why", "?" + asked, "?connection pool", "!0"},
			0, []string{"hang requests why", asked}},
		"opened without asking":   {[]string{"!0"}, 0, []string{}},
		"opened what neither has": {[]string{"?" + asked, "?connection pool size", "!4"}, 4, []string{}},
		"opened before": {[]string{"?" + asked, "?login cookies", "!5", "?connection pool", "!0"},
			0, []string{}},
		"too many opened":       {[]string{"?" + asked, "?pool", "!0123"}, 0, []string{}},
		"answered, and went on": {[]string{"?login cookies", "?connection pool", "!0"}, 0, []string{}},
		"answered by its words": {[]string{"?login cookies", "?login connection pool", "!0"}, 0, []string{}},
		"asked too late":        {[]string{"?" + asked, "+116", "?connection pool", "!0"}, 0, []string{}},
		"asked in time":         {[]string{"?" + asked, "+115", "?connection pool", "!0"}, 0, []string{asked}},
		"opened too late":       {[]string{"?" + asked, "?connection pool", "+596", "!0"}, 0, []string{}},
		"opened in time":        {[]string{"?" + asked, "?connection pool", "+595", "!0"}, 0, []string{asked}},
		"asked in one go":       {[]string{"?" + asked, "=connection pool", "!0"}, 0, []string{}},
		"a shared word": {[]string{"?pool slow jam stuck", "?pool of threads", "!3"}, 3,
			[]string{"pool slow jam stuck"}},
		"a word of the memory": {[]string{"?pool slow jam stuck", "?threads", "!3"}, 3,
			[]string{"pool slow jam stuck"}},
		"nothing in common": {[]string{"?cookies slow jam stuck", "?threads", "!3"}, 3, []string{}},
		"one guess in a session": {[]string{"?" + asked, "?connection pool", "!0", "?slow jam", "?nginx timeouts",
			"!4"}, 4, []string{}},
		"one memory for a question": {[]string{"?" + asked, "?pool", "!0", "!3"}, 3, []string{}},
		"nothing but stop words":    {[]string{"?what is it", "?connection pool", "!0"}, 0, []string{}},
		"a credential":              {[]string{"?what is " + token(), "?connection pool", "!0"}, 0, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			ids := f.pools()
			f.play(f.Engine, ids, c.steps...)
			require.Equal(t, c.want, f.learned(ids[c.of]))
		})
	}
}

// TestLearnedAliasesFindTheMemory asks the first question again, in this process and in another.
func TestLearnedAliasesFindTheMemory(t *testing.T) {
	f := newEngine(t)
	ids := f.pools()
	finds := func(e *engine.Engine, question string) []string {
		return f.recalled(e, api.Query{Text: question})
	}
	require.Empty(t, finds(f.Engine, "why do requests hang"))
	f.play(f.Engine, ids, "?why do requests hang", "?connection pool size", "!0")
	other := f.reopen(new(counter))
	for range 2 {
		require.Equal(t, []string{"Connection pool size"}, finds(f.Engine, "requests hanging"))
		require.Equal(t, []string{"Connection pool size"}, finds(other, "requests hanging"))
	}
	files, err := filepath.Glob(filepath.Join(f.dir, "memories", "*"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(data), "hang", "it is the clone's own")
	}
	found, err := f.Recall(f.ctx, api.Query{Text: "requests hanging", Explain: true})
	require.NoError(t, err)
	require.Equal(t, "why do requests hang", found.Memories[0].Learned)
	require.Empty(t, found.Memories[0].Alias)
	found, err = f.Recall(f.ctx, api.Query{Text: "connection requests"})
	require.NoError(t, err)
	require.Empty(t, found.Memories[0].Learned, "only where it is explained")
	_, err = f.Realias(f.ctx, string(ids[0]), nil, []string{"WHY do requests hang"})
	require.NoError(t, err)
	require.Empty(t, f.learned(ids[0]))
	require.Empty(t, finds(f.Engine, "requests hanging"))
	require.Empty(t, finds(other, "requests hanging"))

	f.play(f.Engine, ids, "?why do requests hang", "?connection pool size", "!0")
	require.NotEmpty(t, f.learned(ids[0]))
	f.put(ids[0], strings.Replace(f.text(ids[0]), "phase:", "aliases: [a, b, c, d, e, f, g, h, i, j]\nphase:", 1))
	_, err = f.Realias(f.ctx, string(ids[0]), nil, []string{"why do requests hang"})
	require.NoError(t, err, "whatever the file has")
	require.Empty(t, f.learned(ids[0]))

	f.set("learn_aliases", "off", settings.Clone)
	f.play(f.Engine, ids, "?why do requests hang", "?connection pool size", "!0")
	require.Empty(t, f.learned(ids[0]))
	_, err = f.SetConfig(f.ctx, "learn_aliases", "off", settings.Team)
	require.Equal(t, memory.KindSettingOwn, memory.KindOf(err))
}

func TestLearnedAliasesAreFew(t *testing.T) {
	f := newEngine(t)
	ids := f.pools()
	var asked []string
	for i := range 12 { // processes
		e := f.reopen(new(counter))
		var steps []string
		for j := range 5 {
			asked = append(asked, strings.Repeat(string(rune('a'+i)), 4)+strings.Repeat(string(rune('n'+j)), 4))
			steps = append(steps, "?"+asked[len(asked)-1], "?connection pool", "!0")
		}
		f.play(e, ids, steps...)
		asked = asked[:len(asked)-2] // only three count
	}
	require.Equal(t, asked[len(asked)-8:], f.learned(ids[0]))
}

// TestHostileSession teaches a memory all the words of the questions about a store, in as many sessions as it takes.
// It must not come before the answers of questions that it was not asked.
func TestHostileSession(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "search", "memories.json"))
	require.NoError(t, err)
	task, err := eval.Parse(data)
	require.NoError(t, err)
	f := newEngine(t)
	known := map[string]string{} // ids of the task by topic
	for _, d := range task.Docs {
		r, err := f.Remember(f.ctx, api.Draft{Topic: d.Topic, Content: d.Content, Tags: d.Tags})
		require.NoError(t, err)
		known[string(r.ID)] = d.ID
	}
	bad := f.remember("Zweckentfremdung", "Nothing at all.", 0.5)
	first := func() (right, hostile int) {
		for _, q := range task.Questions {
			r, err := f.Recall(f.ctx, api.Query{Text: q.Text, Limit: 1})
			require.NoError(t, err)
			if len(r.Memories) == 0 || len(q.Relevant) == 0 {
				continue
			}
			if slices.Contains(q.Relevant, known[string(r.Memories[0].ID)]) {
				right++
			}
			if r.Memories[0].ID == bad {
				hostile++
			}
		}
		return right, hostile
	}
	before, none := first()
	require.Zero(t, none)

	counts := map[string]int{}
	for _, q := range task.Questions {
		for _, w := range strings.Fields(strings.ToLower(q.Text)) {
			if w = strings.Trim(w, `?!.,:;"'()`); len(w) > 3 {
				counts[w]++
			}
		}
	}
	words := make([]string, 0, len(counts))
	for w := range counts {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i := 0; i < 8; i++ { // the most common words of all questions, as many as eight aliases hold
		text := strings.Join(words[i*15:(i+1)*15], " ")
		f.play(f.reopen(new(counter)), []memory.ID{bad}, "?"+text[:min(len(text), 119)],
			"?zweckentfremdung "+strings.Join(words[i*15:i*15+3], " "), "!0")
	}
	require.Len(t, f.learned(bad), 8)
	after, hostile := first()
	t.Logf("right first answers: %d before, %d after; the hostile memory is first for %d of %d", before, after, hostile,
		len(task.Questions))
	require.LessOrEqual(t, hostile, 2)
	require.GreaterOrEqual(t, after, before-2)
}

// TestNothingIsLearnedFromElsewhere opens memories that were not approved, in the project and of the person.
func TestNothingIsLearnedFromElsewhere(t *testing.T) {
	const asked = "why do requests hang"
	f := newEngine(t)
	ids := f.pools()
	_, err := f.Revoke(f.ctx, []string{string(ids[0])})
	require.NoError(t, err)
	f.play(f.Engine, ids, "?"+asked, "?connection pool size", "!0")
	require.Empty(t, f.learned(ids[0]))
	_, err = f.Approve(f.ctx, []string{string(ids[0])})
	require.NoError(t, err)
	f.play(f.Engine, ids, "?"+asked, "?connection pool size", "!0")
	require.Equal(t, []string{asked}, f.learned(ids[0]))

	p := newPerson(t)
	own, err := p.model.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	open := func() []string {
		s := person.NewShelves(f.reopen(new(counter)), p.model, nil)
		for _, text := range []string{asked, "tabs"} {
			f.now = f.now.Add(5 * time.Second)
			_, err = s.Recall(f.ctx, api.Query{Text: text, Asked: true, Scope: api.ScopeAll})
			require.NoError(t, err)
		}
		_, err = s.Get(f.ctx, string(own.ID))
		require.NoError(t, err)
		all, err := p.mine.Aliases(f.ctx, string(own.ID))
		require.NoError(t, err)
		return all.Learned
	}
	_, err = f.Realias(f.ctx, string(ids[0]), nil, []string{asked})
	require.NoError(t, err)
	require.Empty(t, open())
	_, err = p.mine.Approve(f.ctx, []string{string(own.ID)})
	require.NoError(t, err)
	require.Equal(t, []string{asked}, open())
}

func TestLearnedAliasesInStats(t *testing.T) {
	f := newEngine(t)
	ids := f.pools()
	f.play(f.Engine, ids, "?why do requests hang", "?connection pool size", "!0")
	data, err := os.ReadFile(f.own("stats.json"))
	require.NoError(t, err)
	var stats struct {
		Memories map[memory.ID]struct{ Learned []string }
	}
	require.NoError(t, json.Unmarshal(data, &stats))
	require.Equal(t, []string{"why do requests hang"}, stats.Memories[ids[0]].Learned)
	require.Equal(t, 1, strings.Count(string(data), "learned"), "only where there is something")
}
