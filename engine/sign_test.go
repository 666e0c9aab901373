package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/settings"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/store/signing"
)

// keyring has keys, and counts how often they are asked for.
type keyring struct {
	keys  []signing.Key // the first is the current one
	asked int
	home  signing.Verdict // "" for Valid
}

func (p *keyring) Current() (signing.Key, bool) {
	if len(p.keys) == 0 {
		return signing.Key{}, false
	}
	return p.keys[0], true
}

func (p *keyring) Secrets() []signing.Key {
	p.asked++
	return p.keys
}

func (p *keyring) Allowed() signing.Allowed { return nil }

func (p *keyring) Home(string) signing.Verdict { return cmp.Or(p.home, signing.Valid) }

func secret(t testing.TB, b byte) signing.Key {
	t.Helper()
	k, err := signing.NewKey(bytes.Repeat([]byte{b, 77}, signing.SecretBytes/2))
	require.NoError(t, err)
	return k
}

// with is another process on the same store, of a person with keys.
func (f *fixture) with(p *keyring, clone string, hurried bool) *fixture {
	places := f.places
	if clone != "" && clone != places.Clone {
		places.Clone, places.Tree, places.Key, places.Local = clone, clone, clone+"/trust.key", false
	}
	other := *f
	other.places = places
	clock := func() time.Time { return f.now }
	other.Engine = engine.New(engine.Options{Store: store.New(places, clock), Version: "test", Now: clock,
		Random: new(counter), LockWait: patience, Next: hooks.NextSteps().Line, Signer: p, Hurried: hurried})
	return &other
}

func (f *fixture) verdict(id memory.ID) api.Signature {
	f.t.Helper()
	r, err := f.Signatures(f.ctx, []string{string(id)})
	require.NoError(f.t, err)
	return r.Memories[0]
}

func (f *fixture) text(id memory.ID) string {
	f.t.Helper()
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(f.t, err)
	return string(data)
}

func (f *fixture) put(id memory.ID, text string) {
	f.t.Helper()
	require.NoError(f.t, os.WriteFile(f.memoryFile(id), []byte(text), 0o644))
}

// signed is a store with a memory that was signed, and a second clone of a person with the same key
// that has not seen it yet.
func signed(t *testing.T) (author, reader *fixture, id memory.ID) {
	t.Helper()
	f := newEngine(t)
	author = f.with(&keyring{keys: []signing.Key{secret(t, 1)}}, "", false)
	reader = f.with(&keyring{keys: []signing.Key{secret(t, 1)}}, t.TempDir(), false)
	id = author.remember("The pool", "It holds 50 connections.\n\nNot 5.", 0.5, "database")
	return author, reader, id
}

