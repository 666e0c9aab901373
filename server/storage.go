package server

import (
	"context"
	"time"

	"ltm/server/threads"
)

// The reasons of errors of a [Storage]. All others are faults of the database itself.
const (
	ErrNotFound = threads.ErrNotFound // or not the caller's to see
	ErrTaken    = threads.ErrTaken    // by another row: a name, an id, a packet of another author

	ErrStale    threads.Reason = "changed meanwhile"     // If-Match names another version
	ErrDenied   threads.Reason = "not allowed"           // the caller sees it, but may not do this
	ErrOwner    threads.Reason = "the owner cannot"      // leave or be removed: the ownership goes to another first
	ErrNoMember threads.Reason = "not a member"          // of the team
	ErrGone     threads.Reason = "expired or used up"    // an invite, a device code
	ErrPending  threads.Reason = "not approved yet"      // a device code
	ErrLimit    threads.Reason = "more than allowed"     // a quota; the error is a [LimitError]
	ErrBusy     threads.Reason = "the database is busy"  // the same may succeed soon
	ErrFull     threads.Reason = "the disk is full"      // of the database; the change did not happen
	ErrAway     threads.Reason = "the database is gone"  // it cannot be reached, was moved, or takes no changes
	ErrNewer    threads.Reason = "newer database"        // a newer program wrote it
	ErrReused   threads.Reason = "used for another body" // an idempotency key
	ErrUnderWay threads.Reason = "still being answered"  // the request that first had an idempotency key

	ErrAmbiguous threads.Reason = "not the only one"       // several have an id that begins so
	ErrTooLong   threads.Reason = "longer than 1024 bytes" // an id, a name, an address, a code, a key
)

// A LimitError says which quota a request exceeds. It matches [ErrLimit].
type LimitError struct {
	What string // "packets", "bytes", "teams", "members", "invites", "tokens"
	Max  int64
}

// Error implements error.
func (e *LimitError) Error() string { return "more " + e.What + " than allowed" }

// Unwrap makes the error match [ErrLimit].
func (e *LimitError) Unwrap() error { return ErrLimit }

// Storage keeps users, tokens, teams, invites and packets. Every method is one transaction: it happens
// whole or not at all, with its lines of the audit log ([ActorOf]), and what it acknowledged is on disk. It may be used
// by many goroutines, and a database by several servers. Times are in UTC, to the microsecond. Texts come back byte for
// byte.
//
// A caller sees a personal packet if it is theirs, and a packet of a team while they are in it.
// Whatever a caller does not see is [ErrNotFound].
type Storage interface {
	Users
	Tokens
	Teams
	Invites
	Packets
	Devices
	Idempotency

	// Ping reports whether the database answers and, if a change failed by [ErrFull] or [ErrAway], whether changes
	// succeed again.
	Ping(ctx context.Context) error

	// Purge permanently removes what was deleted, expired or used up before a time: packets and their
	// words, teams, invites, tokens, device codes, idempotency keys; of applications, keys, finished jobs and lines of
	// the feed of changes. It works in small steps, so that
	// others are not held up, until the database itself has to remove the bytes from its file. [ErrBusy]:
	// it could not, and another purge will.
	Purge(ctx context.Context, before time.Time) (Purged, error)

	// Stats tells how this process gets on with the database. It does not ask the database.
	Stats() Stats

	// Totals counts what there is.
	Totals(ctx context.Context) (Totals, error)

	Close() error
}

