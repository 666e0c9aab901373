package memory

// Kind identifies the exact situation that an [Error] or a [Remark] is about. Edges look up the next step by it. The
// text of a kind never changes its meaning, because programs may test for it.
type Kind string

// A person or a model gave a value that is not allowed. The subject is the name of the text, such
// as "content", or the tag.
const (
	KindIDMalformed        Kind = "id_malformed" // the subject is what was given, as of the next seven
	KindImportanceUnknown  Kind = "importance_unknown"
	KindCategoryUnknown    Kind = "category_unknown"
	KindPhaseUnknown       Kind = "phase_unknown"
	KindIncludeUnknown     Kind = "include_unknown"
	KindOrderUnknown       Kind = "order_unknown"
	KindAgeMalformed       Kind = "age_malformed"
	KindScopeUnknown       Kind = "scope_unknown"
	KindTopicEmpty         Kind = "topic_empty"
	KindTopicTooLong       Kind = "topic_too_long"
	KindTopicOutdated      Kind = "topic_outdated" // the new text has no more what the topic says
	KindContentEmpty       Kind = "content_empty"
	KindContentTooLong     Kind = "content_too_long"
	KindTextConflicted     Kind = "text_conflicted" // it has merge conflict markers
	KindSummaryConflicted  Kind = "summary_conflicted"
	KindSummaryTooLong     Kind = "summary_too_long"
	KindTagsTooMany        Kind = "tags_too_many"
	KindTagTooLong         Kind = "tag_too_long"
	KindTagEmpty           Kind = "tag_empty"
	KindAliasTooLong       Kind = "alias_too_long"
	KindAliasesTooMany     Kind = "aliases_too_many"
	KindDifficultyRange    Kind = "difficulty_range"
	KindConfidenceRange    Kind = "confidence_range"
	KindLinkToSelf         Kind = "link_to_self"   // a memory names itself; the subject is its id
	KindLinkCycle          Kind = "link_cycle"     // a memory would supersede its own correction, the subject
	KindLinksTooMany       Kind = "links_too_many" // the subject is the key
	KindAgentMalformed     Kind = "agent_malformed"
	KindCommitMalformed    Kind = "commit_malformed"
	KindOriginMalformed    Kind = "origin_malformed"
	KindSignatureMalformed Kind = "signature_malformed" // the subject is the memory's id
	KindRefMalformed       Kind = "ref_malformed"       // the subject is what was given
	KindRefsTooMany        Kind = "refs_too_many"
	KindRefUntaken         Kind = "ref_untaken" // a given file does not exist, or git ignores it
	KindRefMoved           Kind = "ref_moved"   // a file that a memory refers to is elsewhere now
	KindQueryEmpty         Kind = "query_empty"
	KindQueryTooLong       Kind = "query_too_long"
	KindTextNotUTF8        Kind = "text_not_utf8"
	KindTextNUL            Kind = "text_nul"
	KindPhaseWithoutFile   Kind = "phase_without_file"
	KindTextSecret         Kind = "text_secret"      // a text for a memory seems to hold a credential
	KindEditedSecret       Kind = "edited_secret"    // a file that a person edited, or a setting's value, does
	KindImportanceTwice    Kind = "importance_twice" // the importance and a tag contradict each other
	KindTagsTwice          Kind = "tags_twice"       // all tags were given, and tags to add or remove
	KindTagAddedAndRemoved Kind = "tag_added_and_removed"
	KindImportanceRenamed  Kind = "importance_renamed" // an importance was given as the name of a tag to rename
	KindTagsSame           Kind = "tags_same"          // the old and the new tag are the same
)

// A request is empty, asks for too much, or contradicts itself.
const (
	KindPatchEmpty      Kind = "patch_empty"
	KindContentTwice    Kind = "content_twice" // content and append were both given
	KindAppendEmpty     Kind = "append_empty"
	KindAppendRepeated  Kind = "append_repeated" // the memory ends with the text already; the subject is its id
	KindAppendNoFull    Kind = "append_no_full"  // the full text is missing
	KindIDsNone         Kind = "ids_none"
	KindIDsTooMany      Kind = "ids_too_many"
	KindIDAmbiguous     Kind = "id_ambiguous"      // several ids begin like this; the message lists them
	KindTooLongTogether Kind = "too_long_together" // a memory does not fit into an answer about several
	KindPruneNoAge      Kind = "prune_no_age"
	KindRequestInvalid  Kind = "request_invalid" // an edge cannot parse a request; the message is complete
)

