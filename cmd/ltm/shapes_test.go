package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"ltm/engine/change"
	"ltm/engine/transfer"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/tests/golden"
)

// answers lists every command that prints JSON: what it prints, and calls of it that
// do. NAME and OLD stand for a memory and for one that is only in the archives.
func answers() map[string]struct {
	value any
	calls []string
} {
	type answer = struct {
		value any
		calls []string
	}
	return map[string]answer{
		"correct":  {api.Receipt{}, []string{"correct OLD text"}},
		"remember": {api.Receipt{}, []string{"remember Another content"}},
		"recall": {api.Recall{}, []string{"recall pool", "recall --all --explain pool",
			"recall nothing-like-it"}},
		"list":        {api.Listing{}, []string{"list", "list --all", "list --archives"}},
		"list --long": {authoredListing{}, []string{"list --long", "list --long --all"}},
		"show":        {authoredDetail{}, []string{"show NAME", "show --archives OLD"}},
		"update":      {api.Receipt{}, []string{"update NAME --tag db,pool"}},
		"edit":        {api.Receipt{}, []string{"edit NAME"}},
		"pin":         {receiptList{}, []string{"pin NAME --as important"}},
		"unpin":       {receiptList{}, []string{"unpin NAME"}},
		"forget":      {api.Forgotten{}, []string{"forget NAME"}},
		"restore":     {api.Receipt{}, []string{"restore NAME"}},
		"write": {written{}, []string{"write --goal Go --next Look --tried x;failed",
			"write --from a.json --dry-run"}},
		"resume":          {api.Resumption{}, []string{"resume", "resume PACKET --max-chars 4000"}},
		"packet":          {api.PacketList{}, []string{"packet"}},
		"packet ls":       {api.PacketList{}, []string{"packet ls", "packet ls --all --tag none"}},
		"packet search":   {api.PacketList{}, []string{"packet search queue"}},
		"packet show":     {shownPacket{}, []string{"packet show PACKET"}},
		"packet chain":    {packetChain{}, []string{"packet chain PACKET"}},
		"packet done":     {api.PacketReceipt{}, []string{"packet done PACKET", "packet done PACKET --undo"}},
		"packet keep":     {api.PacketReceipt{}, []string{"packet keep PACKET"}},
		"packet rm":       {api.PacketReceipt{}, []string{"packet rm PACKET --yes"}},
		"packet diff":     {packetDiff{}, []string{"packet diff a.json b.json"}},
		"packet validate": {validated{}, []string{"packet validate a.json", "packet validate notes.json"}},
		"packet fix":      {fixedPacket{}, []string{"packet fix a.json"}},
		"resolve":         {api.Receipt{}, []string{"resolve mem_0000000a --ours"}},
		"archives":        {api.ArchiveRecall{}, []string{"archives", "archives pool"}},
		"archives list":   {api.Listing{}, []string{"archives list"}},
		"archives prune": {api.PruneReport{}, []string{"archives prune --dry-run OLD",
			"archives prune --dry-run --older-than 1h"}},
		"status":          {statusReport{}, []string{"status"}},
		"check":           {api.CheckReport{}, []string{"check"}},
		"check --secrets": {api.SecretsReport{}, []string{"check --secrets"}},
		"fix":             {api.FixReport{}, []string{"fix --dry-run"}},
		"evict":           {api.EvictionReport{}, []string{"evict --dry-run"}},
		"achievements":    {api.Achievements{}, []string{"achievements --all --dry-run"}},
		"review":          {api.Review{}, []string{"review"}},
		"tidy":            {api.Tidying{}, []string{"tidy"}},
		"tidy --merge":    {api.Receipt{}, []string{}},
		"fade":            {api.EvictionReport{}, []string{"fade --dry-run"}},
		"config": {settingList{}, []string{"config", "config max_memories", "config max_memories 90",
			"config --reset max_memories"}},
		"version": {versionReport{}, []string{"version"}},
		"export":  {change.Exported{}, []string{"export out.json"}},
		"import": {transfer.Plan{}, []string{"import notes.json", "import notes.json --dry-run",
			"import notes.json --skip-bad"}},
		"undo":               {api.Undone{}, []string{"undo NAME"}},
		"user":               {api.Shelf{}, []string{"user"}},
		"undo --list":        {memory.UndoList{}, []string{"undo --list"}},
		"context":            {api.Context{}, []string{"context", "context --style compact"}},
		"graph":              {api.Graph{}, []string{"graph", "graph NAME"}},
		"stats":              {api.Statistics{}, []string{"stats"}},
		"why":                {api.Why{}, []string{"why NAME"}},
		"log":                {memory.History{}, []string{"log"}},
		"history":            {api.Past{}, []string{"history NAME"}},
		"diff":               {diffReport{}, []string{"diff NAME"}},
		"show ID ID":         {memoryList{}, []string{"show NAME NAME"}},
		"forget ID ID":       {forgottenList{}, []string{"forget NAME NAME"}},
		"restore ID ID":      {receiptList{}, []string{"restore NAME NAME"}},
		"alias":              {api.Aliases{}, []string{"alias NAME", "alias NAME add other"}},
		"tag":                {tagReport{}, []string{"tag"}},
		"tag list":           {tagReport{}, []string{"tag list"}},
		"tag add":            {receiptList{}, []string{"tag add x NAME"}},
		"tag rm":             {receiptList{}, []string{"tag rm x NAME"}},
		"tag rename":         {receiptList{}, []string{"tag rename x y NAME"}},
		"trust":              {authoredTrust{}, []string{"trust", "trust NAME"}},
		"init":               {initReport{}, []string{"init --dry-run"}},
		"doctor":             {doctorReport{}, []string{"doctor"}},
		"key":                {keyList{}, []string{"key"}},
		"key list":           {keyList{}, []string{"key list"}},
		"key new":            {keyFacts{}, []string{"key new"}},
		"key show":           {keyFacts{}, []string{"key show"}},
		"key import":         {keyFacts{}, []string{"key import KEYFILE"}},
		"key use":            {keyFacts{}, []string{"key use KEY"}},
		"key rm":             {keyFacts{}, []string{"key rm KEY --yes"}},
		"sign":               {api.SignReport{}, []string{"sign", "sign --dry-run"}},
		"verify-signature":   {api.SignatureReport{}, []string{"verify-signature"}},
		"stale":              {api.StaleReport{}, []string{"stale", "stale --all"}},
		"verify":             {api.VerifyReport{}, []string{"verify NAME"}},
		"push":               {pushReceipt{}, []string{"push", "push PACKET -t harbor"}},
		"push --queued":      {queueReport{}, []string{"push --queued"}},
		"pull":               {api.PacketReceipt{}, []string{"pull REMOTEPACKET"}},
		"save":               {saveReceipt{}, []string{"save --goal Go --next Look", "save --from a.json"}},
		"packet rm --remote": {pushReceipt{}, []string{"packet rm --remote REMOTEPACKET --yes"}},
		"packet ls --remote": {remoteList{}, []string{"packet ls --remote", "packet search --remote --tag x queue"}},
		"auth":               {hostFacts{}, []string{"auth SERVER"}},
		"auth whoami":        {hostFacts{}, []string{"auth whoami"}},
		"auth ls":            {hostList{}, []string{"auth ls"}},
		"auth use":           {hostFacts{}, []string{"auth use SERVER"}},
		"auth rm":            {hostFacts{}, []string{"auth rm SERVER"}},
		"teams":              {teamList{}, []string{"teams"}},
		"teams ls":           {teamList{}, []string{"teams ls"}},
		"teams create":       {teamReceipt{}, []string{"teams create second"}},
		"teams rm":           {teamReceipt{}, []string{"teams rm harbor --yes"}},
		"teams leave":        {teamReceipt{}, []string{"teams leave quay"}},
		"teams members":      {memberList{}, []string{"teams members harbor"}},
		"teams remove":       {teamReceipt{}, []string{"teams remove harbor user-1"}},
		"teams transfer":     {teamReceipt{}, []string{"teams transfer harbor user-1 --yes"}},
		"invite":             {madeInvite{}, []string{"invite -t harbor"}},
		"invite ls":          {inviteList{}, []string{"invite ls -t harbor"}},
		"invite revoke":      {teamReceipt{}, []string{"invite revoke -t harbor id-00001001"}},
		"join":               {joinReceipt{}, []string{"join INVITE --yes"}},
	}
}

