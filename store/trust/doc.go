// Package trust keeps the record of the contents that were written or approved in one clone. It is a text file to which
// every change appends a line, so that adding one costs the same however many there are:
//
//	mem_1a2b3c4d 4c5dc9b7708905f77f5e5d16316b5dfb   this content of this memory
//	mem_1a2b3c4d -                                  no content of this memory
//	@ mem_1a2b3c4d 2 MFRGGZDF                       the next two lines are an approval of that name
//	all 9e107d9d372bb6826bd81d3542a419d6            marks are not wanted in this clone
//	all -                                           marks are wanted
//
// A later line takes precedence. Each value is the start of an HMAC-SHA256 over the id and the content, with "\n" line
// ends, under a random secret that was generated on this machine and is not part of any repository. So a record, or a
// line of one, that was written elsewhere does not count.
package trust
