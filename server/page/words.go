package page

import (
	"context"
	"html/template"
	"net/http"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
)

// glossary has the words of the pages, each with what it means.
func glossary() (all [][2]string) {
	data, _ := embedded.ReadFile("pages/words.txt") // it is part of the program
	for line := range strings.Lines(string(data)) {
		word, means, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, [2]string{word, means})
	}
	return all
}

// explain returns a function of templates that shows a word, in lower or upper case, with what it means as its title.
func explain() func(word string) template.HTML {
	means := map[string]string{}
	for _, w := range glossary() {
		means[w[0]] = template.HTMLEscapeString(w[1])
	}
	return func(word string) template.HTML { // the words are the templates' own
		return template.HTML(`<abbr title="` + means[strings.ToLower(word)] + `">` + word + `</abbr>`) //nolint:gosec
	}
}

func wordsView() view {
	return view{path: "/words", page: "words", load: func(context.Context, *Site, *http.Request) (string, any, error) {
		return "Words", glossary(), nil
	}}
}

// nextSteps returns what readers of the page do next, by the kind of what happened. They have its views and a shell.
func nextSteps() advice.Table {
	return advice.Merge(advice.Common(), stepsOfMemories(), stepsOfFiles())
}

// stepsOfMemories follows memories that are not there, or not in the state that a change needs.
func stepsOfMemories() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:     "the list of memories has their ids",
		memory.KindMemoryUnknown:   "the list of memories shows those that exist, archives included",
		memory.KindForeignUnknown:  "Trust lists what comes from elsewhere",
		memory.KindArchiveMissing:  "the list of memories shows the archives, too",
		memory.KindOnlyArchived:    "it can be restored",
		memory.KindEditArchived:    "restore it first",
		memory.KindDuplicate:       "change that one instead",
		memory.KindMemoryHeldBack:  "approve it in Trust",
		memory.KindMergeUnresolved: "decide between the sides in Merges",
		memory.KindFileChanged:     "look at what it is now, and decide again",
		memory.KindGroupChanged:    "the changes of single memories can still be undone",
		memory.KindSettingTeam:     "it is a setting of the team: ltm config --shared",
		memory.KindStoreMissing:    "it begins with the first memory",
		memory.KindEarlierText:     "the memory itself shows what it says now",
		memory.KindPartOnly:        "the archives have the full text",
		memory.KindHeldBack:        "approve them in Trust",
		memory.KindArchivedMatch:   "choose archives to see it",
		memory.KindArchivedMatches: "choose archives to see them",
		memory.KindForgotten:       "it can be restored",
		memory.KindAllCritical:     "unpin some, or raise max_memories",
		memory.KindCriticalBudget:  "unpin some, shorten them, or raise {}",
		memory.KindCriticalClient:  "unpin some, or shorten them",
		memory.KindCriticalMany:    "unpin some, or raise max_memories",
		memory.KindUserFailed:      "\"ltm check --user\" says what is wrong",
		memory.KindTakenOver:       "memories that were here before count as from elsewhere until Trust approves them",
		memory.KindPacketUnknown:   "Packets lists those that exist",
	}
}

// stepsOfFiles follows files and their repair.
func stepsOfFiles() advice.Table {
	return advice.Table{
		memory.KindFileUnreadable:  "Health can repair it",
		memory.KindLockHeld:        "try again in a moment",
		memory.KindMemoryDamaged:   "repair the file by hand, or see Health",
		memory.KindTrustDamaged:    "Health starts a new file and keeps this one beside it",
		memory.KindCandidate:       "it was accepted, dropped or changed, here or elsewhere; Candidates lists the rest",
		memory.KindReviewPartly:    "Candidates lists what is left",
		memory.KindReviewDamaged:   "Health starts a new file and keeps this one beside it",
		memory.KindPathBlocked:     "move it away, then repair in Health",
		memory.KindBatchStopped:    "repair the directory or its disk; the next change goes on with it",
		memory.KindCountersFailed:  "the memories themselves had been written, so do not repeat it; repair the disk",
		memory.KindRemarks:         "Health lists them",
		memory.KindRepairable:      "Health repairs them, and shows how first",
		memory.KindRestRepairable:  "Health repairs the rest, and shows how first",
		memory.KindMerges:          "", // the page lists them
		memory.KindFoundMergeText:  "decide between the sides in Merges",
		memory.KindFoundMerge:      "a repair keeps both sides",
		memory.KindFoundText:       "a repair archives the text and leaves the stub",
		memory.KindFoundUnreadable: "repair it by hand, or a repair moves it to the archives byte for byte",
		memory.KindFoundIndex:      "the next change, or a repair, rewrites it from the memories",
		memory.KindFoundLeft:       "a repair brings it back",
		memory.KindFoundLost:       "a repair looks for it in the archives and in git",
		memory.KindSecretFound:     "take it out, and rotate it at the service: git's history may have it",
		memory.KindSecretsFound:    "take them out, and rotate them at the service: git's history may have them",
	}
}
