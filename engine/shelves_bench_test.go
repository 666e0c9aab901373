package engine_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/internal/stopwatch"
	"ltm/memory/api"
	"ltm/store"
)

// shelfOf is the person's store with the memories of a fixture.
func shelfOf(b *testing.B, f *fixture) *engine.Engine {
	b.Helper()
	s := store.New(store.Places{Store: f.dir, Tree: f.places.Tree, Clone: f.places.Clone,
		Key: filepath.Join(b.TempDir(), "trust.key"), Local: true, Named: true, Own: true}, time.Now)
	s.Serve()
	e := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: new(counter),
		LockWait: patience, ToModel: true})
	require.NoError(b, e.Warm(f.ctx))
	return e
}

// BenchmarkShelfRatios measures a running server with 1,000 memories of a project, with and without
// 1,000 of the person beside them, all approved.
func BenchmarkShelfRatios(b *testing.B) {
	f, own := filled(b, 1000), filled(b, 1000)
	shelf := shelfOf(b, own)
	_, err := shelf.ApproveAll(own.ctx)
	require.NoError(b, err)
	e := f.server(b)
	alone, both := person.NewShelves(e, nil, nil), person.NewShelves(e, shelf, nil)
	s := stopwatch.Stopwatch{}
	ask := func(name string, e *person.Shelves, text string) {
		s.Time(name, func() {
			_, err := e.Recall(f.ctx, api.Query{Text: text})
			require.NoError(b, err)
		})
	}
	for b.Loop() {
		for name, text := range map[string]string{"rare": "makes", "three": "learned about detail",
			"question": "why does the scheduler drop the last job of a batch?", "none": "kubernetes zebra"} {
			ask(name+"-alone", alone, text)
			ask(name+"-both", both, text)
		}
	}
	reportRatios(b, s, [][2]string{{"rare-both", "rare-alone"}, {"three-both", "three-alone"},
		{"question-both", "question-alone"}, {"none-both", "none-alone"}})
}