// Users keeps the people.
type Users interface {
	// CreateUser adds a user. [ErrTaken]: another has the name or the email address.
	CreateUser(ctx context.Context, u User) error

	// CreateUsers adds users, all or none. After an error, failed is the index of the user that it is about.
	CreateUsers(ctx context.Context, users []User) (failed int, err error)
	User(ctx context.Context, id string) (User, error)

	// FindUser returns the user with this id, name or email address.
	FindUser(ctx context.Context, given string) (User, error)

	// ListUsers returns all users that are not deleted, the oldest first.
	ListUsers(ctx context.Context) ([]User, error)

	// DisableUser lets a user in no longer, or lets them in again, and keeps everything that is theirs. Meanwhile their
	// open invites count as closed.
	DisableUser(ctx context.Context, id string, disabled bool, at time.Time) error

	// DeleteUser removes a user: their tokens stop, their personal packets are deleted, their open invites end, they
	// leave their teams. Packets that they wrote for a team stay the team's; once they are purged, its Author is empty.
	// [ErrOwner]: they own a team.
	DeleteUser(ctx context.Context, id string, at time.Time) error
}

// User is a person or a program that has tokens.
type User struct {
	ID        string // ULID
	Name      string // unique among users if not empty; for the command line
	Email     string // unique if not empty; only they themselves and the operator see it
	Display   string // what others see
	CreatedAt time.Time

	DisabledAt time.Time // since when the operator does not let them in; zero: they are let in
}

// Tokens keeps hashes of bearer tokens, never the tokens.
type Tokens interface {
	// CreateToken adds a token, and returns [LimitError] if the user would have more than most that
	// have not ended.
	CreateToken(ctx context.Context, t Token, most int) error

	// Authenticate returns the token with this hash and its user, who may be disabled, if neither expired, revoked nor
	// deleted at this time. It notes the time of use at most once a minute, if the database lets it.
	Authenticate(ctx context.Context, hash [32]byte, at time.Time) (Token, User, error)

	// ListTokens returns the tokens of a user, the newest first; all users' if it is empty.
	ListTokens(ctx context.Context, user string) ([]Token, error)

	// RevokeToken ends a token now; one that was revoked before stays as it is. It may be given by its
	// id or the beginning of it. [ErrAmbiguous].
	RevokeToken(ctx context.Context, id string, at time.Time) error

	// RotateToken adds a token of the same user in the place of an old one, which ends at the given time
	// or earlier. The old one is given as to RevokeToken; [ErrGone]: it has ended.
	RotateToken(ctx context.Context, old string, t Token, ends time.Time) error
}

// Token is what a program shows to be let in as a user.
type Token struct {
	ID        string // ULID; not secret
	UserID    string
	Name      string // the machine or purpose
	Hash      [32]byte
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	RevokedAt time.Time // zero: not
	UsedAt    time.Time // zero: never
}

// Teams keeps teams and who is in them.
type Teams interface {
	// CreateTeam adds a team with its owner as its first member. [ErrTaken]: the name. [LimitError]: the
	// user would own more than most teams. A deleted team's name is free.
	CreateTeam(ctx context.Context, t Team, most int) error

	// TeamOf returns the team with this name if the caller is in it.
	TeamOf(ctx context.Context, caller, name string) (Team, error)

	// ListTeams returns the caller's teams, the oldest first.
	ListTeams(ctx context.Context, caller string) ([]Team, error)

	// DeleteTeam deletes a team with its members, invites and packets. [ErrDenied]: the caller is
	// a member, but not the owner.
	DeleteTeam(ctx context.Context, caller, name string, at time.Time) error

	// ListMembers returns the members of the caller's team, the oldest first.
	ListMembers(ctx context.Context, caller, name string) ([]Member, error)

	// RemoveMember removes a user from the owner's team, and revokes all open invites of the team:
	// who is removed may know them. [ErrDenied], [ErrOwner]; [ErrNotFound]: team; [ErrNoMember].
	RemoveMember(ctx context.Context, caller, name, user string, at time.Time) error

	// LeaveTeam takes the caller out of a team, and revokes the open invites that they made. [ErrOwner].
	LeaveTeam(ctx context.Context, caller, name string, at time.Time) error

	// TransferTeam makes another member the owner. [ErrDenied], [ErrNoMember].
	TransferTeam(ctx context.Context, caller, name, user string, at time.Time) error
}

