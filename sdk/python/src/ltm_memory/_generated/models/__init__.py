"""Contains all the data models used in inputs/outputs"""

from .act_answer_body import ActAnswerBody
from .act_body import ActBody
from .act_entry import ActEntry
from .add_claim_answer_body import AddClaimAnswerBody
from .add_event_answer_body import AddEventAnswerBody
from .add_events_answer_body import AddEventsAnswerBody
from .against_entry import AgainstEntry
from .batch_body import BatchBody
from .batch_event import BatchEvent
from .batch_event_actor import BatchEventActor
from .batch_row import BatchRow
from .block_entry import BlockEntry
from .block_entry_source import BlockEntrySource
from .change_entry import ChangeEntry
from .change_entry_kind import ChangeEntryKind
from .change_entry_op import ChangeEntryOp
from .chat_body import ChatBody
from .claim_body import ClaimBody
from .claim_body_bucket import ClaimBodyBucket
from .claim_body_stability import ClaimBodyStability
from .claim_entry import ClaimEntry
from .claim_entry_state import ClaimEntryState
from .claim_history_answer_body import ClaimHistoryAnswerBody
from .context_answer_body import ContextAnswerBody
from .context_body import ContextBody
from .correct_body import CorrectBody
from .create_thread_answer_body import CreateThreadAnswerBody
from .delete_claim_answer_body import DeleteClaimAnswerBody
from .delete_event_answer_body import DeleteEventAnswerBody
from .delete_event_answer_body_rows import DeleteEventAnswerBodyRows
from .delete_thread_answer_body import DeleteThreadAnswerBody
from .delete_thread_answer_body_rows import DeleteThreadAnswerBodyRows
from .dispute_body import DisputeBody
from .effect_entry import EffectEntry
from .effect_entry_state import EffectEntryState
from .erase_answer_body import EraseAnswerBody
from .erase_answer_body_rows import EraseAnswerBodyRows
from .event_body import EventBody
from .event_body_actor import EventBodyActor
from .event_entry import EventEntry
from .evidence_entry import EvidenceEntry
from .filter_ import Filter
from .filter_range import FilterRange
from .get_claim_answer_body import GetClaimAnswerBody
from .hit_entry import HitEntry
from .hit_entry_kind import HitEntryKind
from .import_answer_body import ImportAnswerBody
from .import_answer_body_added import ImportAnswerBodyAdded
from .job_entry import JobEntry
from .job_entry_kind import JobEntryKind
from .job_entry_state import JobEntryState
from .left_entry import LeftEntry
from .left_entry_source import LeftEntrySource
from .like_body import LikeBody
from .list_changes_answer_body import ListChangesAnswerBody
from .list_claims_answer_body import ListClaimsAnswerBody
from .list_effects_answer_body import ListEffectsAnswerBody
from .list_events_answer_body import ListEventsAnswerBody
from .list_jobs_answer_body import ListJobsAnswerBody
from .list_summaries_answer_body import ListSummariesAnswerBody
from .list_threads_answer_body import ListThreadsAnswerBody
from .list_users_answer_body import ListUsersAnswerBody
from .message_entry import MessageEntry
from .message_entry_role import MessageEntryRole
from .period_entry import PeriodEntry
from .problem import Problem
from .problem_fault import ProblemFault
from .profile_answer_body import ProfileAnswerBody
from .profile_entry import ProfileEntry
from .promote_answer_body import PromoteAnswerBody
from .react_answer_body import ReactAnswerBody
from .reaction_body import ReactionBody
from .rename_answer_body import RenameAnswerBody
from .retrieve_answer_body import RetrieveAnswerBody
from .retrieve_body import RetrieveBody
from .search_answer_body import SearchAnswerBody
from .search_body import SearchBody
from .stores_entry import StoresEntry
from .summary_answer_body import SummaryAnswerBody
from .summary_entry import SummaryEntry
from .thread_body import ThreadBody
from .thread_entry import ThreadEntry
from .title_body import TitleBody

__all__ = (
    "ActAnswerBody",
    "ActBody",
    "ActEntry",
    "AddClaimAnswerBody",
    "AddEventAnswerBody",
    "AddEventsAnswerBody",
    "AgainstEntry",
    "BatchBody",
    "BatchEvent",
    "BatchEventActor",
    "BatchRow",
    "BlockEntry",
    "BlockEntrySource",
    "ChangeEntry",
    "ChangeEntryKind",
    "ChangeEntryOp",
    "ChatBody",
    "ClaimBody",
    "ClaimBodyBucket",
    "ClaimBodyStability",
    "ClaimEntry",
    "ClaimEntryState",
    "ClaimHistoryAnswerBody",
    "ContextAnswerBody",
    "ContextBody",
    "CorrectBody",
    "CreateThreadAnswerBody",
    "DeleteClaimAnswerBody",
    "DeleteEventAnswerBody",
    "DeleteEventAnswerBodyRows",
    "DeleteThreadAnswerBody",
    "DeleteThreadAnswerBodyRows",
    "DisputeBody",
    "EffectEntry",
    "EffectEntryState",
    "EraseAnswerBody",
    "EraseAnswerBodyRows",
    "EventBody",
    "EventBodyActor",
    "EventEntry",
    "EvidenceEntry",
    "Filter",
    "FilterRange",
    "GetClaimAnswerBody",
    "HitEntry",
    "HitEntryKind",
    "ImportAnswerBody",
    "ImportAnswerBodyAdded",
    "JobEntry",
    "JobEntryKind",
    "JobEntryState",
    "LeftEntry",
    "LeftEntrySource",
    "LikeBody",
    "ListChangesAnswerBody",
    "ListClaimsAnswerBody",
    "ListEffectsAnswerBody",
    "ListEventsAnswerBody",
    "ListJobsAnswerBody",
    "ListSummariesAnswerBody",
    "ListThreadsAnswerBody",
    "ListUsersAnswerBody",
    "MessageEntry",
    "MessageEntryRole",
    "PeriodEntry",
    "Problem",
    "ProblemFault",
    "ProfileAnswerBody",
    "ProfileEntry",
    "PromoteAnswerBody",
    "ReactAnswerBody",
    "ReactionBody",
    "RenameAnswerBody",
    "RetrieveAnswerBody",
    "RetrieveBody",
    "SearchAnswerBody",
    "SearchBody",
    "StoresEntry",
    "SummaryAnswerBody",
    "SummaryEntry",
    "ThreadBody",
    "ThreadEntry",
    "TitleBody",
)