// shape writes what of a value encodes, as the page does: "key", "key?" for what
// may be missing, "key[]" for a list, and the keys of objects in braces.
func shape(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage](): // a packet, whose form is in packets.md
		return ""
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[api.Time](), t == reflect.TypeFor[memory.Note]():
		return ""
	case t.Kind() == reflect.Slice:
		return strings.TrimSpace("[] " + shape(t.Elem()))
	case t.Kind() != reflect.Struct:
		return ""
	}
	return "{" + strings.Join(keys(t, nil), ", ") + "}"
}

// keys lists the keys of a struct. Those of an embedded one come first, but for what
// the outer one has too.
func keys(t reflect.Type, hidden map[string]bool) []string {
	outer := map[string]bool{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		outer[name] = true
	}
	var list []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			list = append(list, keys(f.Type, outer)...)
		case name == "-" || name == "" || hidden[name]:
		default:
			if strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero") {
				name += "?"
			}
			inner := shape(f.Type)
			if !strings.HasPrefix(inner, "[]") && inner != "" {
				inner = " " + inner
			}
			list = append(list, name+inner)
		}
	}
	return list
}

// TestEveryAnswerIsDocumented compares what commands print for programs with
// docs/commands.md, in both directions, and with what they really print.
func TestEveryAnswerIsDocumented(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	page := documents(t)["commands.md"]
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "ltm ")
		if c.Flags().Lookup("json") != nil {
			require.Contains(t, answers(), name, "ltm %s has --json", name)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).rootCommand())
	begin := strings.Index(page, "| Command | Answer |\n")
	require.Positive(t, begin)
	end := begin + strings.Index(page[begin:], "\n\n") + 2
	golden.Require(t, filepath.Join("..", "..", "docs", "commands.md"), page[:begin]+answerTable()+page[end:])
	for name, a := range answers() {
		for _, call := range a.calls {
			t.Run(name+"/"+call, func(t *testing.T) {
				p := newShaped(t)
				out := p.answer(call + " --json")
				value := reflect.New(reflect.TypeOf(a.value))
				d := json.NewDecoder(strings.NewReader(out))
				d.DisallowUnknownFields()
				require.NoError(t, d.Decode(value.Interface()), "%s", out)
				again, err := json.Marshal(value.Interface())
				require.NoError(t, err)
				require.JSONEq(t, out, string(again), "a key is missing, or has another form")
			})
		}
	}
}