// A person edited a memory's file, and the result cannot be stored.
const (
	KindEditedUnreadable Kind = "edited_unreadable"
	KindEditedNoHeader   Kind = "edited_no_header"
	KindEditedConflicted Kind = "edited_conflicted"
	KindEditedID         Kind = "edited_id"
	KindEditedMeanwhile  Kind = "edited_meanwhile" // the file was changed while it was edited
	KindPlanMeanwhile    Kind = "plan_meanwhile"   // a repair would do something else than the plan that was shown
)

// What was asked for does not exist. The subject is the id, tag or place.
const (
	KindMemoryUnknown  Kind = "memory_unknown"
	KindMemoryMisspelt Kind = "memory_misspelt" // other ids look like it; the message lists them
	KindForeignUnknown Kind = "foreign_unknown" // no foreign memory to approve
	KindAliasUnknown   Kind = "alias_unknown"   // a memory does not have it; the subject is the id
	KindArchiveMissing Kind = "archive_missing" // no archive to remove
	KindTagUnknown     Kind = "tag_unknown"
	KindTagMisspelt    Kind = "tag_misspelt"  // the subject is a tag that looks like it
	KindOnlyArchived   Kind = "only_archived" // a memory to read is only in the archives
	KindEditArchived   Kind = "edit_archived" // a memory to change is only in the archives
	KindStoreMissing   Kind = "store_missing"
	KindSessionNone    Kind = "session_none"
	KindCandidate      Kind = "candidate"      // no candidate has that id, or it was changed
	KindReviewPartly   Kind = "review_partly"  // some of what was asked for candidates is done; the message says what
	KindSessionRecord  Kind = "session_record" // the client has no record of it, or it cannot be read
	KindUndoNone       Kind = "undo_none"
	KindUndoGone       Kind = "undo_gone"  // the bytes of a change were not kept
	KindUndoFinal      Kind = "undo_final" // the last change cannot be undone; the subject is the id of one that can be
	KindRedoNone       Kind = "redo_none"
)

// A memory is not in the state that a change needs. The subject is its id.
const (
	KindDuplicate       Kind = "duplicate"        // another memory has the same topic and content
	KindMemoryHeldBack  Kind = "memory_held_back" // no person has approved it
	KindMergeUnresolved Kind = "merge_unresolved"
	KindMergeNone       Kind = "merge_none"
	KindMergeUnreadable Kind = "merge_unreadable" // one side is not a memory
	KindMergeKeptOnce   Kind = "merge_kept_once"  // one side archived the memory
	KindMergeTooLong    Kind = "merge_too_long"
	KindMemoryInFull    Kind = "memory_in_full"  // nothing to restore
	KindFileChanged     Kind = "file_changed"    // by something else, since the change to take back
	KindGroupChanged    Kind = "group_changed"   // the same, of a change of several memories
	KindFileUnreadable  Kind = "file_unreadable" // a change to take back needs it
	KindReduceStep      Kind = "reduce_step"
	KindIDsExhausted    Kind = "ids_exhausted"
	KindRewriteFails    Kind = "rewrite_fails" // the file's format does not allow the change
)

// Packets. The subject is an id, or a place in the packet such as "/goal".
const (
	KindPacketUnknown   Kind = "packet_unknown"   // no packet has the id
	KindPacketAmbiguous Kind = "packet_ambiguous" // several packets' ids begin like this; the message lists them
	KindPacketNone      Kind = "packet_none"      // there is no open packet to resume
	KindPacketInvalid   Kind = "packet_invalid"   // it is not legal; the message lists the faults
	KindPacketSecret    Kind = "packet_secret"    // it seems to hold credentials; the message lists them
	KindPacketPath      Kind = "packet_path"      // it names paths of this machine; the message lists them
	KindPacketTaken     Kind = "packet_taken"     // another packet has the id
	KindPacketDamaged   Kind = "packet_damaged"   // a file that was asked for, the subject, cannot be read
)

