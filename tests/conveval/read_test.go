package conveval_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Set is what a file has.
type Set struct {
	Users      []User
	Categories []string // in the order of reports

	Malformed int // parts of evidence that name no turn
	Mended    int // parts that name one in a way of their own, such as "D:11:26"
	Without   int // questions with an answer and without evidence, which are left out
}

// User is one memory with the questions about it.
type User struct {
	ID        string
	Turns     []Turn
	Questions []Question
}

// Turn is a message.
type Turn struct {
	ID      string // unique in the file
	Session string
	Speaker string
	Text    string
	At      time.Time
}

// Question is a question and the turns that answer it; one without an answer has none.
type Question struct {
	Text     string
	Category string
	Answered bool
	Evidence []string
}

// Texts returns the texts of all turns and questions, each once, in the order of the file.
func (s Set) Texts() []string {
	var all []string
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] && strings.TrimSpace(text) != "" {
			all = append(all, text)
		}
		seen[text] = true
	}
	for _, u := range s.Users {
		for _, t := range u.Turns {
			add(t.Text)
		}
		for _, q := range u.Questions {
			add(q.Text)
		}
	}
	return all
}

// Parse reads a file of either form.
func Parse(data []byte) (Set, error) {
	var samples []json.RawMessage
	if err := json.Unmarshal(data, &samples); err != nil {
		return Set{}, fmt.Errorf("not a list of samples: %w", err)
	}
	var s Set
	turns := map[string]bool{}
	for i, raw := range samples {
		var form struct {
			Conversation json.RawMessage `json:"conversation"`
			Sessions     json.RawMessage `json:"haystack_sessions"`
		}
		err := json.Unmarshal(raw, &form)
		switch {
		case err != nil:
		case form.Conversation != nil:
			err = s.locomo(i, raw)
		case form.Sessions != nil:
			err = s.longMemEval(raw)
		default:
			err = errors.New(`neither "conversation" nor "haystack_sessions" is there`)
		}
		if err != nil {
			return Set{}, fmt.Errorf("sample %d: %w", i, err)
		}
	}
	n := 0
	for _, u := range s.Users {
		n += len(u.Questions)
		for _, t := range u.Turns {
			turns[t.ID] = true
		}
	}
	if n == 0 || len(turns) == 0 {
		return Set{}, errors.New("no question with evidence, or no turn")
	}
	return s, nil
}

// categories are the names of LoCoMo's numbers.
func categories() map[int]string {
	return map[int]string{1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop",
		5: "5 unanswerable"}
}

type locomoTurn struct {
	Speaker string          `json:"speaker"`
	ID      string          `json:"dia_id"`
	Text    string          `json:"text"`
	Caption string          `json:"blip_caption"`
	_       json.RawMessage // pictures and how they were found
}

type locomoQuestion struct {
	Question string          `json:"question"`
	Evidence json.RawMessage `json:"evidence"`
	Category int             `json:"category"`
}

var sessionKey = regexp.MustCompile(`^session_(\d+)$`)

func (s *Set) locomo(number int, raw json.RawMessage) error {
	var sample struct {
		ID           string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		QA           []locomoQuestion           `json:"qa"`
	}
	if err := json.Unmarshal(raw, &sample); err != nil {
		return err
	}
	if sample.ID == "" {
		sample.ID = strconv.Itoa(number)
	}
	u := User{ID: sample.ID}
	var sessions []int
	for key := range sample.Conversation {
		if m := sessionKey.FindStringSubmatch(key); m != nil {
			n, _ := strconv.Atoi(m[1])
			sessions = append(sessions, n)
		}
	}
	slices.Sort(sessions)
	for _, n := range sessions {
		if err := u.session(n, sample.Conversation); err != nil {
			return err
		}
	}
	known := map[string]bool{}
	for _, t := range u.Turns {
		known[t.ID] = true
	}
	for _, qa := range sample.QA {
		name, ok := categories()[qa.Category]
		if !ok {
			return fmt.Errorf("question %q is of category %d; there are 1 to 5", qa.Question, qa.Category)
		}
		q := Question{Text: qa.Question, Category: name, Answered: qa.Category != 5}
		if q.Answered {
			q.Evidence = s.evidence(u.ID, qa.Evidence, known)
		}
		s.add(&u, q)
	}
	s.Users = append(s.Users, u)
	return nil
}