// answerTable is the table of answers in docs/commands.md.
func answerTable() string {
	var b strings.Builder
	b.WriteString("| Command | Answer |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(answers())) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", name, shape(reflect.TypeOf(answers()[name].value)))
	}
	return b.String() + "\n"
}

// shaped is a project in which every command has something to say.
type shaped struct {
	project
	name, old, packet string
}

// newShaped returns a copy of one that is made once.
func newShaped(t *testing.T) shaped {
	t.Helper()
	template := shared.get(t, "shaped", func(dir string) { makeShaped(t, dir) })
	ids, err := os.ReadFile(filepath.Join(template, "ids"))
	require.NoError(t, err)
	all := strings.Fields(string(ids))
	p := project{t: t, dir: copied(t, filepath.Join(template, "project"))}
	p.env = []string{"EDITOR=true", "VISUAL=", "HOME=" + t.TempDir()}
	return shaped{p, all[0], all[1], all[2]}
}

// makeShaped makes a project in a directory, and a file with the ids of its memories.
func makeShaped(t *testing.T, dir string) {
	t.Helper()
	p := shaped{project: project{t: t, dir: filepath.Join(dir, "project"), env: []string{"HOME=" + t.TempDir()}}}
	require.NoError(t, exec.Command("git", "init", "-q", p.dir).Run())
	id := regexp.MustCompile(`mem_[0-9a-f]{8}`)
	p.name = id.FindString(p.run("", "remember", "Pool limit", "The pool holds fifty.", "--tag", "db"))
	p.old = id.FindString(p.run("", "remember", "Old pool", "The old pool held five."))
	p.run("", "forget", p.old)
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit",
		"-qm", "store"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	p.packet = regexp.MustCompile(`[0-9A-Z]{26}`).FindString(p.run("", "write", "--goal", "Size the pool",
		"--next", "Measure the queue", "--check", "make test: passed"))
	p.run("", "update", p.name, "--content", "The pool holds sixty.")
	memories := filepath.Join(p.dir, ".claude", "ltm", "memories")
	conflict := "---\ntopic: Merged\n---\n<<<<<<< ours\nOurs.\n=======\nTheirs.\n>>>>>>> theirs\n"
	require.NoError(t, os.WriteFile(filepath.Join(memories, "mem_0000000a.md"), []byte(conflict), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(memories, "README"), []byte("not a memory\n"), 0o644))
	notes := `{"version":"1.0","agent":{"id":"a"},"memories":[{"id":"n","region":"PROJECT","kind":"LEARNINGS",` +
		`"content":"A note.","impact":"LOW","created_at":"2026-01-01"}]}`
	for name, goal := range map[string]string{"a.json": "Go on.", "b.json": "Stop."} {
		text := `{"ltm_version":"0.1","id":"` + name + `-0123456789","created_at":"2026-08-28T09:15:30Z","goal":"` + goal +
			`","next_step":"Look."}`
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "notes.json"), []byte(notes), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ids"), []byte(p.name+" "+p.old+" "+p.packet), 0o644))
}