// Remarks about a packet that was written. The subject is a place in it, or an id.
const (
	KindPacketNoCriteria   Kind = "packet_no_criteria"   // it does not say when the work is done
	KindPacketUnlearned    Kind = "packet_unlearned"     // a failed attempt does not say what it taught
	KindPacketNoReason     Kind = "packet_no_reason"     // a locked decision does not say why
	KindPacketUnproven     Kind = "packet_unproven"      // "verified", and no check says so
	KindPacketParentGone   Kind = "packet_parent_gone"   // the store does not have what it continues
	KindPacketParentTwice  Kind = "packet_parent_twice"  // another packet continues the same one
	KindPacketUncommitted  Kind = "packet_uncommitted"   // files have changes that no other clone gets
	KindPacketLeftOut      Kind = "packet_left_out"      // what was to be filled in is a path or a credential
	KindPacketHasPath      Kind = "packet_has_path"      // one that was made elsewhere names a path
	KindPacketKnownAlready Kind = "packet_known_already" // the same packet is in the store
)

// The person's own memories, which are for every project.
const (
	KindUserNone       Kind = "user_none"       // there is no place for them here
	KindUserFailed     Kind = "user_failed"     // they cannot be read, and an answer is without them
	KindUserUnapproved Kind = "user_unapproved" // what was written counts as from elsewhere; the subject is its id
	KindUserApproval   Kind = "user_approval"   // only a person can approve them
	KindUserHidden     Kind = "user_hidden"     // the project has a memory with the same topic; the subject is its id
	KindBriefHeldUser  Kind = "brief_held_user" // some are held back from a session
)

// Settings. The subject is the key.
const (
	KindSettingUnknown Kind = "setting_unknown"
	KindSettingValue   Kind = "setting_value"
	KindSettingTeam    Kind = "setting_team"    // it can only be a team setting
	KindSettingOwn     Kind = "setting_own"     // it cannot be a team setting
	KindSettingGuarded Kind = "setting_guarded" // as a team setting, it can only be stricter
	KindSettingStrict  Kind = "setting_strict"  // the team setting is stricter
)

// Files and the system. The subject is the file or directory.
const (
	KindLockHeld       Kind = "lock_held"
	KindSearchStopped  Kind = "search_stopped"
	KindVersionNewer   Kind = "version_newer"   // a newer version wrote the file
	KindFileDamaged    Kind = "file_damaged"    // a file of the store or of a memory cannot be parsed
	KindMemoryDamaged  Kind = "memory_damaged"  // the same, for a memory that was asked for
	KindTrustDamaged   Kind = "trust_damaged"   // the record of trust cannot be read
	KindReviewDamaged  Kind = "review_damaged"  // the candidates cannot be read
	KindPathOutside    Kind = "path_outside"    // it is outside the store's directories
	KindPathMisleads   Kind = "path_misleads"   // Windows opens another file under the name
	KindProjectUnknown Kind = "project_unknown" // the client does not say where the project is
	KindStoreOccupied  Kind = "store_occupied"  // the directory holds other things
	KindStoreInside    Kind = "store_inside"    // the store is in the directory; it is the subject
	// a link leads out of the project; the subject is where the store would be
	KindLinkOut        Kind = "link_out"
	KindPathBlocked    Kind = "path_blocked" // a directory is in the place of a file
	KindCopyFailed     Kind = "copy_failed"  // of a text for an editor, which an edge makes and reads
	KindDiskNotRegular Kind = "disk_not_regular"
	KindDiskTooLarge   Kind = "disk_too_large"
	KindDiskUnreadable Kind = "disk_unreadable" // permission to read is missing
	KindDiskUnwritable Kind = "disk_unwritable" // permission to write is missing
	KindDiskFull       Kind = "disk_full"
	KindDiskFailed     Kind = "disk_failed"     // anything else
	KindCountersFailed Kind = "counters_failed" // the memories were written, and counters or index were not
	KindBatchStopped   Kind = "batch_stopped"   // a change of many files was made; some names are missing yet
	KindRandomFailed   Kind = "random_failed"
)

// Setting up a project. The subject is the file. Except for the last one, nothing was written.
const (
	KindSetupFile       Kind = "setup_file"       // it is in the way
	KindSetupMeanwhile  Kind = "setup_meanwhile"  // it was changed at the same moment
	KindSetupText       Kind = "setup_text"       // it cannot be added to
	KindSetupJSON       Kind = "setup_json"       // it cannot be merged
	KindSetupUnreadable Kind = "setup_unreadable" // permission to read is missing
	KindSetupUnwritable Kind = "setup_unwritable"
	KindSetupDisk       Kind = "setup_disk"
	KindSetupNewer      Kind = "setup_newer"
	KindSetupHalf       Kind = "setup_half" // it stopped halfway and could not be undone
)

