package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/memory"
)

// letters is a form whose documents begin with its name.
type letters struct{ name string }

func (l letters) Name() string { return l.name }

func (l letters) Recognize(s transfer.Source) bool {
	data := s.Document()
	return len(data) >= len(l.name) && string(data[:len(l.name)]) == l.name
}

func (l letters) Read(s transfer.Source, _ transfer.Here) (transfer.Reading, error) {
	return transfer.Reading{}, transfer.OtherVersion(l.name, string(s.Document()[len(l.name):]), "1", "2")
}

func document(text string) transfer.Source {
	return transfer.Source{Name: "in.json", Files: []transfer.File{{Name: "in.json", Data: []byte(text)}}}
}

func TestRecognize(t *testing.T) {
	forms := []transfer.Form{letters{"abc"}, letters{"ab"}}
	form, err := transfer.Recognize(document("abc 3"), forms)
	require.NoError(t, err)
	require.Equal(t, "abc", form.Name())
	form, err = transfer.Recognize(document("ab"), forms)
	require.NoError(t, err)
	require.Equal(t, "ab", form.Name())
	_, err = transfer.Recognize(document(""), forms)
	require.EqualError(t, err, `"in.json" has none of the known forms: abc, ab`)
	require.Equal(t, memory.KindImportUnknown, memory.KindOf(err))
}

func TestNamed(t *testing.T) {
	forms := []transfer.Form{letters{"abc"}, letters{"ab"}}
	form, err := transfer.Named("ab", forms)
	require.NoError(t, err)
	require.Equal(t, "ab", form.Name())
	_, err = transfer.Named("AB\x1b", forms)
	require.EqualError(t, err, `"AB\x1b" is not a form; allowed: abc, ab`)
}

func TestOtherVersion(t *testing.T) {
	_, err := letters{"ab"}.Read(document("ab9.1"), transfer.Here{})
	require.EqualError(t, err, `version "9.1" of the form ab cannot be read; allowed: 1, 2`)
	require.Equal(t, memory.KindImportVersion, memory.KindOf(err))
}

func TestSourceKnowsItsFiles(t *testing.T) {
	one := document("x")
	require.Equal(t, "x", string(one.Document()))
	dir := transfer.Source{Dir: true, Files: one.Files}
	require.Nil(t, dir.Document())
	require.Equal(t, "x", string(dir.Find("in.json").Data))
	require.Nil(t, dir.Find("out.json"))
}
