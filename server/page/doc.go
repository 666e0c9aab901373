// Package page is the local page: an HTTP handler, rendered on the server, that shows a person the memories of a
// project and their own. It is an edge as mcp, hooks and cmd/ltm are: requests and answers are those of
// [ltm/memory/api], and what its readers do next is said here, in words.go. It does not know the engine. The
// interfaces in [Options] are what it needs of it, such as [Memories], [Keeper] for views of a whole store and
// [Changer] for changes, and cmd/ltm-server joins the two.
//
// The page works without the script: a view is an address, with its filters, order and selection in the query. All
// addresses in pages are relative, behind [frame].Root, so that it works behind a proxy that adds a path. It fetches
// nothing from elsewhere.
//
// # A view
//
// A view is a file of Go and a template of the same name:
//
//   - NAME.go has nameView() view, its data type, and what loads it: request in, title and data out. Errors are
//     those of the engine; the site shows them with the status of their code.
//   - pages/NAME.html defines "main". Its dot is a [frame]: .Data is the view's data, and every link begins with
//     {{.Root}}. Shared parts are in pages/part-*.html: "marks", "time", "bar", "spans". Functions: functions.go.
//   - A line in views(), in the order of the navigation. A view without a name in the navigation is only linked.
//   - What all pages of ltm look like is [ltm/internal/look]. Style goes to a file of its own in assets/style, script
//     to one in assets/script: all files of a directory become one asset, in the order of their names, under an address
//     with a checksum. The policy forbids style attributes and scripts in pages; widths of bars are attributes of SVG.
//
// Whatever a template shows of a memory goes through line, clip or text, which take away invisible characters, and is
// bounded: topics may have 10,000 characters. A text in markdown goes through markdown(), which returns the only HTML
// that templates do not escape.
//
// # An action
//
// An action changes something: a line in actions(), with a path for POST and a function that carries it out and returns
// a reply: the address to show next, or a page with what was typed and why it was not stored. The wall has checked by
// then that the visitor's own page asks; an action only reads its form. GET never changes anything. A form is
//
//	<form method="post" action="{{.Root}}PATH">
//
// What is done to memories from any view, one or a selection, is a line in changes(), behind the one path /change.
// did() carries out a change and makes the bar that offers to take it back; done.go keeps the bars until the next page.
//
// An answer that is neither a page nor a change, such as a file, is a line in files().
//
// # Following changes
//
// live.go numbers the states of the stores. A page has the number that it was made from, and a stream says when there
// is a newer one; the script then asks for the page's address again and replaces the contents of "main". So a view
// does nothing for it, but its address must show the same when it is asked for again. A form whose text should survive
// a reload has data-draft with a key of its own, and what a key of the keyboard presses has data-key.
//
// # What a view needs of the engine
//
// Add the method to [Memories], or declare an interface beside the view, with a field in [Options], and fill it in
// cmd/ltm-server/ui_wiring.go. Types of requests and answers belong to api.
//
// # The wall
//
// guard.go is around everything, assets included: host names, cross-origin requests, the session. Tests attack it
// through [Site]; a new kind of request, such as a stream of events, needs a test there.
package page