// Files that setting up a project, or undoing that, leaves as they are.
const (
	KindKeptOther  Kind = "kept_other"  // something that is not ltm's has the name
	KindKeptEdited Kind = "kept_edited" // it was edited, and would be overwritten
	KindKeptOurs   Kind = "kept_ours"   // it was edited, and would be removed
	KindKeptTwice  Kind = "kept_twice"  // its hooks run beside those of the plugin
)

// Documents to import from, or to export to. The subject is the document, or an entry of it.
const (
	KindFormUnknown     Kind = "form_unknown"     // no form has that name, which is the subject
	KindImportMissing   Kind = "import_missing"   // there is no such file or directory
	KindImportUnknown   Kind = "import_unknown"   // the document has none of the known forms
	KindImportVersion   Kind = "import_version"   // a known form, in another version, which is the subject
	KindImportMalformed Kind = "import_malformed" // it cannot be read
	KindImportSection   Kind = "import_section"   // a section is to be named; the subject is the file
	KindImportTooLarge  Kind = "import_too_large"
	KindImportRefused   Kind = "import_refused" // entries cannot be stored; the message lists them
	KindImportChanged   Kind = "import_changed" // known entries have another text; the message lists them
	KindImportSecret    Kind = "import_secret"  // entries seem to hold credentials
	KindImportProject   Kind = "import_project" // entries are from another project
	KindImportScope     Kind = "import_scope"   // entries belong to another shelf
	KindImportFull      Kind = "import_full"    // the store does not take as many memories
	KindImportKey       Kind = "import_key"     // the key or the signatures cannot be used
	KindExportExists    Kind = "export_exists"
	KindExportNotFile   Kind = "export_not_file"
	KindExportEmpty     Kind = "export_empty" // there is nothing to export
)

// Hooks.
const (
	KindEventUnknown      Kind = "event_unknown"
	KindClientUnknown     Kind = "client_unknown"
	KindPayloadUnreadable Kind = "payload_unreadable"
	KindPayloadMalformed  Kind = "payload_malformed"
)

// Remarks of answers about memories.
const (
	KindEarlierText     Kind = "earlier_text"     // an earlier text of the memory is shown
	KindPartOnly        Kind = "part_only"        // the memory's file has only a part of its text
	KindHeldBack        Kind = "held_back"        // memories are held back until a person approves them
	KindArchivedMatch   Kind = "archived_match"   // one archived memory would match
	KindArchivedMatches Kind = "archived_matches" // several would
	KindArchivedHit     Kind = "archived_hit"     // an answer has archived memories
	KindSimilar         Kind = "similar"          // a new memory is like others
	KindForgotten       Kind = "forgotten"
	KindRestoredOld     Kind = "restored_old" // a restored memory that another has superseded
	KindStoreFirst      Kind = "store_first"  // there is no store yet
	KindTakenOver       Kind = "taken_over"   // counters of an older layout were taken over
	KindAllCritical     Kind = "all_critical" // eviction finds nothing to reduce
	// critical memories exceed a session's start; the subject is the setting
	KindCriticalBudget Kind = "critical_budget"
	KindCriticalClient Kind = "critical_client" // they exceed what the client shows, whatever the settings
	KindCriticalMany   Kind = "critical_many"   // there are more than max_memories
	KindRemarks        Kind = "remarks"         // a check has remarks
	KindMerges         Kind = "merges"          // a check found unresolved merges
	KindForPerson      Kind = "for_person"      // problems that no repair fixes
	KindRepairable     Kind = "repairable"      // all problems can be repaired
	KindRestRepairable Kind = "rest_repairable" // the others can be
	KindSecretFound    Kind = "secret_found"    // one credential is in the store
	KindSecretsFound   Kind = "secrets_found"   // several are
	KindUnscanned      Kind = "unscanned"       // files could not be searched for credentials
)

// Texts for a session.
const (
	KindBriefOne      Kind = "brief_one"      // a memory is named, and not shown in full
	KindBriefRest     Kind = "brief_rest"     // the text of a memory goes on; the subject is its id
	KindBriefCritical Kind = "brief_critical" // critical memories are not all shown whole
	KindBriefHeld     Kind = "brief_held"     // memories are held back
	KindBriefLeft     Kind = "brief_left"     // memories are not named
	KindBriefPacket   Kind = "brief_packet"   // an unfinished packet is named
	KindBriefTree     Kind = "brief_tree"     // a removed work tree left memories
	KindBriefReview   Kind = "brief_review"   // memories are proposed
	KindBriefEnd      Kind = "brief_end"      // what memories can be asked and told in a session
	KindNudge         Kind = "nudge"          // hard work may be worth a memory
)