// withServer starts a stand-in with two teams, to which the project's person is signed in.
func (p *shaped) withServer(call string) string {
	p.t.Helper()
	s, env := startStandIn(p.t, false)
	s.users["second-token-0123456789"] = map[string]string{"id": "user-1", "display": "Mira"}
	s.teams = map[string][]string{"harbor": {"user-root", "user-1"}, "quay": {"user-1", "user-root"}}
	code := "00001001" + strings.Repeat("0", 40)
	s.invites[code] = "quay"
	other := `{"ltm_version":"0.2","id":"from-elsewhere","parent_id":"another-packet",` +
		`"created_at":"2026-08-28T09:15:30Z","project":{"name":"p"},"goal":"Queue","next_step":"Look","tags":["x"]}`
	s.packets["user-root from-elsewhere"] = kept{"user-root", "from-elsewhere", other}
	p.run(rootToken, "auth", "http://"+s.address)
	p.env = append(p.env, env...)
	return strings.NewReplacer("REMOTEPACKET", "from-elsewhere", "SERVER", "http://"+s.address,
		"INVITE", "http://"+s.address+"/v1/invites/"+code).Replace(call)
}

// answer returns what a command prints, whatever its status.
func (p shaped) answer(call string) string {
	p.t.Helper()
	secret := filepath.Join(p.t.TempDir(), "key")
	require.NoError(p.t, os.WriteFile(secret, []byte("ltm-key-v1 "+strings.Repeat("5a0f17c2", 8)), 0o600))
	if strings.HasPrefix(call, "key ") || strings.HasPrefix(call, "sign") {
		p.run("", "key", "import", secret)
	}
	if slices.Contains([]string{"auth", "teams", "invite", "join", "push", "pull", "save"},
		strings.Fields(call)[0]) || strings.Contains(call, "--remote") {
		call = p.withServer(call)
	}
	call = strings.NewReplacer("NAME", p.name, "OLD", p.old, "PACKET", p.packet, "KEYFILE", secret,
		"KEY", "93abdb30b5e33de7").Replace(call)
	if strings.HasPrefix(call, "restore ") {
		p.run("", "forget", p.name)
	}
	out, _ := p.try("", strings.Fields(call)...)
	require.NotEmpty(p.t, out, call)
	return out
}

