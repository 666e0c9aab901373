package threads

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
)

// The tables of CortexLTM, in the order in which they are read: what a row refers to comes first.
const (
	cortexThreads   = "ltm_threads"
	cortexEvents    = "ltm_events"
	cortexSummaries = "ltm_thread_summaries"
	cortexItems     = "ltm_master_items"
	cortexEvidence  = "ltm_master_evidence"
	cortexReactions = "ltm_event_reactions"
	cortexAccounts  = "ltm_connected_accounts"
)

func cortexTables() []string {
	return []string{cortexThreads, cortexEvents, cortexSummaries, cortexItems, cortexEvidence, cortexReactions,
		cortexAccounts}
}

// leastExtracted is the least confidence that the extractor of CortexLTM wrote. What has less was stored by word rules,
// whole messages and questions among it, so it comes in as a suggestion, which enters no context.
const leastExtracted = 0.8

// cortex collects the rows of a dump of tables: objects with a list for each table, or an object {"table", "row"} for
// each row.
func (c *conversion) cortex(value json.RawMessage) error {
	r, err := recordOf(value)
	if err != nil {
		return err
	}
	if r.has("table") && r.has("row") {
		f := r.fields()
		table := f.text("table")
		if f.err != nil {
			return f.err
		}
		row, err := recordOf(r["row"])
		if err != nil {
			return errors.New(`"row" is not an object`)
		}
		return c.cortexRow(table, row)
	}
	for _, table := range slices.Sorted(maps.Keys(r)) {
		if err := knownTable(table); err != nil {
			return err
		}
		rows, err := records(table, r[table])
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := c.cortexRow(table, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *conversion) cortexRow(table string, row record) error {
	if err := knownTable(table); err != nil {
		return err
	}
	table = withoutSchema(table)
	c.tables[table] = append(c.tables[table], row)
	return nil
}

func withoutSchema(table string) string { return table[strings.LastIndexByte(table, '.')+1:] }

func knownTable(table string) error {
	if !slices.Contains(cortexTables(), withoutSchema(table)) {
		return fmt.Errorf("there is no table %.60q; the tables are %v", table, cortexTables())
	}
	return nil
}

// cortexDump is what rows refer to.
type cortexDump struct {
	*conversion
	events   map[string]eventLine
	evidence map[string][]record // by item
}

// cortexRows converts the rows that were collected.
func (c *conversion) cortexRows() error {
	d := cortexDump{c, map[string]eventLine{}, map[string][]record{}}
	for _, r := range c.tables[cortexEvidence] {
		var item string
		_ = json.Unmarshal(r["master_item_id"], &item)
		d.evidence[item] = append(d.evidence[item], r)
	}
	for _, part := range []struct {
		table string
		read  func(record) error
	}{{cortexThreads, d.thread}, {cortexEvents, d.event}, {cortexSummaries, d.summary}, {cortexItems, d.item},
		{cortexReactions, d.reaction}} {
		for i, row := range c.tables[part.table] {
			if row.has("embedding") {
				c.note("vectors left out, because the server makes its own")
			}
			delete(row, "embedding")
			if err := d.row(func() error { return part.read(row) }, "%s, row %d", part.table, i+1); err != nil {
				return err
			}
		}
	}
	for _, left := range d.evidence {
		for range left {
			c.note("evidence of no item left out")
		}
	}
	for range c.tables[cortexAccounts] {
		c.note("connected accounts left out, because they hold tokens of other services")
	}
	return nil
}

// stamps takes out the id of a row and when it was made and changed.
func (f *fields) stamps() (id string, made, changed time.Time) {
	id, ok := CanonicalID(f.text("id"))
	if f.err == nil && !ok {
		f.err = errors.New("the id is not a UUID")
	}
	made, changed = f.time("created_at"), f.time("updated_at")
	if f.err == nil && made.IsZero() {
		f.err = errors.New(`it has no "created_at"`)
	}
	return id, made, latest(made, changed)
}

func (d cortexDump) thread(r record) error {
	f := r.fields()
	id, made, changed := f.stamps()
	user, title, own := f.text("user_id"), f.text("title"), f.object("meta")
	if f.err != nil {
		return f.err
	}
	u, err := d.of(user)
	if err != nil {
		return err
	}
	l := Thread{ID: id, Title: title, CreatedAt: made, UpdatedAt: changed}
	if own.fields().is("is_core_memory") { // it stays in the meta, too
		l.CoreAt = changed
		own["is_core_memory"] = json.RawMessage("true")
	}
	if l.Meta, err = d.meta(own, r, ""); err != nil {
		return err
	}
	if !u.isNew(lineThread, id) {
		return errors.New("the id is there twice")
	}
	d.threads[id] = u
	u.addThread(l)
	return nil
}

// threadOf takes out the thread of a row, and returns whose it is.
func (d cortexDump) threadOf(f *fields) (*userRows, string) {
	thread := strings.ToLower(f.text("thread_id"))
	u := d.threads[thread]
	if f.err == nil && u == nil {
		f.err = fmt.Errorf("its thread %.60q is not in %s", thread, cortexThreads)
	}
	return u, thread
}

func (d cortexDump) event(r record) error {
	f := r.fields()
	id, made, _ := f.stamps()
	u, thread := d.threadOf(f)
	actor, text, own := f.text("actor"), f.text("content"), f.object("meta")
	score, _ := f.number("importance_score")
	if f.err != nil {
		return f.err
	}
	meta, err := d.meta(own, r, "")
	if err != nil {
		return err
	}
	role, known := roleOf(actor)
	l := eventLine{ID: id, Thread: thread, Role: string(role), Text: text, Meta: meta,
		Importance: int(min(max(score, 0), 10)), OccurredAt: made, RecordedAt: made}
	if !known {
		l.Agent = actor
	}
	if !u.isNew(lineEvent, id) {
		return errors.New("the id is there twice")
	}
	d.events[id] = l
	u.addEvent(l)
	return nil
}

func (d cortexDump) summary(r record) error {
	f := r.fields()
	id, made, changed := f.stamps()
	u, thread := d.threadOf(f)
	l := summaryLine{ID: id, Thread: thread, Reason: string(conversation.Init), Lines: []excerptLine{},
		Model: d.Form, CreatedAt: made, UpdatedAt: changed, Written: f.text("summary"),
		From: strings.ToLower(f.text("range_start_event_id")), To: strings.ToLower(f.text("range_end_event_id")),
		Active: f.is("is_active")}
	own := f.object("meta")
	if f.err != nil {
		return f.err
	}
	d.summaryMeta(&l, own)
	for key := range r.clean() {
		d.note("%q of summaries left out", key)
	}
	if !u.isNew(lineSummary, id) {
		return errors.New("the id is there twice")
	}
	if l.Active && l.To != "" {
		u.thread(thread).Cursor = l.To
	}
	u.summaries = append(u.summaries, l)
	return nil
}

// summaryMeta takes what a summary of ours has out of the meta of one. The rest is about how it was written.
func (d cortexDump) summaryMeta(l *summaryLine, own record) {
	if reason := own.fields().text("reason"); reason == string(conversation.Shift) {
		l.Reason = reason
	}
	if turns, _ := own.fields().number("meaningful_turns"); turns > 0 {
		l.Turns = int(turns)
	}
	delete(own, "last_summary_write_at") // is updated_at
	for key := range own.clean() {
		d.note("%q in the meta of summaries left out", key)
	}
}

// item makes a claim of a master item: active if a model found it, and else suggested.
func (d cortexDump) item(r record) error {
	f := r.fields()
	id, made, changed := f.stamps()
	user, status := f.text("user_id"), f.text("status")
	l := actLine{ID: id, At: made, Verb: string(conversation.Adds), By: importer, Bucket: f.text("bucket"),
		Text: f.text("text"), Stability: f.text("stability")}
	l.Confidence, _ = f.number("confidence")
	if f.err != nil {
		return f.err
	}
	u, err := d.of(user)
	if err != nil {
		return err
	}
	if conversation.Normal(l.Text) == "" {
		d.note("items without words left out")
		delete(d.evidence, id)
		return nil
	}
	if d.namesThread(l.Text) {
		d.note("items left out that only name the thread of a summary")
		delete(d.evidence, id)
		return nil
	}
	l.Confidence = min(max(l.Confidence, 0), 1)
	if l.Confidence < leastExtracted || status == "conflicted" {
		l.Verb = string(conversation.Suggests)
		d.note("items as suggestions, because word rules stored them or they are in conflict")
	}
	if changed.After(made) {
		r["updated_at"], _ = marshal(changed)
	}
	if l.Note, err = d.remnant(r, ""); err != nil {
		return err
	}
	if !u.isNew(lineAct, id) {
		return errors.New("the id is there twice")
	}
	first := len(u.acts)
	d.state(u, l)
	ended := time.Time{}
	if status == "deprecated" {
		ended = changed
	}
	if l.Verb == string(conversation.Adds) { // what was never true does not end
		u.held(made, ended, first)
	}
	return nil
}

// namesThread reports whether a text is a pointer to a summary: it has the id of a thread in it.
func (d cortexDump) namesThread(text string) bool {
	any := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	return slices.ContainsFunc(any.FindAllString(strings.ToLower(text), -1),
		func(id string) bool { return d.threads[id] != nil })
}

// state adds an act for each event that an item was taken from, or one without an event. The first has the item's id.
func (d cortexDump) state(u *userRows, l actLine) {
	evidence := d.evidence[l.ID]
	delete(d.evidence, l.ID)
	stated := false
	for _, e := range evidence {
		var event, id string
		_, _ = json.Unmarshal(e["event_id"], &event), json.Unmarshal(e["id"], &id)
		event, id = strings.ToLower(event), strings.ToLower(id)
		if from, ok := d.events[event]; !ok || d.threads[from.Thread] != u {
			d.note("evidence left out that names no event of the dump")
			continue
		}
		again := l
		again.Event = event
		if stated {
			again.ID, again.Note = id, ""
			if !isID(id) || !u.isNew(lineAct, id) {
				again.ID = uuidFrom(d.Form, "evidence", l.ID, event)
			}
		}
		stated = true
		u.acts = append(u.acts, again)
	}
	if !stated {
		u.acts = append(u.acts, l)
	}
}

func (d cortexDump) reaction(r record) error {
	f := r.fields()
	_, made, changed := f.stamps()
	event, user, name := f.text("event_id"), f.text("user_id"), f.text("reaction")
	if f.err != nil {
		return f.err
	}
	if err := oneOf("reaction", name, ReactionNames()); err != nil {
		return err
	}
	of, ok := d.events[strings.ToLower(event)]
	if !ok {
		return fmt.Errorf("its event %.60q is not in %s", event, cortexEvents)
	}
	u := d.threads[of.Thread]
	if user != "" && d.users[user] != u {
		d.note("reactions of others than the thread's user left out")
		return nil
	}
	if !u.isNew(lineReaction, of.ID) {
		d.note("second reactions to an event left out")
		return nil
	}
	for key := range r.clean() {
		d.note("%q of reactions left out", key)
	}
	u.reactions = append(u.reactions, Reaction{of.ID, name, made, changed})
	return nil
}
