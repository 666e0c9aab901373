// Package base is one store with what every use case on it needs: the options of the program, the clock, the
// settings in effect, the texts of memories, and [Engine.Change], through which every change of a store goes.
//
// Each room of the engine has an Engine that embeds the one of the room below: base, trust, rank, find, change, tell.
// A room uses what is below it and knows nothing of what is above. Where a change has to call up, a room registers
// itself in [Engine.Also] and [Engine.Seals].
package base
