package packet

// Kinds returns all kinds of faults.
func Kinds() []Kind {
	return []Kind{KindTooLarge, KindSyntax, KindNesting, KindValues, KindNotObject, KindVersion, KindNoVersion,
		KindType, KindMissing, KindUnknown, KindNewer, KindDuplicate, KindEncoding, KindShort, KindLong, KindMany,
		KindPattern, KindChoice, KindTime, KindMore}
}
