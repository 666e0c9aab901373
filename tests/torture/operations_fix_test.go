package torture_test

import "strings"

// breakProject makes a project with everything that fix repairs in one run.
func breakProject(p project) (string, []string) {
	furnish(p)
	p.run("", "config", "--shared", "track_index", "on")
	p.write(".claude/ltm/index.json", brokenText)
	p.write(".claude/ltm/memories/"+brokenFile, "---\nno header")
	return "", []string{"fix"}
}

// loseText makes a project in which a merge replaced the full text in an archive with a reduced
// one. Git still has the full text.
func loseText(p project) {
	crowd(p, inFiles)
	id := p.find("alpha")
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message", "all is well")
	p.write(".claude/ltm/archives/"+id.File(), p.read(".claude/ltm/memories/"+id.File()))
}

// leaveBehind makes a project in which a work tree was removed with a new memory and a changed one.
func leaveBehind(p project) {
	id := furnish(p)
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message", "all is well")
	p.git("worktree", "add", "--quiet", "../linked")
	p.run(long("linked"), "-C", "../linked", "remember", "a linked one", "-")
	p.run(long("changed"), "-C", "../linked", "update", string(id), "--content", "-")
	p.git("worktree", "remove", "--force", "../linked")
}

// leaveMerges makes a project with the two kinds of unresolved merges that fix resolves: of two
// stubs, and of two versions of an archive.
func leaveMerges(p project) (string, []string) {
	furnish(p)
	for name, text := range p.stubs() {
		p.write(".claude/ltm/memories/"+name, conflict(text, aged(text)))
		text := p.read(".claude/ltm/archives/" + name)
		p.write(".claude/ltm/archives/"+name, conflict(text, strings.ReplaceAll(text, "Detail", "Another detail")))
	}
	return "", []string{"fix"}
}

// conflict returns what git leaves of two versions of a file without common text.
func conflict(ours, theirs string) string {
	return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
}
