package gittrap

// Traps returns a trap for each kind of setting in "git help config" that names a program, and for
// each place that such a setting can come from.
func Traps() []Trap {
	traps := []Trap{
		{Name: "fsmonitor", Config: "[core]\n\tfsmonitor = PROG", Fire: "git status"},
		{Name: "include", Config: "[include]\n\tpath = DIR/included",
			Files: map[string]string{"included": "[core]\n\tfsmonitor = PROG\n"}, Fire: "git status"},
		{Name: "includeif", Config: "[includeIf \"onbranch:**\"]\n\tpath = DIR/included-if",
			Files: map[string]string{"included-if": "[core]\n\tfsmonitor = PROG\n"}, Fire: "git status"},
		{Name: "pager", Config: "[core]\n\tpager = PROG\n[pager]\n\tlog = PROG\n\tconfig = PROG"},
		{Name: "editor", Config: "[core]\n\teditor = PROG", Fire: "git commit --amend"},
		{Name: "sequence-editor", Config: "[sequence]\n\teditor = PROG", Fire: "git stash -q; git rebase -i HEAD~"},
		{Name: "alias", Config: "[alias]\n\ttrap = !PROG\n\tls-files = !PROG\n\tconfig = !PROG\n\tcheck-ignore = !PROG",
			Fire: "git trap"},
		{Name: "external-diff", Config: "[diff]\n\texternal = PROG", Fire: "git diff"},
		{Name: "textconv", Config: "[diff \"NAME\"]\n\ttextconv = PROG", Attr: "diff=NAME", Fire: "git log -p"},
		{Name: "diff-command", Config: "[diff \"NAME\"]\n\tcommand = PROG", Attr: "diff=NAME", Fire: "git diff"},
		{Name: "clean", Config: "[filter \"NAME\"]\n\tclean = PROG", Attr: "filter=NAME", Fire: "git add -A"},
		{Name: "smudge", Config: "[filter \"NAME\"]\n\tsmudge = PROG", Attr: "filter=NAME",
			Fire: "git checkout -f side"},
		{Name: "process", Config: "[filter \"NAME\"]\n\tprocess = PROG\n\trequired = true", Attr: "filter=NAME",
			Fire: "git add -A"},
		{Name: "merge-driver", Config: "[merge \"NAME\"]\n\tdriver = PROG", Attr: "merge=NAME",
			Fire: "git stash -q; git merge side"},
		{Name: "merge-ltm-index", Config: "[merge \"ltm-index\"]\n\tdriver = PROG %O %A %B", Attr: "merge=ltm-index",
			Fire: "git stash -q; git merge side"},
		{Name: "gpg", Config: "[gpg]\n\tprogram = PROG\n[log]\n\tshowSignature = true", Fire: "git log"},
		{Name: "gpg-format", Config: "[gpg]\n\tprogram = PROG\n[format]\n\tpretty = %G?", Fire: "git log"},
		{Name: "gpg-sign",
			Config: "[commit]\n\tgpgSign = true\n[gpg]\n\tformat = x509\n[gpg \"x509\"]\n\tprogram = PROG",
			Fire:   "git commit --allow-empty -m x"},
		{Name: "gpg-ssh-key", Config: "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tdefaultKeyCommand = PROG",
			Fire: "git commit -S --allow-empty -m x"},
		{Name: "lazy-fetch",
			Config: "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = lazy\n[protocol]\n\tallow " +
				"= always\n[protocol \"ext\"]\n\tallow = always\n" +
				"[remote \"lazy\"]\n\turl = ext::PROG\n\tpromisor = true\n\tpartialclonefilter = blob:none",
			Fire: "git cat-file -p deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"},
		{Name: "uploadpack", Config: "[remote \"NAME\"]\n\turl = .\n\tuploadpack = PROG\n\treceivepack = PROG",
			Fire: "git fetch uploadpack"},
		{Name: "ssh", Config: "[core]\n\tsshCommand = PROG", Fire: "git ls-remote ssh://127.0.0.1/x"},
		{Name: "git-proxy", Config: "[core]\n\tgitProxy = PROG", Fire: "git ls-remote git://127.0.0.1/x"},
		{Name: "credential", Config: "[credential]\n\thelper = PROG",
			Fire: "printf 'protocol=https\\nhost=example.com\\n\\n' | GIT_ASKPASS=true git credential fill"},
		{Name: "askpass", Config: "[core]\n\taskPass = PROG",
			Fire: "printf 'protocol=https\\nhost=example.com\\n\\n' | git credential fill"},
		{Name: "alternate-refs", Config: "[core]\n\talternateRefsCommand = PROG"},
		{Name: "pack-objects", Config: "[uploadpack]\n\tpackObjectsHook = PROG"},
		{Name: "diff-filter", Config: "[interactive]\n\tdiffFilter = PROG\n[color]\n\tui = always"},
		{Name: "submodule-update",
			Config: "[submodule]\n\trecurse = true\n[submodule \"sub\"]\n\tactive = true\n\turl = ./.git\n\tupdate = " +
				"!PROG", Fire: "git submodule update"},
		{Name: "submodule-inside",
			Config: "[diff]\n\tsubmodule = diff\n[submodule]\n\trecurse = true\n[submodule \"sub\"]\n\tactive = " +
				"true\n[core]\n\tfsmonitor = PROG", Fire: "git ls-files --recurse-submodules -m; git status"},
		{Name: "trailer", Config: "[trailer \"NAME\"]\n\tkey = x\n\tcommand = PROG",
			Fire: "echo x | git interpret-trailers --trailer trailer=1"},
		{Name: "archive", Config: "[tar \"NAME\"]\n\tcommand = PROG", Fire: "git archive --format=archive HEAD"},
		{Name: "tool",
			Config: "[diff]\n\ttool = NAME\n[merge]\n\ttool = NAME\n[difftool \"NAME\"]\n\tcmd = PROG\n[mergetool " +
				"\"NAME\"]\n\tcmd = PROG\n[browser \"NAME\"]\n\tcmd = PROG\n[man \"NAME\"]\n\tcmd = PROG",
			Fire: "git difftool -y"},
		{Name: "hooks-path", Config: "[core]\n\thooksPath = DIR/hooks",
			Files: map[string]string{"hooks/pre-commit": hookText, "hooks/post-index-change": hookText},
			Fire:  "git commit --allow-empty -m x"},
	}
	for _, hook := range hooks() {
		traps = append(traps, Trap{Name: "hook-" + hook, Hook: hook, Fire: fires()[hook]})
	}
	return traps
}

// hookText is a hook that starts the program of its trap.
const hookText = "#!/bin/sh\nexec 'PROG'\n"

// hooks lists the hooks of githooks(5).
func hooks() []string {
	return []string{"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit",
		"prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push",
		"pre-receive", "update", "proc-receive", "post-receive", "post-update", "reference-transaction",
		"push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate", "fsmonitor-watchman",
		"post-index-change"}
}

// fires returns, by hook, a command that runs it.
func fires() map[string]string {
	return map[string]string{
		"pre-commit":            "git commit --allow-empty -m x",
		"prepare-commit-msg":    "git commit --allow-empty -m x",
		"post-commit":           "git commit --allow-empty -m x",
		"post-checkout":         "git checkout -f side",
		"reference-transaction": "git branch x",
		"post-index-change":     "git add file.md",
	}
}
