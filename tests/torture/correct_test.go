package torture_test

// correcting archives memories in favor of others, links them, and sets what else a header can say.
func correcting() []operation {
	return []operation{
		{name: "correct", again: []int{4}, prepare: func(p project) (string, []string) {
			return long("corrections"), []string{"correct", string(furnish(p)), "-", "--difficulty", "0.4",
				"--topic", "corrected"}
		}},
		{name: "correct two", again: []int{4}, prepare: func(p project) (string, []string) {
			first, second := furnish(p), p.find("queues")
			return long("corrections"), []string{"remember", "a new one", "-", "--difficulty", "0.4",
				"--supersedes", string(first) + "," + string(second)}
		}},
		{name: "correct what is archived", again: []int{4}, prepare: func(p project) (string, []string) {
			id := string(furnish(p))
			p.run("", "forget", id)
			return long("corrections"), []string{"correct", id, "-", "--difficulty", "0.4", "--topic", "corrected"}
		}},
		{name: "tidy that merges", adds: true, again: []int{3, 4}, prepare: func(p project) (string, []string) {
			first, second := furnish(p), p.find("queues")
			return "", []string{"tidy", "--merge", string(second), string(first), "--yes"}
		}},
		{name: "undo of a merge", adds: true, again: []int{3, 4}, whole: true,
			prepare: func(p project) (string, []string) {
				first, second := furnish(p), p.find("queues")
				p.run("", "tidy", "--merge", string(second), string(first), "--yes")
				return "", []string{"undo"}
			}},
		{name: "update that supersedes", adds: true, prepare: func(p project) (string, []string) {
			first, second := furnish(p), p.find("queues")
			return "", []string{"update", string(second), "--supersedes", string(first)}
		}},
		{name: "update of links", adds: true, prepare: func(p project) (string, []string) {
			first, second := furnish(p), p.find("queues")
			return "", []string{"update", string(second), "--disputes", string(first), "--related", string(first)}
		}},
		{name: "restore of a superseded memory", again: []int{4}, prepare: func(p project) (string, []string) {
			id := string(furnish(p))
			p.run(long("corrections"), "correct", id, "-", "--difficulty", "0.4", "--topic", "corrected")
			return "", []string{"restore", id}
		}},
		{name: "undo of a correction", adds: true, again: []int{3, 4}, whole: true,
			prepare: func(p project) (string, []string) {
				id := string(furnish(p))
				p.run(long("corrections"), "correct", id, "-", "--difficulty", "0.4", "--topic", "corrected")
				return "", []string{"undo", id}
			}},
		{name: "remember with kind and confidence", again: []int{4}, prepare: func(p project) (string, []string) {
			furnish(p)
			return long("stores"), []string{"remember", "a new one", "-", "--difficulty", "0.4", "--kind", "emotional",
				"--confidence", "0.5"}
		}},
		{name: "update of kind and confidence", adds: true,
			prepare: furnished("update", "ID", "--kind", "architectural", "--confidence", "0.2")},
	}
}