// Team is a group of users who read each other's packets.
type Team struct {
	ID        string // ULID
	Name      string // unique on the server
	OwnerID   string
	CreatedAt time.Time
}

// Member is a user in a team.
type Member struct {
	User     User
	Owner    bool
	JoinedAt time.Time
}

// Invites keeps hashes of invite codes, never the codes.
type Invites interface {
	// CreateInvite adds an invite to the caller's team, which may have that many open ones at most.
	CreateInvite(ctx context.Context, caller, team string, i Invite, most int) error

	// ListInvites returns the open invites of the caller's team, the newest first.
	ListInvites(ctx context.Context, caller, team string, at time.Time) ([]Invite, error)

	// RevokeInvite ends an open invite: the owner any, a member their own. [ErrDenied].
	RevokeInvite(ctx context.Context, caller, team, id string, at time.Time) error

	// InviteOf returns the open invite with this code's hash and its team, and changes nothing.
	// [ErrGone]: no such invite.
	InviteOf(ctx context.Context, hash [32]byte, at time.Time) (Invite, Team, error)

	// AcceptInvite makes a user a member and uses the invite up; [ErrGone] if it is not open. For a
	// new user, token is theirs and both are added; otherwise token is nil. A member's own acceptance
	// changes nothing and leaves the invite open. [LimitError]: the team would have more than most
	// members.
	AcceptInvite(ctx context.Context, hash [32]byte, user User, token *Token, most int, at time.Time) (Team, error)
}