// TestWhatOthersChangeInASignedFile changes the file of a signed memory in every way that another
// program or person might.
func TestWhatOthersChangeInASignedFile(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("%q is not in %s", old, s)
			}
			return strings.Replace(s, old, new, 1)
		}
	}
	add := func(line string) func(string) string { return replace("\nphase: 0\n", "\nphase: 0\n"+line+"\n") }
	strip := func(s string) string {
		var kept []string
		for line := range strings.Lines(s) {
			if !strings.HasPrefix(line, "signature:") {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	}
	for name, c := range map[string]struct {
		change func(string) string
		want   signing.Verdict
	}{
		"nothing":                {func(s string) string { return s }, signing.Valid},
		"topic":                  {replace("The pool", "A pool"), signing.Altered},
		"content":                {replace("Not 5.", "Not 50."), signing.Altered},
		"summary":                {replace("## Summary\nIt", "## Summary\nit"), signing.Altered},
		"created_at":             {replace("created_at: \"2", "created_at: \"3"), signing.Altered},
		"kind":                   {add("kind: emotional"), signing.Altered},
		"confidence":             {add("confidence: 0.2"), signing.Altered},
		"confidence of 1":        {add("confidence: 1"), signing.Valid},
		"supersedes":             {add("supersedes: [mem_0000000a]"), signing.Altered},
		"disputes":               {add("disputes: [mem_0000000a]"), signing.Altered},
		"importance":             {replace("  - database", "  - importance:critical"), signing.Altered},
		"tags":                   {replace("  - database", "  - postgres\n  - tuning"), signing.Valid},
		"difficulty":             {replace("difficulty: 0.5", "difficulty: 0.9"), signing.Valid},
		"an unknown key":         {add("owner: me # a comment"), signing.Valid},
		"related":                {add("related: [mem_0000000a]"), signing.Valid},
		"phase alone":            {replace("phase: 0", "phase: 1"), signing.Unproven},
		"line ends":              {func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, signing.Valid},
		"a byte order mark":      {func(s string) string { return "\ufeff" + s }, signing.Valid},
		"blank lines at the end": {func(s string) string { return s + "\n\n" }, signing.Valid},
		"no headings": {func(s string) string {
			return strings.NewReplacer("## Summary\nIt holds 50 connections.\n\n", "", "## Content\n", "").Replace(s)
		}, signing.Valid},
		"a look-alike letter": {replace("holds", "h\u043elds"), signing.Altered},
		"an invisible letter": {replace("holds", "ho\u200blds"), signing.Altered},
		"signature stripped":  {strip, signing.None},
		"signature huge":      {replace("signature: \"", "signature: \""+strings.Repeat("v", 9000)), signing.None},
		"signature twice":     {add("signature: \"v1:x:y\""), signing.None},
		"signature of nobody": {replace("signature: \"v1:", "signature: \"v9:"), signing.Malformed},
		"another fingerprint": {
			replace("\"v1:"+secret(t, 1).Fingerprint(), "\"v1:0123456789abcdef"), signing.UnknownKey},
		"another kind of key": {replace("signature: \"v1:", "signature: \"v2:"), signing.Malformed},
		"a merge conflict": {
			replace("Not 5.", "<<<<<<< HEAD\nNot 5.\n=======\nNot 6.\n>>>>>>> b"), signing.Unproven},
	} {
		t.Run(name, func(t *testing.T) {
			author, reader, id := signed(t)
			author.put(id, c.change(author.text(id)))
			got := reader.verdict(id)
			require.Equal(t, string(c.want), got.Verdict)
			require.Equal(t, c.want == signing.Valid, got.Trusted)
			block := reader.start("s")
			require.Equal(t, c.want == signing.Altered, strings.Contains(block, "altered after signing"), block)
			require.Equal(t, c.want != signing.Valid && c.want != signing.Altered,
				strings.Contains(block, "from elsewhere") || strings.Contains(block, "None of it was written"), block)
			check, err := reader.Check(reader.ctx)
			require.NoError(t, err)
			altered := strings.Contains(fmt.Sprint(check.Problems), "altered after signing")
			require.Equal(t, c.want == signing.Altered, altered)

			reader.set("trust", settings.TrustAsk, settings.Clone)
			require.Equal(t, c.want != signing.Valid, strings.Contains(reader.start("t"), "held back"))
			_, err = reader.Approve(reader.ctx, []string{string(id)})
			require.NoError(t, err)
			require.True(t, reader.verdict(id).Trusted, "a person approved these bytes")
			require.NotContains(t, reader.start("u"), "altered")
		})
	}
}

// TestMovedToAnotherID copies a signed memory under another name.
func TestMovedToAnotherID(t *testing.T) {
	author, reader, id := signed(t)
	author.put("mem_0000beef", strings.Replace(author.text(id), string(id), "mem_0000beef", 1))
	require.Equal(t, string(signing.Altered), reader.verdict("mem_0000beef").Verdict)
	author.put("mem_0000cafe", strings.Replace(author.text(id), "id: \""+string(id)+"\"\n", "", 1))
	require.Equal(t, string(signing.Altered), reader.verdict("mem_0000cafe").Verdict, "its file's name is its id")
}

// TestAnOlderSignedTextIsValid because a signature says who wrote a text, not that it is the last one.
func TestAnOlderSignedTextIsValid(t *testing.T) {
	author, reader, id := signed(t)
	before := author.text(id)
	author.update(id, "It holds 60 connections.")
	require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict)
	author.put(id, before)
	require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict)
}