// Findings of a check. The subject is what to do something with: an id, a file or its new name.
const (
	KindFoundLost          Kind = "found_lost"           // a full text is missing, and a repair looks for it
	KindFoundLostForever   Kind = "found_lost_forever"   // and it is nowhere
	KindFoundLeft          Kind = "found_left"           // a removed work tree left memories
	KindFoundMerge         Kind = "found_merge"          // a merge that a repair resolves
	KindFoundMergeText     Kind = "found_merge_text"     // a merge that a person resolves
	KindFoundMergeArchived Kind = "found_merge_archived" // one side archived the memory
	KindFoundMergeHand     Kind = "found_merge_hand"     // the file is not a memory
	KindFoundUnreadable    Kind = "found_unreadable"     // a memory's file that a repair archives
	KindFoundNoAccess      Kind = "found_no_access"      // permission to read is missing
	KindFoundGone          Kind = "found_gone"           // it was there a moment ago
	KindFoundTooMany       Kind = "found_too_many"       // more files than are looked at
	KindFoundUnlooked      Kind = "found_unlooked"       // too many files to read them all
	KindFoundIrregular     Kind = "found_irregular"      // a link, pipe or the like has a memory's name
	KindFoundOther         Kind = "found_other"          // anything that is left alone
	KindFoundMisnamed      Kind = "found_misnamed"       // a memory without an id
	KindFoundRename        Kind = "found_rename"         // a memory whose id is free; the subject is its file's name
	KindFoundOddID         Kind = "found_odd_id"         // a memory whose id, the subject, does not have 8 digits
	KindFoundText          Kind = "found_text"           // a stub that keeps a text
	KindFoundCopy          Kind = "found_copy"           // a copy, under an id; the subject is that of the original
	KindFoundCopyNamed     Kind = "found_copy_named"     // a copy under another name
	KindFoundArchive       Kind = "found_archive"        // an unreadable archive that nothing needs
	KindFoundArchiveNeeded Kind = "found_archive_needed" // one that a memory needs; the subject is both files
	KindFoundIndex         Kind = "found_index"          // a derived file that is stale or damaged
	KindFoundCounters      Kind = "found_counters"       // a damaged file of counters
	KindFoundState         Kind = "found_state"          // the same of the clone's settings
	KindFoundTrust         Kind = "found_trust"
	KindFoundConfig        Kind = "found_config"        // the team settings cannot be read
	KindFoundSetting       Kind = "found_setting"       // a team setting without effect; the subject is the key
	KindFoundLeftover      Kind = "found_leftover"      // a process was killed while it was writing
	KindFoundRejected      Kind = "found_rejected"      // an edited text that could not be stored
	KindFoundDamaged       Kind = "found_damaged"       // a copy of a damaged file
	KindFoundOldLocal      Kind = "found_old_local"     // counters of an older layout
	KindFoundCategory      Kind = "found_category"      // a memory's kind is unknown; the subject is its id
	KindFoundAliases       Kind = "found_aliases"       // a memory's aliases cannot all be read; the subject is its id
	KindFoundConfidence    Kind = "found_confidence"    // a memory's confidence cannot be read; the subject is its id
	KindFoundSupersededBy  Kind = "found_superseded_by" // an active memory that another has superseded
	KindFoundCorrections   Kind = "found_corrections"   // several active memories supersede one
	KindFoundCycle         Kind = "found_cycle"         // memories supersede each other
	KindFoundLinkUnknown   Kind = "found_link_unknown"  // a memory names one that does not exist
	KindFoundLinkSelf      Kind = "found_link_self"     // a memory names itself
	KindFoundRefs          Kind = "found_refs"          // a reference to a file cannot be read
	KindFoundLinks         Kind = "found_links"         // a link, or the like, cannot be read
	KindFoundOlder         Kind = "found_older"         // anything else of one
	KindFoundGitAdd        Kind = "found_git_add"       // git waits for the file, once it is repaired
	KindFoundDirectory     Kind = "found_directory"     // something else has the place of a directory
	KindFoundBlocked       Kind = "found_blocked"       // a directory has the place of a derived file
	KindFoundPacket        Kind = "found_packet"        // a packet's file that cannot be used, or a file among them
)

