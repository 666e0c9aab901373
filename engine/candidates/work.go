package candidates

import (
	"cmp"
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/memory"
)

const (
	leastFiles = 2 // that a session edited which is worth a candidate of its own
	leastAsk   = 5 // words of an ask that says what it is about

	// The characters of one ask in a text, and of all. In both halves of a project's 275 sessions, shorter ones found
	// fewer sessions again, and longer ones found no more.
	mostAsk  = 300
	mostAsks = 1500

	// The first ask is often a plan. With 600 to 2000 characters of it, the tasks and the branch, the first five hits
	// for the first ask of a session had one that edited two of the same files for 74 or 75 of the 89 sessions of the
	// earlier half, before for 69.
	mostFirst = 1000
	mostTasks = 10

	mostFound = 3
	leastTold = 200 // characters of what was asked for, if nothing was found out
)

// work returns what a session was for: what was asked, in the person's words, the tasks that the model made of it, what
// was found out on the way, and the branch, which people name for what they do. It is what a later session about the
// same is most likely to ask for. ok is false if there is too little to tell.
func work(o transcript.Outline, found []passage) (c Candidate, ok bool) {
	files := edited(o.Steps)
	topic, asked := asks(o.Steps)
	found = slices.DeleteFunc(slices.Clone(found), func(p passage) bool { return p.plain || p.score < leastFound })
	text := "Asked for:\n- " + strings.Join(asked, "\n- ")
	if tasks := tasksOf(o.Todos); len(tasks) > 0 {
		text += "\n\nTasks:\n- " + strings.Join(tasks, "\n- ")
	}
	if len(files) < leastFiles || len(asked) == 0 || len(found) == 0 && len([]rune(text)) < leastTold {
		return c, false
	}
	for i, p := range found[:min(len(found), mostFound)] {
		if i == 0 {
			text += "\n\nFound out:"
		}
		text += "\n- " + p.finding
	}
	// The name of a branch that all work goes to does not say what the session was for.
	if !slices.Contains([]string{"", "main", "master", "trunk", "develop", "HEAD"}, o.Branch) {
		text += "\n\nBranch: " + o.Branch
	}
	files = files[:min(len(files), maxRefs)]
	return Candidate{Topic: memory.ClipTopic(topic), Text: text, Tags: tagsOf(files), Refs: files,
		Why: "it says what the session was for"}, true
}

// tasksOf returns what the session had on its list of tasks.
func tasksOf(todos []transcript.Todo) []string {
	var tasks []string
	for _, t := range todos[:min(len(todos), mostTasks)] {
		if t := clipped(flat(t.Text), maxTopic); t != "" {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// asks returns what was asked for, each ask once, and the topic of the first one.
func asks(steps []transcript.Step) (topic string, asked []string) {
	size := 0
	for _, s := range steps {
		most := mostAsk
		if len(asked) == 0 {
			most = mostFirst
		}
		ask := clipped(flat(s.Text), most)
		if s.Kind != transcript.Asked || transcript.Words(ask) < leastAsk || slices.Contains(asked, ask) ||
			isOfClient(ask) {
			continue
		}
		if size += min(len([]rune(ask)), mostAsk); size > mostAsks {
			break
		}
		if asked = append(asked, ask); len(asked) == 1 {
			topic = askTopic(s.Text)
		}
	}
	return topic, asked
}

// isOfClient reports whether an ask has the words of the client.
func isOfClient(ask string) bool {
	return strings.HasPrefix(ask, "Operation stopped by hook") || strings.HasPrefix(ask, "Read the output file to") ||
		strings.HasPrefix(ask, "Full transcript available at")
}

// askTopic returns the first heading of an ask, or else its first line with some words.
func askTopic(ask string) string {
	first := ""
	for line := range strings.SplitSeq(ask, "\n") {
		line = strings.TrimSpace(line)
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			return topicOf(title)
		}
		if first == "" && len(strings.Fields(line)) >= leastWords {
			if first = topicOf(line); len(strings.Fields(first)) < leastWords { // "Help!"
				first = clipped(flat(line), maxTopic)
			}
		}
	}
	return cmp.Or(first, clipped(flat(ask), maxTopic))
}

// edited returns the files that were edited, those edited most often first.
func edited(steps []transcript.Step) []string {
	var files []string
	times := make(map[string]int)
	for _, s := range steps {
		if s.Kind != transcript.Edited {
			continue
		}
		if times[s.Text]++; times[s.Text] == 1 {
			files = append(files, s.Text)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(times[b], times[a]) })
	return files
}