// Invite lets one person into a team.
type Invite struct {
	ID        string // ULID; not secret
	TeamID    string
	Hash      [32]byte
	CreatedBy string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Packets keeps packets. Within a scope, which is a user or a team, an id belongs to the user who
// first sent it; in another scope the same id is another packet.
type Packets interface {
	// PutPacket keeps a packet as the newest version of its id in its scope. The same bytes again
	// change nothing, whatever IfMatch says. A deleted packet of the same author comes back. A packet
	// that does not grow its scope is within the quota.
	//
	// [ErrNotFound]: the caller is not in the team. [ErrTaken]: another member's packet has the id.
	// [ErrStale]: see PutPacket.IfMatch. [LimitError]: quotas.
	PutPacket(ctx context.Context, p PutPacket, q Quota) (Put, error)

	// PacketOf returns a packet that the caller sees. If several scopes have the id, the caller's own
	// goes first, then the team that they joined first.
	PacketOf(ctx context.Context, caller, id string) (StoredPacket, error)

	// ListPackets returns the packets of a scope by their time and then by the bytes of their id, both
	// descending.
	ListPackets(ctx context.Context, q PacketQuery) ([]PacketEntry, error)

	// DeletePacket deletes the packet that PacketOf returns: its author's, or any of the owner's team. An author who
	// left the team may still delete. A caller who may read but not delete gets [ErrDenied]. Its text goes at once, and
	// its id stays its author's until a purge.
	DeletePacket(ctx context.Context, caller, id, ifMatch string, at time.Time) error
}

// PutPacket is a packet to keep.
type PutPacket struct {
	Caller  string
	Team    string // its name; empty: the caller's own scope
	ID      string
	Parent  string
	Body    []byte // the canonical bytes
	Goal    string
	Project string    // project.name
	Tags    []string  // without repeats
	Words   []string  // what the text filter finds it by, as [Words] makes them
	Created time.Time // created_at of the packet
	At      time.Time // now

	// IfMatch is the version that the change is based on; "*": any that exists; empty: no condition.
	IfMatch string

	// IfNoneMatch reports that there must be none yet.
	IfNoneMatch bool
}

// Put tells what [Packets.PutPacket] did.
type Put struct {
	Created bool   // there was none, or a deleted one
	Version string // the entity tag, without quotes: a hash of the bytes
}

// StoredPacket is a packet with what the server knows about it.
type StoredPacket struct {
	Body     []byte
	Version  string
	AuthorID string
	Team     string // its name; empty: personal
	StoredAt time.Time
}

// Quota bounds what one scope may keep.
type Quota struct {
	Packets int64 // a user's personal packets, or a team's
	Bytes   int64
}

// PacketQuery asks for a page of a scope. Zero fields do not filter.
type PacketQuery struct {
	Caller  string
	Team    string // empty: the caller's own packets
	Tag     string
	Project string
	Parent  string
	Since   time.Time // CreatedAt at this time or later
	Words   []string  // all of these
	Limit   int

	// After is the place of the last entry of the page before.
	After *PacketPlace
}

// PacketPlace is a place in the order of a list.
type PacketPlace struct {
	Created time.Time
	ID      string
}

// PacketEntry is a line of a list.
type PacketEntry struct {
	ID      string
	Parent  string
	Goal    string
	Project string
	Tags    []string
	Author  string // what others see of the user
	Created time.Time
	Version string
}

// Devices keeps the codes of the device flow (RFC 8628).
type Devices interface {
	// CreateDevice adds a device that waits. [ErrTaken]: another waits under its user code.
	CreateDevice(ctx context.Context, d Device) error

	// ApproveDevice lets the device that waits under this user code in as a user, or denies it if user
	// is empty.
	ApproveDevice(ctx context.Context, userCode, user string, at time.Time) error

	// TakeDevice returns the approved device once and adds its token, with the device's user as the
	// token's. With [ErrPending], the device is as it was before, and its PolledAt becomes the given
	// time. [ErrDenied], [ErrGone]. [LimitError]: the user would have more tokens than most that have not
	// ended; the device stays approved.
	TakeDevice(ctx context.Context, hash [32]byte, token Token, most int, at time.Time) (Device, error)

	// PendingDevice returns the device that waits under this user code.
	PendingDevice(ctx context.Context, userCode string, at time.Time) (Device, error)
}

// Device is a request of a program to be let in, which a person approves elsewhere.
type Device struct {
	ID        string
	Hash      [32]byte // of the device code
	UserCode  string   // what the person types
	Name      string   // what the program calls itself
	UserID    string   // who approved it
	CreatedAt time.Time
	ExpiresAt time.Time
	PolledAt  time.Time // when it last asked
}

// Idempotency keeps the answers to requests that carried an Idempotency-Key.
type Idempotency interface {
	// Begin reserves a key of a user for a request with this hash. If the request was answered
	// before, it returns the answer; [ErrUnderWay] while another handles it, but for no longer than a
	// minute, since the server that did may have died; [ErrReused] if the hash differs.
	Begin(ctx context.Context, user, key string, request [32]byte, at time.Time) (*Answer, error)

	// Finish keeps the answer; nil frees the key. An answer that is kept stays.
	Finish(ctx context.Context, user, key string, a *Answer) error
}

// Answer is what a request was answered with.
type Answer struct {
	Status int
	Header map[string]string
	Body   []byte
}

// Purged counts what [Storage.Purge] removed.
type Purged struct {
	Packets, Teams, Invites, Tokens, Users, Devices, Keys int64

	AppKeys, Jobs, Changes int64 // keys of applications, finished jobs, lines of the feed of changes
}

// Stats is how a process gets on with a database since it opened it.
type Stats struct {
	Open, InUse int           // connections
	Waits       int64         // how often a connection was waited for
	Waited      time.Duration // and how long in all
	Purged      time.Time     // when a purge last succeeded; zero: not yet

	Free *uint64 // bytes on the disk of the database; nil if unknown, as with Postgres

	Busy, Full, Away int64 // operations that failed by ErrBusy, ErrFull and ErrAway
}

// Totals counts what a database holds, without what was deleted.
type Totals struct {
	Users, Tokens, Teams, Invites, Packets, Bytes int64

	Apps, AppKeys, Subjects int64 // subjects are the users of all applications

	BackedUp time.Time // when a backup last succeeded, whoever made it; zero: never
}