func TestKeysThatChange(t *testing.T) {
	author, reader, id := signed(t)
	both := &keyring{keys: []signing.Key{secret(t, 2), secret(t, 1)}}
	rotated := author.with(both, author.places.Clone, false)
	before := author.text(id)
	rotated.tag(id, "new")
	require.Contains(t, author.text(id), secret(t, 1).Fingerprint(), "what is still valid is not signed again")
	rotated.update(id, "A new text.")
	require.Contains(t, author.text(id), secret(t, 2).Fingerprint())
	require.Equal(t, string(signing.UnknownKey), reader.verdict(id).Verdict)
	require.False(t, reader.verdict(id).Trusted)

	bare := author.with(&keyring{}, author.places.Clone, false)
	bare.tag(id, "newer")
	require.Contains(t, author.text(id), secret(t, 2).Fingerprint(), "it covers what it did")
	bare.update(id, "Unsigned text.")
	require.NotContains(t, author.text(id), "signature", "it would look altered")
	require.True(t, bare.verdict(id).Trusted)
	author.put(id, before)
	require.True(t, bare.verdict(id).Trusted, "known by its hash, without any key")
}

func (f *fixture) tag(id memory.ID, tag string) {
	f.t.Helper()
	_, err := f.Retag(f.ctx, []string{string(id)}, []string{tag}, nil)
	require.NoError(f.t, err)
}

// TestWhatIsSignedWhen follows a memory through changes by its own clone.
func TestWhatIsSignedWhen(t *testing.T) {
	author, reader, id := signed(t)
	valid := func(step string) {
		t.Helper()
		require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict, step)
	}
	valid("stored")
	author.update(id, "New text.")
	valid("updated")
	_, err := author.Pin(author.ctx, []string{string(id)}, memory.Critical)
	require.NoError(t, err)
	valid("pinned")
	before := []byte(author.text(id))
	_, err = author.EditFile(author.ctx, id, before, bytes.Replace(before, []byte("New text."), []byte("Edited."), 1))
	require.NoError(t, err)
	valid("edited")
	_, err = author.Undo(author.ctx, "")
	require.NoError(t, err)
	require.Equal(t, string(before), author.text(id), "undo brings back the very bytes")
	author.forget(id)
	require.NotContains(t, author.text(id), "signature")
	valid("forgotten: its archive is proven")
	author.restore(id)
	valid("restored")

	author.set("sign", settings.SignOff, settings.Clone)
	author.update(id, "Another text.")
	require.NotContains(t, author.text(id), "signature")
}

// TestReducedMemoriesAreProvenByTheirArchives with phases in the files.
func TestReducedMemoriesAreProvenByTheirArchives(t *testing.T) {
	author, reader, id := signed(t)
	author.set("fading", "files", settings.Team)
	author.set("max_memories", "1", settings.Clone)
	author.remember("Another", "About something else.", 1, "importance:important")
	for _, phase := range []memory.Phase{memory.Hint, memory.Abstract} {
		author.evict()
		file, err := memfile.Parse([]byte(author.text(id)))
		require.NoError(t, err)
		require.Equal(t, phase, file.Memory.Phase)
		require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict, phase)
	}
	reduced := author.text(id)
	author.put(id, strings.Replace(reduced, "50 connections", "5 connections", 1))
	require.Equal(t, string(signing.Altered), reader.verdict(id).Verdict, "the shown text")
	author.put(id, strings.Replace(reduced, "The pool", "The tool", 1))
	require.Equal(t, string(signing.Altered), reader.verdict(id).Verdict, "the header")
	author.put(id, reduced)

	_, err := author.Pin(author.ctx, []string{string(id)}, memory.Important)
	require.NoError(t, err)
	require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict, "signed again through the archive")
	archive, err := os.ReadFile(author.archiveFile(id))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(author.archiveFile(id),
		bytes.Replace(archive, []byte("Not 5."), []byte("Not 6."), 1), 0o644))
	require.Equal(t, string(signing.Altered), reader.verdict(id).Verdict, "the archive")
	require.NoError(t, os.Remove(author.archiveFile(id)))
	require.Equal(t, string(signing.Unproven), reader.verdict(id).Verdict)
	r, err := author.Sign(author.ctx, []string{string(id)}, current{secret(t, 1)}, false)
	require.NoError(t, err)
	require.Len(t, r.Refused, 1)
	require.NoError(t, os.WriteFile(author.archiveFile(id), archive, 0o644))
	author.restore(id)
	require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict)
}

