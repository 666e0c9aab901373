package person

// Later is later, for tests.
func Later[T any](s *Shelves, fn func() (T, error)) func() (T, error) { return later(s, fn) }
