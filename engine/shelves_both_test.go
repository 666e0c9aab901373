package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// TestStoresShareNoID has both stores draw the same numbers.
func TestStoresShareNoID(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	same := new(counter)
	*same = 1 << 16 // as those of the person's
	s := person.NewShelves(f.reopen(same), p.mine, nil)
	theirs, err := s.Remember(f.ctx, api.Draft{Topic: "The pool", Content: "It holds 50 connections."})
	require.NoError(t, err)
	mine, err := s.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere.", Scope: api.ScopeUser})
	require.NoError(t, err)
	require.NotEqual(t, theirs.ID, mine.ID)
	d, err := s.Get(f.ctx, string(mine.ID))
	require.NoError(t, err)
	require.Equal(t, "Tabs", d.Topic)
}

// TestTextsOfBothStoresFitTogether asks for more text than one answer may have.
func TestTextsOfBothStoresFitTogether(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	s := person.NewShelves(f.Engine, p.mine, nil)
	var ids []string
	for _, d := range []api.Draft{{Topic: "one", Content: strings.Repeat("a ", 20<<10)},
		{Topic: "two", Content: strings.Repeat("b ", 20<<10), Scope: api.ScopeUser},
		{Topic: "three", Content: "short", Scope: api.ScopeUser}} {
		r, err := s.Remember(f.ctx, d)
		require.NoError(t, err)
		ids = append(ids, string(r.ID))
	}
	got, err := s.GetMany(f.ctx, ids)
	require.NoError(t, err)
	require.NoError(t, got[0].Err)
	require.Equal(t, memory.KindTooLongTogether, memory.KindOf(got[1].Err))
	require.Empty(t, got[1].Detail.Content)
	require.NoError(t, got[2].Err)
	got, err = s.GetMany(f.ctx, ids[1:])
	require.NoError(t, err)
	require.NoError(t, got[0].Err, "the first is whole")
}

// TestEitherStoreWithholds sets trust in one store and then in the other.
func TestEitherStoreWithholds(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	s := person.NewShelves(f.Engine, p.mine, nil)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	require.False(t, s.Withholds(f.ctx))
	_, err := p.mine.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	require.False(t, s.Withholds(f.ctx))
	_, err = p.mine.SetConfig(f.ctx, "trust", "ask", settings.Clone)
	require.NoError(t, err)
	require.True(t, s.Withholds(f.ctx))
	_, err = p.mine.SetConfig(f.ctx, "trust", "mark", settings.Clone)
	require.NoError(t, err)
	_, err = f.SetConfig(f.ctx, "trust", "ask", settings.Clone)
	require.NoError(t, err)
	require.True(t, s.Withholds(f.ctx))
}
