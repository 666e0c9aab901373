// Package achievements finds events in git's history that are worth a memory: releases, features, merged pull requests.
// It is pure: it takes commits as values, does not run git and stores nothing.
//
// [Find] relies on what people declare, in this order: tags, conventional commits (feat, perf, and any type with "!"),
// titles of pull requests, and finally whole words at the start of a subject. A pull request's title is that of its
// merge or squashed commit; the earlier rules apply to it first. Bots and new versions of dependencies are left out,
// and so are doubtful cases: a missing memory costs less than a wrong one.
//
// [ID] derives the id of a memory from the change itself, so that an amended, rebased or cherry-picked commit is the
// same achievement.
package achievements