// Keys and signatures. The subject is the fingerprint or file of a key, or the id of a memory.
const (
	KindKeyNone        Kind = "key_none"        // there is no key to sign with
	KindKeyUnknown     Kind = "key_unknown"     // no key has the fingerprint
	KindKeyAmbiguous   Kind = "key_ambiguous"   // several keys' fingerprints begin like this
	KindKeyMalformed   Kind = "key_malformed"   // a text is not a key
	KindKeyExposed     Kind = "key_exposed"     // others than the person may read the file or directory
	KindKeyDamaged     Kind = "key_damaged"     // its file cannot be used
	KindKeyPlace       Kind = "key_place"       // there can be no keys
	KindSignForeign    Kind = "sign_foreign"    // the memory was not written or approved in this clone
	KindSignIncomplete Kind = "sign_incomplete" // its full text is missing, or its file differs from it
	KindSSHFailed      Kind = "ssh_failed"      // ssh-keygen could not sign; the message has what it said
	KindSignStore      Kind = "sign_store"      // the store's id belongs to another repository, or may do so
	KindFoundAltered   Kind = "found_altered"   // a memory was changed after it was signed; the subject is its id
	KindFoundUnsigned  Kind = "found_unsigned"  // others hold a memory back, because it is not signed
)

// Servers of packets. The subject is the server's address, unless it is said otherwise.
const (
	KindHostMalformed     Kind = "host_malformed"      // the subject is what was given
	KindHostInsecure      Kind = "host_insecure"       // without encryption, to another machine
	KindHostNone          Kind = "host_none"           // no server is known
	KindTokenNone         Kind = "token_none"          // there is no token for the server
	KindTokenMalformed    Kind = "token_malformed"     // a text is not a token
	KindTokenRefused      Kind = "token_refused"       // the server does not know the token
	KindRemotePlace       Kind = "remote_place"        // there can be no tokens here; the subject is the reason
	KindRemoteExposed     Kind = "remote_exposed"      // others may change the directory, the subject
	KindRemoteDamaged     Kind = "remote_damaged"      // a file of tokens cannot be used; the subject is the file
	KindRemoteDenied      Kind = "remote_denied"       // the server does not allow it
	KindRemoteUnknown     Kind = "remote_unknown"      // no such packet there, or not the caller's; its id
	KindRemoteRefused     Kind = "remote_refused"      // the server refuses what it was sent
	KindRemoteConflict    Kind = "remote_conflict"     // another packet there has the id, the subject
	KindRemoteStale       Kind = "remote_stale"        // the packet changed meanwhile; its id
	KindRemoteLimit       Kind = "remote_limit"        // too much or too often
	KindRemoteBusy        Kind = "remote_busy"         // the server cannot answer now
	KindRemoteFailed      Kind = "remote_failed"       // the server has a fault
	KindRemoteUnreachable Kind = "remote_unreachable"  // no connection, or no answer in time
	KindRemoteAnswer      Kind = "remote_answer"       // the answer is not one of the protocol
	KindRemoteRedirect    Kind = "remote_redirect"     // it refers elsewhere
	KindRemoteUnsupported Kind = "remote_unsupported"  // the server does not have the route
	KindRemoteIDMalformed Kind = "remote_id_malformed" // no packet, person or invite can have it
	KindTeamMalformed     Kind = "team_malformed"      // the subject is the name, as of the next three
	KindTeamUnknown       Kind = "team_unknown"        // or the caller is not in it
	KindTeamTaken         Kind = "team_taken"          // another team has the name
	KindTeamOwner         Kind = "team_owner"          // its owner cannot leave or be removed
	KindMemberUnknown     Kind = "member_unknown"      // the subject is the team
	KindInviteMalformed   Kind = "invite_malformed"    // a text is not an invite
	KindInviteGone        Kind = "invite_gone"         // expired, used or unknown
	KindDeviceDenied      Kind = "device_denied"       // a person said no
	KindDeviceExpired     Kind = "device_expired"      // no person answered in time
	KindPacketLeaks       Kind = "packet_leaks"        // it has credentials or local paths; the subject is its id
	KindPacketUnsent      Kind = "packet_unsent"       // packets wait for being sent
)
