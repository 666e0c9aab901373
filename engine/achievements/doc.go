// Package achievements finds in git's history what is worth a memory: releases, features, merged
// pull requests. It is pure: it gets commits as values, starts no git and stores nothing.
//
// [Find] goes by what people declare, in this order: tags, conventional commits (feat, perf, and
// any type with "!"), titles of pull requests, and at last whole words at the start of a subject.
// A pull request's title is that of its merge or squashed commit, and has the same rules first.
// Bots and new versions of dependencies are left out, and so is what it cannot tell: a memory that is
// missing costs less than one that is wrong.
//
// [ID] derives the id of a memory from the change itself, so that a commit that was amended,
// rebased or cherry-picked is the same achievement.
package achievements