// current signs with a key.
type current struct{ key signing.Key }

func (c current) Sign(m memory.Memory, store string) (string, error) {
	return c.key.Sign(m, store), nil
}

func (current) Made(string) bool { return true }

func TestSignRefusesWhatIsNotTrusted(t *testing.T) {
	f := newEngine(t)
	own := f.remember("Own", "Written here.", 0.5)
	f.put("mem_0000beef", "---\nid: mem_0000beef\ntopic: Foreign\n---\nFrom elsewhere.\n")
	keyed := f.with(&keyring{keys: []signing.Key{secret(t, 1)}}, "", false)
	before := f.text(own)
	r, err := keyed.Sign(f.ctx, nil, current{secret(t, 1)}, true)
	require.NoError(t, err)
	require.Len(t, r.Signed, 1)
	require.Len(t, r.Refused, 1)
	require.Equal(t, memory.ID("mem_0000beef"), r.Refused[0].ID)
	require.Equal(t, before, f.text(own), "a dry run")
	r, err = keyed.Sign(f.ctx, nil, current{secret(t, 1)}, false)
	require.NoError(t, err)
	require.Len(t, r.Signed, 1)
	require.Equal(t, string(signing.Valid), keyed.verdict(own).Verdict)
	r, err = keyed.Sign(f.ctx, nil, current{secret(t, 1)}, false)
	require.NoError(t, err)
	require.Empty(t, r.Signed)
	require.Equal(t, 1, r.Kept)
	_, err = keyed.Sign(f.ctx, []string{"mem_00000bad"}, current{secret(t, 1)}, false)
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}

// TestASignatureIsCheckedOnce because the record learns what it proved.
func TestASignatureIsCheckedOnce(t *testing.T) {
	_, reader, id := signed(t)
	keys := &keyring{keys: []signing.Key{secret(t, 1)}}
	hook := func() *fixture { return reader.with(keys, reader.places.Clone, true) }
	require.NotContains(t, hook().start("a"), "elsewhere")
	require.Positive(t, keys.asked)
	asked := keys.asked
	require.NotContains(t, hook().start("b"), "elsewhere")
	require.Equal(t, asked, keys.asked)
	none := reader.with(&keyring{}, reader.places.Clone, true)
	require.NotContains(t, none.start("c"), "elsewhere", "known by its hash")

	_, err := reader.Revoke(reader.ctx, []string{string(id)})
	require.NoError(t, err)
	require.Contains(t, hook().start("d"), "from elsewhere", "a person has the last word")
	require.False(t, reader.verdict(id).Trusted)
	_, err = reader.Approve(reader.ctx, []string{string(id)})
	require.NoError(t, err)
	require.NotContains(t, hook().start("e"), "elsewhere")
}

// TestRequiredSignatures has a team whose clones hold back what has no valid signature.
func TestRequiredSignatures(t *testing.T) {
	author, reader, id := signed(t)
	author.set("sign", settings.SignRequire, settings.Team)
	author.put("mem_0000beef", "---\nid: mem_0000beef\ntopic: Unsigned\n---\nFrom elsewhere.\n")
	block := reader.start("a")
	require.Contains(t, block, "It holds 50 connections.")
	require.Contains(t, block, "1 memory from elsewhere is held back")
	require.NotContains(t, block, "Unsigned")
	text := author.text(id)
	author.put(id, text[:strings.Index(text, "signature:")]+text[strings.Index(text, "---\n\n## Summary"):])
	fresh := author.with(&keyring{keys: []signing.Key{secret(t, 1)}}, t.TempDir(), true)
	require.NotContains(t, fresh.start("a"), "connections", "taking a signature away gains nothing")
	report, err := fresh.Trusted(fresh.ctx)
	require.NoError(t, err)
	require.True(t, report.Required)
	require.True(t, fresh.Withholds(fresh.ctx))

	plain := author.with(&keyring{}, author.places.Clone, false)
	author.put(id, text)
	plain.update(id, "Without a key.")
	require.Contains(t, plain.start("b"), "Without a key.", "what this clone wrote is shown in it")
	check, err := plain.Check(plain.ctx)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(check.Remarks), "other clones hold it back")
	_, err = author.SetConfig(author.ctx, "sign", "off", settings.Clone)
	require.Equal(t, memory.KindSettingStrict, memory.KindOf(err))
	_, err = author.SetConfig(author.ctx, "sign", "off", settings.Team)
	require.Equal(t, memory.KindSettingGuarded, memory.KindOf(err))
}

