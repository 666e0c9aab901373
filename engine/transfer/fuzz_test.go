package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/memory"
)

// FuzzOwn reads any bytes as a document of ltm's own form. What is taken is written again as a
// document that gives the same.
func FuzzOwn(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := document(string(data))
		r, err := transfer.Own{}.Read(s, transfer.Here{})
		if err != nil {
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
			return
		}
		o := options()
		o.SkipBad = true
		shelf := newShelf()
		p, err := transfer.NewPlan(transfer.Prepare("ltm", "in", r, o), shelf, o)
		require.NoError(t, err)
		require.NoError(t, p.Err())
		shelf.Apply(t, p)
		once, err := transfer.WriteOwn(shelf.Records())
		require.NoError(t, err)
		if len(shelf.Records()) == 0 {
			return
		}
		require.True(t, transfer.Own{}.Recognize(document(string(once))))
		r, err = transfer.Own{}.Read(document(string(once)), transfer.Here{})
		require.NoError(t, err)
		for _, item := range r.Items {
			require.NoError(t, item.Err)
		}
		other := newShelf()
		p, err = transfer.NewPlan(transfer.Prepare("ltm", "in", r, options()), other, options())
		require.NoError(t, err)
		if p.Err() == nil {
			other.Apply(t, p)
			twice, err := transfer.WriteOwn(other.Records())
			require.NoError(t, err)
			require.Equal(t, string(once), string(twice))
		}
	})
}
