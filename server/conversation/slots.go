package conversation

// Slot is what kind of thing a reading says.
type Slot string

// The slots. Those of one value are in [Reading.Single].
const (
	Name      Slot = "name"
	Home      Slot = "home"
	Work      Slot = "work" // of: "" for whom, "as" what, "in" which field
	Education Slot = "education"
	Born      Slot = "born"
	Birthday  Slot = "birthday"
	Age       Slot = "age"
	Partner   Slot = "partner" // of: wife, husband …; the value is a name
	Family    Slot = "family"  // of: sister …; the value is a name, or who there is
	Pet       Slot = "pet"     // of: dog …
	Origin    Slot = "origin"
	Language  Slot = "language"
	Health    Slot = "health"
	Allergy   Slot = "allergy"
	Diet      Slot = "diet"
	Religion  Slot = "religion"
	Email     Slot = "email"
	Phone     Slot = "phone"
	Favorite  Slot = "favorite" // of: what
	Likes     Slot = "likes"
	Dislikes  Slot = "dislikes"
	Hobby     Slot = "hobby"
	Habit     Slot = "habit"
	Skill     Slot = "skill"
	Body      Slot = "body" // of: height, weight, size
	Owns      Slot = "owns"
	Project   Slot = "project"
	Planned   Slot = "plan"
	Goal      Slot = "goal"
	Limit     Slot = "constraint"
	Style     Slot = "style"
)

// Bucket returns where claims of the slot belong.
func (s Slot) Bucket() Bucket {
	switch s {
	case Favorite, Likes, Dislikes, Hobby, Habit:
		return Preferences
	case Allergy, Diet, Limit:
		return Constraints
	case Style:
		return CommunicationStyle
	case Goal:
		return Goals
	case Project, Planned:
		return Projects
	}
	return Profile
}

// importance returns that of a sentence which says the slot.
func (s Slot) importance() int {
	switch s {
	case Favorite, Likes, Dislikes, Hobby, Habit, Skill, Owns:
		return taste
	case Style, Goal, Project, Planned, Limit:
		return intent
	}
	return identity
}