// TestSignaturesOfAnotherRepository do not count, and none are made that would count there.
func TestSignaturesOfAnotherRepository(t *testing.T) {
	author, _, id := signed(t)
	for _, home := range []signing.Verdict{signing.OtherRoot, signing.Unproven} {
		keys := &keyring{keys: []signing.Key{secret(t, 1)}, home: home}
		reader := author.with(keys, t.TempDir(), false)
		require.Equal(t, string(home), reader.verdict(id).Verdict)
		require.False(t, reader.verdict(id).Trusted)
		require.Contains(t, reader.start("s"), "from elsewhere")
		require.NotContains(t, reader.start("t"), "altered")
		own := reader.remember("Own", fmt.Sprint("Written here: ", home), 0.5)
		require.NotContains(t, reader.text(own), "signature")
		_, err := reader.Sign(reader.ctx, nil, current{secret(t, 1)}, false)
		require.Equal(t, memory.KindSignStore, memory.KindOf(err))
		require.NotContains(t, reader.text(own), "signature")

		_, err = reader.Approve(reader.ctx, []string{string(id)})
		require.NoError(t, err)
		text := reader.text(id)
		reader.update(id, "Changed here.")
		require.NotContains(t, reader.text(id), "signature", "it no longer matches, and no new one is made")
		reader.put(id, text)
	}
}

// TestSignaturesOfAnotherStore are made again in this one, once a person has approved the text.
func TestSignaturesOfAnotherStore(t *testing.T) {
	author, _, id := signed(t)
	text := author.text(id)
	f := newEngine(t)
	reader := f.with(&keyring{keys: []signing.Key{secret(t, 1)}}, "", false)
	reader.remember("Own", "It makes an id for this store.", 0.5)
	reader.put(id, text)
	require.Equal(t, string(signing.OtherStore), reader.verdict(id).Verdict)
	require.False(t, reader.verdict(id).Trusted)
	reader.put(id, strings.Replace(text, "Not 5.", "Not 6.", 1))
	require.Equal(t, string(signing.Altered), reader.verdict(id).Verdict)
	reader.put(id, text)
	_, err := reader.Approve(reader.ctx, []string{string(id)})
	require.NoError(t, err)
	r, err := reader.Sign(reader.ctx, []string{string(id)}, current{secret(t, 1)}, false)
	require.NoError(t, err)
	require.Len(t, r.Signed, 1)
	require.Equal(t, string(signing.Valid), reader.verdict(id).Verdict)
	require.NoError(t, os.Remove(reader.places.Store+"/config.json"))
	require.Equal(t, string(signing.OtherStore), reader.verdict(id).Verdict, "without the id of this store")
}

// TestTwoSignAtOnce ends with one valid signature for each memory.
func TestTwoSignAtOnce(t *testing.T) {
	f := newEngine(t)
	var ids []memory.ID
	for i := range 5 {
		ids = append(ids, f.remember(fmt.Sprint("Topic ", i), fmt.Sprint("Text ", i), 0.5))
	}
	keys := &keyring{keys: []signing.Key{secret(t, 1)}}
	var wait sync.WaitGroup
	for range 4 {
		other := f.with(&keyring{keys: keys.keys}, "", false)
		wait.Go(func() {
			if _, err := other.Sign(context.Background(), nil, current{secret(t, 1)}, false); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, id := range ids {
		require.Equal(t, string(signing.Valid), f.with(keys, "", false).verdict(id).Verdict)
		require.Equal(t, 1, strings.Count(f.text(id), "signature:"))
	}
}