// session appends the turns of a session.
func (u *User) session(n int, conversation map[string]json.RawMessage) error {
	key := fmt.Sprint("session_", n)
	var turns []locomoTurn
	if err := json.Unmarshal(conversation[key], &turns); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	var date string
	if raw, ok := conversation[key+"_date_time"]; ok {
		if err := json.Unmarshal(raw, &date); err != nil {
			return fmt.Errorf("%s_date_time: %w", key, err)
		}
	}
	at := parseDate(date)
	for i, t := range turns {
		text := t.Text
		if t.Caption != "" {
			text = strings.TrimSpace(text + " [picture: " + t.Caption + "]")
		}
		id := t.ID
		if id == "" {
			id = fmt.Sprintf("D%d:%d", n, i+1)
		}
		turn := Turn{ID: u.ID + "/" + id, Session: u.ID + "/" + key, Speaker: t.Speaker, Text: text}
		if !at.IsZero() {
			turn.At = at.Add(time.Duration(i) * time.Second)
		}
		u.Turns = append(u.Turns, turn)
	}
	return nil
}

// parseDate reads the dates of both forms, and returns the zero time for others.
func parseDate(s string) time.Time {
	s = strings.Join(strings.Fields(s), " ")
	for _, layout := range []string{"3:04 pm on 2 January, 2006", "3:04 PM on 2 January, 2006",
		"2006/01/02 (Mon) 15:04", time.RFC3339, "2006-01-02"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// add adds a question, unless its answer has no evidence.
func (s *Set) add(u *User, q Question) {
	if q.Answered && len(q.Evidence) == 0 {
		s.Without++
		return
	}
	if !slices.Contains(s.Categories, q.Category) {
		s.Categories = append(s.Categories, q.Category)
		slices.Sort(s.Categories)
	}
	u.Questions = append(u.Questions, q)
}

var (
	goodEvidence   = regexp.MustCompile(`^D(\d+):(\d+)$`)
	mendedEvidence = regexp.MustCompile(`D:?(\d+):(\d+)`)
)

// evidence returns the turns that a question's evidence names. Some of the public file's is malformed: two in one text,
// a colon or a zero too many, a session without a turn.
func (s *Set) evidence(user string, raw json.RawMessage, known map[string]bool) []string {
	var parts []string
	if json.Unmarshal(raw, &parts) != nil {
		var one string
		if json.Unmarshal(raw, &one) == nil && one != "" {
			parts = []string{one}
		}
	}
	found := map[string]bool{}
	for _, part := range parts {
		good := goodEvidence.MatchString(part) && known[user+"/"+part]
		if good {
			found[user+"/"+part] = true
			continue
		}
		any := false
		for _, m := range mendedEvidence.FindAllStringSubmatch(part, -1) {
			session, _ := strconv.Atoi(m[1])
			turn, _ := strconv.Atoi(m[2])
			if id := fmt.Sprintf("%s/D%d:%d", user, session, turn); known[id] {
				found[id], any = true, true
			}
		}
		if any {
			s.Mended++
		} else {
			s.Malformed++
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (s *Set) longMemEval(raw json.RawMessage) error {
	var sample struct {
		ID         string   `json:"question_id"`
		Type       string   `json:"question_type"`
		Question   string   `json:"question"`
		SessionIDs []string `json:"haystack_session_ids"`
		Dates      []string `json:"haystack_dates"`
		Sessions   [][]struct {
			Role    string `json:"role"`
			Content string `json:"content"`
			Answers bool   `json:"has_answer"`
		} `json:"haystack_sessions"`
	}
	if err := json.Unmarshal(raw, &sample); err != nil {
		return err
	}
	if len(sample.SessionIDs) != len(sample.Sessions) {
		return fmt.Errorf("%d session ids for %d sessions", len(sample.SessionIDs), len(sample.Sessions))
	}
	u := User{ID: sample.ID}
	q := Question{Text: sample.Question, Category: sample.Type, Answered: !strings.HasSuffix(sample.ID, "_abs")}
	if !q.Answered {
		q.Category = "unanswerable"
	}
	for i, session := range sample.Sessions {
		var at time.Time
		if i < len(sample.Dates) {
			at = parseDate(sample.Dates[i])
		}
		for n, t := range session {
			turn := Turn{ID: fmt.Sprintf("%s/%d", sample.SessionIDs[i], n), Session: sample.SessionIDs[i],
				Speaker: t.Role, Text: t.Content}
			if !at.IsZero() {
				turn.At = at.Add(time.Duration(n) * time.Second)
			}
			u.Turns = append(u.Turns, turn)
			if t.Answers && q.Answered {
				q.Evidence = append(q.Evidence, turn.ID)
			}
		}
	}
	s.add(&u, q)
	s.Users = append(s.Users, u)
	return nil
}
