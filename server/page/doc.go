// Package page is the local page: an HTTP handler, rendered on the server, that shows a person the memories of a
// project and their own. It is an edge as mcp, hooks and cmd/ltm are: requests and answers are those of
// [ltm/memory/api], and words.go says what its readers can do next. It does not import the engine. The interfaces in
// [Options] name what it needs of it, such as [Memories], [Keeper] for views of a whole store and [Changer] for
// changes, and cmd/ltm-server connects the two.
//
// The page works without its script: a view is an address, with its filters, order and selection in the query. All
// addresses in pages are relative, behind [frame].Root, so that it works behind a proxy that adds a path. It fetches
// nothing from elsewhere.
//
// # A view
//
// A view is a file of Go and a template of the same name:
//
//   - NAME.go has nameView() view, its data type, and the function that loads it: request in, title and data out.
//     Errors are those of the engine; the site shows them with the status of their code.
//   - pages/NAME.html defines "main". Its dot is a [frame]: .Data is the view's data, and every link begins with
//     {{.Root}}. Shared parts are in pages/part-*.html: "marks", "time", "bar", "spans". Functions: functions.go.
//   - A line in views(), in the order of the navigation. A view without a name in the navigation is only linked.
//   - The common design of all pages is in [ltm/internal/look]. Style goes to a file of its own in assets/style, script
//     to one in assets/script: all files of a directory become one asset, in the order of their names, under an address
//     with a checksum. The policy forbids style attributes and scripts in pages; widths of bars are attributes of SVG.
//
// Everything that a template shows of a memory goes through line, clip or text, which remove invisible characters, and
// is bounded: topics may have 10,000 characters. A markdown text goes through markdown(), which returns the only HTML
// that templates do not escape.
//
// # An action
//
// An action changes something: a line in actions(), with a path for POST and a function that carries it out and returns
// a reply: the address to show next, or a page with the text that was typed and the reason why it was not stored. By
// then, the wall has checked that the request comes from the visitor's own page; an action only reads its form. GET
// never changes anything. A form is
//
//	<form method="post" action="{{.Root}}PATH">
//
// A change to memories that any view offers, for one or a selection, is a line in changes(), behind the one path
// /change. did() carries out a change and makes the bar that offers to undo it; done.go keeps the bars until the next
// page.
//
// An answer that is neither a page nor a change, such as a file, is a line in files().
//
// # Following changes
//
// live.go numbers the states of the stores. A page contains the number that it was made from, and a stream reports
// newer ones; the script then requests the page's address again and replaces the contents of "main". So a view needs no
// code for this, but its address must show the same when it is requested again. A form whose text should survive a
// reload has data-draft with a key of its own, and an element that a keyboard key activates has data-key.
//
// # What a view needs from the engine
//
// Add the method to [Memories], or declare an interface beside the view, with a field in [Options], and fill it in
// cmd/ltm-server/ui_wiring.go. Types of requests and answers belong to api.
//
// # The wall
//
// guard.go is around everything, assets included: host names, cross-origin requests, the session. Tests attack it
// through [Site]; a new kind of request, such as a stream of events, needs a test there.
package page