// TestEveryColumnIsDocumented counts the columns of every table in a pipe, and compares
// them with docs/commands.md.
func TestEveryColumnIsDocumented(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	page := documents(t)["commands.md"]
	for _, c := range []struct{ names, columns, call string }{
		{"`list`", "id, state, priority, created, tags, topic", "list"},
		{"`list --archives`, `list --all`, `archives list`", "id, state, priority, since, tags, topic",
			"list --all"},
		{"", "id, state, priority, since, tags, topic", "archives list"},
		{"`list --long`", "id, state, priority, difficulty, created, opened, authors, tags, topic", "list --long"},
		{"`recall`", "id, score, topic, passage, importance, state", "recall --all pool"},
		{"`archives`", "id, state, tags, topic, since", "archives"},
		{"`archives prune`", "id, action, topic, reason", "archives prune --dry-run OLD"},
		{"`trust`", "id, how, authors, topic", "trust"},
		{"`verify-signature`", "id, verdict, signer, topic", "verify-signature"},
		{"`stale`", "id, state, file, commit, topic", "stale --all"},
		{"`key`, `key list`", "fingerprint, status", "key list"},
		{"`packet`, `packet ls`, `packet search`", "id, state, created, branch, author, goal", "packet"},
		{"`packet chain`", "this one, id, state, created, continues, goal", "packet chain PACKET"},
		{"`packet diff`", "kind, place, old, new", "packet diff a.json b.json"},
		{"`log`", "time, action, id, session, topic, why", "log"},
		{"`history`", "time, where, action, who, why", "history NAME"},
		{"`undo --list`", "time, action, id, topic, why, state", "undo --list"},
		{"`tag`, `tag list`", "tag, memories", "tag list"},
		{"`config`", "key, value, source, help", "config"},
		{"`check`", "kind, where, reason", "check"},
		{"`fix`", "action, target, reason", "fix --dry-run"},
		{"`stats`", "group, part, memories, tokens, tokens of the context", "stats"},
		{"`import`", "action, id, topic, why", "import notes.json --dry-run"},
		{"`packet ls --remote`", "id, created, project, author, tags, goal", "packet ls --remote"},
		{"`auth ls`", "server, user, since, status", "auth ls"},
		{"`teams`, `teams ls`", "name, created, owner, display", "teams ls"},
		{"`teams members`", "id, display, role, joined", "teams members harbor"},
		{"`invite ls`", "id, created, expires, by, display", "invite ls -t quay"},
		{"`evict`, `fade`", "id, phases, priority, topic, reason", "evict --dry-run"},
	} {
		t.Run(c.call, func(t *testing.T) {
			p := newShaped(t)
			if c.names != "" {
				require.Contains(t, page, "| "+c.names+" | "+c.columns+" |\n")
			}
			if strings.HasPrefix(c.call, "evict") {
				p.run("", "remember", "More", "More.")
				p.run("", "config", "max_memories", "1")
			}
			if c.call == "stale --all" {
				p.run("", "remember", "Shapes", "They are in a.json:1.")
			}
			rows := 0
			for line := range bytes.Lines([]byte(p.answer(c.call))) {
				// a column that the page names apart
				line = bytes.Replace(line, []byte("\tfrom elsewhere\n"), []byte("\n"), 1)
				if n := bytes.Count(line, []byte("\t")); n > 0 {
					rows++
					require.Equal(t, strings.Count(c.columns, ","), n, "%s", line)
					require.NotContains(t, "\t"+strings.TrimSuffix(string(line), "\n")+"\t", "\t\t",
						"an empty field is a dash")
				}
			}
			require.NotZero(t, rows)
		})
	}
}
