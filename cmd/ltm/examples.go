package main

import "strings"

// exampleText lists the commands, each followed by the examples in its help.
const exampleText = `ltm
  ltm remember 'The retry budget is per host' 'See retry.go: 3 tries, then it fails.'
  ltm recall 'how often do we retry?'
  ltm -C ../other-project list
ltm remember
  ltm remember 'The retry budget is per host' 'See retry.go: 3 tries, then it fails.' --tag http,retry
  ltm remember 'Release checklist' - --importance important < checklist.md
  ltm remember 'Why we left Redis'        # opens your editor
ltm recall
  ltm recall 'why do uploads time out?'
  ltm recall '"connection pool" -redis' --tag postgres --explain
  git log -1 --format=%s | ltm recall - --limit 3
ltm list
  ltm list --sort used --limit 0
  ltm list --since 7d --sort age --reverse
  ltm list --tag go,db --json
ltm show
  ltm show mem_1a2b3c4d
  ltm show 1a2b 3c4d              # the beginning of an id is enough
  ltm list --tag release | ltm show -
ltm pick
  ltm pick
  ltm pick retry | ltm show -
  ltm pick --archives | ltm restore -
ltm update
  ltm update 1a2b --content - < notes.md
  ltm update 1a2b --tag http,retry --difficulty 0.7
  ltm update 1a2b --disputes 3c4d
ltm correct
  ltm correct 1a2b 'The retry budget is per host and minute since v2.'
  ltm correct 1a2b                # opens your editor with the old text
  ltm correct 1a2b - --topic 'Retry budget' < notes.md
ltm edit
  ltm edit 1a2b
  ltm edit 1a2b --from .git/ltm/rejected/mem_1a2b3c4d.md
ltm tag
  ltm tag
  ltm tag add http,retry 1a2b 3c4d
  ltm tag rename golang go
ltm alias
  ltm alias 1a2b
  ltm alias 1a2b add 'why do requests hang?' pgbouncer
  ltm alias 1a2b rm pgbouncer
ltm tag list
  ltm tag list
  ltm tag list --json
ltm tag add
  ltm tag add http,retry 1a2b 3c4d
  ltm list --keyword upload | ltm tag add upload -
ltm tag rm
  ltm tag rm draft 1a2b
  ltm list --tag draft | ltm tag rm draft -
ltm tag rename
  ltm tag rename golang go
  ltm tag rename v1 v2 1a2b 3c4d
ltm pin
  ltm pin 1a2b
  ltm pin --as important 1a2b 3c4d
ltm unpin
  ltm unpin 1a2b
  ltm list --importance low | ltm unpin -
ltm forget
  ltm forget 1a2b 3c4d
  ltm list --tag obsolete --limit 0 | ltm forget -
  ltm forget --hard mem_1a2b3c4d
ltm restore
  ltm restore 1a2b
  ltm restore 1a2b --importance important
  ltm list --archives --tag http | ltm restore -
ltm undo
  ltm undo
  ltm undo 1a2b
  ltm undo --list
ltm resolve
  ltm resolve 1a2b --ours
  ltm resolve 1a2b --both
ltm write
  ltm write
  ltm write --goal 'Uploads survive a slow region' --next 'Run the upload tests on staging'
  ltm write --from handover.json --check 'make test: passed' --parent 01K3Q8ZJ
ltm resume
  ltm resume
  claude "$(ltm resume 01K3Q8ZJ)"
  ltm resume --copy --max-chars 9000
ltm packet
  ltm packet
  ltm packet --branch main --since 7d
ltm packet ls
  ltm packet ls
  ltm packet ls --all --tag http --json
ltm packet search
  ltm packet search upload region
  ltm packet search retry --all
ltm packet show
  ltm packet show 01K3Q8ZJ
  ltm packet show 01K3Q8ZJ --json
ltm packet chain
  ltm packet chain 01K3Q8ZJ
  ltm packet chain 01K3Q8ZJ --json
ltm packet diff
  ltm packet diff 01K3Q8ZJ 01K3QB04
  ltm packet diff 01K3Q8ZJ received.json
ltm packet validate
  ltm packet validate received.json
  ltm packet validate --json - < received.json
ltm packet done
  ltm packet done 01K3Q8ZJ
  ltm packet done 01K3Q8ZJ --undo
ltm packet rm
  ltm packet rm 01K3Q8ZJ6M4T2V9XWBDN7RHE01
  ltm packet rm 01K3Q8ZJ6M4T2V9XWBDN7RHE01 --yes
ltm archives
  ltm archives
  ltm archives connection pool --limit 3
  ltm archives prune --older-than 180d --dry-run
ltm archives list
  ltm archives list
  ltm archives list --tag http --limit 0
ltm archives prune
  ltm archives prune --older-than 180d --dry-run
  ltm archives prune --older-than 26w --yes
  ltm archives prune mem_1a2b3c4d
ltm log
  ltm log
  ltm log --limit 100 --json
ltm why
  ltm why 1a2b
  ltm why 1a2b --json
ltm graph
  ltm graph
  ltm graph 1a2b
  ltm graph --format dot | dot -Tsvg > memories.svg
ltm history
  ltm history 1a2b
  ltm history 1a2b --json
ltm diff
  ltm diff 1a2b
  ltm diff 1a2b archive.2 now
ltm init
  ltm init --dry-run
  ltm init
  ltm init --undo
ltm doctor
  ltm doctor
  ltm doctor --json
ltm status
  ltm status
  ltm status --json
ltm stats
  ltm stats
  ltm stats --json
ltm context
  ltm context
  ltm context --style compact
  ltm context --json
ltm check
  ltm check
  ltm check --secrets --json
ltm fix
  ltm fix --dry-run
  ltm fix
ltm achievements
  ltm achievements --dry-run
  ltm achievements --since 2026-01-01 --yes
ltm evict
  ltm evict --dry-run
  ltm evict
ltm fade
  ltm fade --dry-run
  ltm fade --write
ltm trust
  ltm trust
  ltm trust 1a2b 3c4d
  ltm trust --all
ltm export
  ltm export memories.json
  ltm export - --include active | ltm -C ../other import -
  ltm export --format claude-ltm for-claude-ltm.json
ltm import
  ltm import memories.json --dry-run
  ltm import memories.json --scope project
  ltm import notes/
ltm user
  ltm user
  ltm remember --user 'Tabs, not spaces' 'In every project.'
  ltm user --json
ltm key
  ltm key new
  ltm key list
ltm key new
  ltm key new
  ltm key new --json
ltm key list
  ltm key list
  ltm key list --json
ltm key show
  ltm key show
  ltm key show --secret --to ~/ltm-key.txt
ltm key import
  ltm key import ~/ltm-key.txt
  pass show ltm | ltm key import -
ltm key use
  ltm key use 3f9a
  ltm key use 3f9a --json
ltm key rm
  ltm key rm 3f9a
  ltm key rm 3f9a --yes
ltm sign
  ltm sign --dry-run
  ltm sign 1a2b
  ltm sign --ssh
ltm stale
  ltm stale
  ltm stale --exit-code           # in CI: fails if a memory is stale
ltm verify
  ltm verify 1a2b
  ltm verify 1a2b 3c4d --follow
ltm verify-signature
  ltm verify-signature
  ltm verify-signature 1a2b --json
ltm push
  ltm push                            # the newest packet of this branch
  ltm push 01K3Q8ZJ -t harbor
  ltm push --queued
ltm pull
  ltm pull 01K3Q8ZJ6M4T2V9XWBDN7RHE02
  ltm pull 01K3Q8ZJ6M4T2V9XWBDN7RHE02 --stdout
ltm save
  ltm save --goal 'Uploads survive a restart' --next 'Make the test in upload_test.go pass' -t harbor
  ltm save --from packet.json
ltm auth
  ltm auth https://ltm.example.org    # asks for the token
  pass show ltm-token | ltm auth https://ltm.example.org
  ltm auth --device https://ltm.example.org
ltm auth whoami
  ltm auth whoami
  ltm auth whoami --host https://ltm.example.org --json
ltm auth ls
  ltm auth ls
  ltm auth ls --json
ltm auth use
  ltm auth use https://ltm.example.org
  ltm auth use localhost:8080
ltm auth rm
  ltm auth rm https://ltm.example.org
  ltm auth rm localhost:8080 --json
ltm teams
  ltm teams
  ltm teams --json
ltm teams create
  ltm teams create harbor
  ltm teams create harbor --host https://ltm.example.org
ltm teams ls
  ltm teams ls
  ltm teams ls --json
ltm teams rm
  ltm teams rm harbor
  ltm teams rm harbor --yes
ltm teams leave
  ltm teams leave harbor
  ltm teams leave harbor --json
ltm teams members
  ltm teams members harbor
  ltm teams members harbor --json
ltm teams remove
  ltm teams remove harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01
  ltm teams remove harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01 --json
ltm teams transfer
  ltm teams transfer harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01
  ltm teams transfer harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01 --yes
ltm invite
  ltm invite -t harbor
  ltm invite -t harbor --json
ltm invite ls
  ltm invite ls -t harbor
  ltm invite ls -t harbor --json
ltm invite revoke
  ltm invite revoke -t harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01
  ltm invite revoke -t harbor 01K3Q8ZJ6M4T2V9XWBDN7RHE01 --json
ltm join
  ltm join https://ltm.example.org/v1/invites/5f3a90c1d2e4b6a8
  ltm join 5f3a90c1d2e4b6a8 --name Mira --yes
ltm user init
  ltm user init
  git clone git@example.org:me/memories.git ~/.local/share/ltm   # then: ltm user
ltm config
  ltm config
  ltm config memories_to_load 5
  ltm config --shared max_memories 200
ltm server
  ltm server init --db ltm.db > token
  ltm server serve --db ltm.db
  ltm server token ls
ltm ui
  ltm ui
  ltm ui --no-open --port 5861
ltm mcp
  ltm mcp                         # waits for a client's messages
  claude mcp add ltm -- ltm mcp
ltm hook
  ltm hook SessionStart < payload.json
  ltm hook PostToolUse < payload.json
ltm version
  ltm version
  ltm version --json
ltm help
  ltm help recall
  ltm help tag add
ltm completion
  ltm completion bash > ~/.local/share/bash-completion/completions/ltm
  ltm completion powershell >> $PROFILE
ltm completion bash
  ltm completion bash > ~/.local/share/bash-completion/completions/ltm
  ltm completion bash --no-descriptions
ltm completion zsh
  ltm completion zsh > ~/.local/share/zsh/site-functions/_ltm
  ltm completion zsh --no-descriptions
ltm completion fish
  ltm completion fish > ~/.config/fish/completions/ltm.fish
  ltm completion fish --no-descriptions
ltm completion powershell
  ltm completion powershell >> $PROFILE
  ltm completion powershell --no-descriptions
`

// examples returns the examples by command, as the help shows them.
func examples() map[string]string {
	found := map[string]string{}
	command := ""
	for line := range strings.SplitSeq(strings.TrimSpace(exampleText), "\n") {
		switch {
		case !strings.HasPrefix(line, " "):
			command = line
		case found[command] == "":
			found[command] = line
		default:
			found[command] += "\n" + line
		}
	}
	return found
}
