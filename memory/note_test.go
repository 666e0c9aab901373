package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// TestNotesAreOneText has the JSON form of answers: a string, or nothing.
func TestNotesAreOneText(t *testing.T) {
	type answer struct {
		Note memory.Note `json:"note,omitempty"`
		Must memory.Note `json:"must"`
	}
	for _, tt := range []struct {
		note memory.Note
		want string
	}{
		{nil, `{"must":""}`},
		{memory.Say("one"), `{"note":"one","must":"one"}`},
		{append(memory.Say("one", ""), memory.Remark{Kind: memory.KindRemarks, Text: "two"}),
			`{"note":"one; two","must":"one; two"}`},
	} {
		data, err := json.Marshal(answer{tt.note, tt.note})
		require.NoError(t, err)
		require.Equal(t, tt.want, string(data))
		var back answer
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, tt.note.String(), back.Must.String())
		require.Equal(t, back.Note, back.Must)
	}
	require.False(t, memory.Say("one").Advises())
	require.True(t, memory.Advise(memory.KindRemarks, "", "").Advises())
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		code memory.Code
		kind memory.Kind
		want bool
	}{
		{memory.CodeInvalid, memory.KindTopicEmpty, true}, {memory.CodeNotFound, memory.KindMemoryUnknown, true},
		{memory.CodeConflict, memory.KindDuplicate, true}, {memory.CodeSecret, memory.KindTextSecret, true},
		{memory.CodeBusy, memory.KindLockHeld, true}, {memory.CodeUnreadable, memory.KindRewriteFails, true},
		{memory.CodeStorage, memory.KindLinkOut, true}, {memory.CodeStorage, memory.KindSetupDisk, true},
		{memory.CodeStorage, memory.KindSetupHalf, false}, {memory.CodeStorage, memory.KindDiskFull, false},
		{memory.CodeStorage, memory.KindCountersFailed, false}, {memory.CodeConflict, memory.KindVersionNewer, false},
		{memory.CodeUnreadable, memory.KindFileDamaged, false}, {memory.CodeBusy, memory.KindSearchStopped, false},
	} {
		err := memory.NewError(tt.code, tt.kind, "", "no")
		require.Equal(t, tt.want, memory.Refused(err), tt.kind)
		require.Equal(t, tt.want, memory.Refused(fmt.Errorf("around: %w", err)), tt.kind)
		require.Equal(t, tt.kind, memory.KindOf(errors.Join(err)))
	}
	require.False(t, memory.Refused(nil))
	require.False(t, memory.Refused(errors.New("odd")))
	require.Empty(t, memory.KindOf(errors.New("odd")))
}
