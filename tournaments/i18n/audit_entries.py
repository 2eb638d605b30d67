"""Audit entries as text in the active language.

An audit entry stores codes, players' numbers and facts. `FORMATTERS` maps each kind of audit entry
to the function that formats its `old` and its `new`. A test fails if a kind is missing there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from tournaments.i18n.facts_in_words import (
    SEPARATOR,
    EntryContext,
    Formatter,
    format_round,
    in_numerical_order,
    labelled,
)
from tournaments.i18n.private_data import format_erased, format_private_end
from tournaments.i18n.publications import name_of_number
from tournaments.i18n.ranking import ranking_in_words
from tournaments.i18n.registrations import (
    format_application,
    format_application_numbers,
    format_applications,
    format_registration_settings,
)
from tournaments.i18n.sentences import (
    isolated,
    listed,
    signed,
)
from tournaments.i18n.session_names import session_name
from tournaments.i18n.settings import format_settings
from tournaments.i18n.stages import format_member, format_members, format_stage, stage_name
from tournaments.i18n.times import jump_in_words, minutes
from tournaments.i18n.units import round_title
from tournaments.models import AuditEntry, Call, Membership, Presence, Sitting, Tournament
from tournaments.models.entry_fields import DETAIL_FIELDS
from tournaments.models.publications import SHOWN_DIGITS
from tournaments.queries.player_names import player_names

Kind = AuditEntry.Kind


def entry_context(tournament: Tournament) -> EntryContext:
    names = player_names(tournament.entries.all())
    sittings = Sitting.objects.filter(session__tournament=tournament).exclude(continues=None)
    continuing = {
        (str(sitting.session.number), str(sitting.number)): sitting
        for sitting in sittings.select_related("session", "continues")
    }
    stages = dict(tournament.stages.values_list("number", "name"))
    final = tournament.publications.final().values_list("number", flat=True).first()
    return EntryContext(
        names, tournament.rules, tournament.play_off_numbers, continuing, stages, final
    )


def subject_words(subject: Mapping[str, Any], context: EntryContext) -> str:
    """Return what an audit entry is about, such as “Session 2 · Table 3 · Round 4”.

    Only the parts that the subject names: application, stage, session, table, round.
    """
    parts = []
    if "registration" in subject:
        parts.append(gettext("Application %(number)s") % {"number": subject["registration"]})
    if "stage" in subject:
        name = stage_name(context.stages.get(subject["stage"], ""))
        parts.append(name or gettext("Stage %(number)s") % {"number": subject["stage"]})
    if "session" in subject:
        parts.append(_session_title(subject["session"], context))
    if subject.get("tied") and subject.get("session") not in context.play_offs:
        # A play-off that was removed since then: the title says only “Session 3”.
        parts.append(gettext("Play-off"))
    if "table" in subject:
        table = context.shown_table(subject, subject["table"])
        parts.append(gettext("Table %(table)s") % {"table": table})
    if "round" in subject:
        parts.append(round_title(context.shown_round(subject), context.rules))
    return " · ".join(parts)


def _session_title(number: Any, context: EntryContext) -> str:
    """Imported audit entries may have any text as the number."""
    text = str(number)
    if text.isdecimal():
        return session_name(int(text), context.play_offs)
    return gettext("Session %(number)s") % {"number": text}


def before_and_after(entry: AuditEntry, context: EntryContext) -> tuple[str, str]:
    """Return an audit entry's `old` and `new` as text.

    Of a tournament's settings only those that changed are shown. If private fields of a player
    changed, `new` ends with a note: audit entries have only the digest of these fields.
    """
    old, new = entry.old, entry.new
    if entry.kind in {Kind.PLAYERS_EXCHANGED, Kind.PLAYERS_CHANGED}:
        old, new = (_with_shown_tables(value, entry, context) for value in (old, new))
    if entry.kind == Kind.SESSION_ENDED:
        new = _with_shown_list(new, entry, context)
    if entry.kind == Kind.RULES_SET and isinstance(old, dict) and isinstance(new, dict):
        changed = [key for key in new if new[key] != old.get(key)]
        old, new = ({key: value[key] for key in changed if key in value} for value in (old, new))
    formatter = FORMATTERS[Kind(entry.kind)]
    before, after = (
        _format_or_json(formatter, old, context),
        _format_or_json(formatter, new, context),
    )
    if entry.kind == Kind.ENTRY_CHANGED and _private_fields_differ(entry.old, entry.new):
        after = SEPARATOR.join([after, gettext("contact, year of birth or notes changed")])
    return before, after


def _private_fields_differ(old: Any, new: Any) -> bool:
    """Return whether both values have a digest of a player's private fields, and these differ."""
    digests = [
        value["private"] for value in (old, new) if isinstance(value, dict) and "private" in value
    ]
    return len(digests) > 1 and digests[0] != digests[1]


def _format_or_json(formatter: Formatter, value: Any, context: EntryContext) -> str:
    """Return an audit entry's `old` or `new` as text; empty for None.

    A value of an unknown shape, which an imported archive may contain, is returned as JSON.
    """
    if value is None:
        return ""
    try:
        return formatter(value, context)
    except (TypeError, AttributeError, LookupError, ValueError):
        return isolated(json.dumps(value, ensure_ascii=False, sort_keys=True))


def round_in_words(facts: Mapping[str, Any], context: EntryContext) -> str:
    """Return a round's facts as text; they may be incomplete. As JSON if their shape is unknown."""
    return _format_or_json(format_round, facts, context)


# One function for each shape of `old` and `new`; the first parameter is that value, as JSON


def _format_nothing(_stored: Any, _context: EntryContext) -> str:
    """For kinds that store neither `old` nor `new`."""
    return ""


def _format_ended_session(stored: Mapping[str, Any], _context: EntryContext) -> str:
    if not stored["tables"]:
        return gettext("Every table has finished")
    return labelled(gettext("Tables stopped before the end"), _listed_numbers(stored))


def _format_publication(stored: Mapping[str, Any], context: EntryContext) -> str:
    number = stored["number"]
    name = name_of_number(number, is_final=number == context.final_publication)
    return f"{name} {stored['digest'][:SHOWN_DIGITS]}"


def _format_archive(stored: Mapping[str, Any], _context: EntryContext) -> str:
    return str(stored["digest"][:SHOWN_DIGITS])


def _format_ranking(stored: Mapping[str, Any], context: EntryContext) -> str:
    return ranking_in_words(stored, context.rules)


def _format_adjustment(stored: Mapping[str, Any], context: EntryContext) -> str:
    whose = isolated(stored["team"]) if "team" in stored else context.name(str(stored["number"]))
    return f"{whose} {signed(stored['points'])}"


def _format_decision(stored: Any, context: EntryContext) -> str:
    """Return tied players in the order that was decided; with its seed if it was a lot."""
    seed = stored["seed"] if isinstance(stored, dict) else ""
    order = stored["order"] if isinstance(stored, dict) else stored
    names = " → ".join(context.name(str(number)) for number in order)
    if not seed:
        return names
    return SEPARATOR.join([names, labelled(gettext("Seed of the lot"), isolated(seed))])


def _format_entry(stored: Mapping[str, Any], _context: EntryContext) -> str:
    details = listed([isolated(stored[key]) for key in DETAIL_FIELDS if stored.get(key)])
    name = f"{stored['number']} {isolated(stored['name'])}"
    return SEPARATOR.join([name, details]) if details else name


def _format_entries(stored: Sequence[Mapping[str, Any]], context: EntryContext) -> str:
    return "; ".join(_format_entry(each, context) for each in stored)


def _format_players_of_session(tables: Sequence[Sequence[str]], context: EntryContext) -> str:
    """Return the players of each table. `tables` has their entry numbers, from table 1 on."""
    return _format_players_by_table(
        {str(number): keys for number, keys in enumerate(tables, 1)}, context
    )


def _format_schedule(stored: Mapping[str, Any], context: EntryContext) -> str:
    return SEPARATOR.join(
        labelled(
            session_name(number, context.play_offs),
            _format_players_of_session(tables, context),
        )
        for number, tables in enumerate(stored["seats"], stored["first_session"])
    )


def _format_players_by_table(tables: Mapping[str, Sequence[str]], context: EntryContext) -> str:
    """Return the players of each table. `tables` has their entry numbers by table number."""
    return SEPARATOR.join(
        labelled(
            gettext("Table %(table)s") % {"table": number}, context.listed_names(tables[number])
        )
        for number in sorted(tables, key=int)
    )


def _with_shown_tables(tables: Any, entry: AuditEntry, context: EntryContext) -> Any:
    """Return players by table with the tables' numbers for people; other values unchanged."""
    if not isinstance(tables, dict):
        return tables
    shown = context.shown_table
    return {str(shown(entry.subject, table)): tables[table] for table in tables}


def _with_shown_list(stored: Any, entry: AuditEntry, context: EntryContext) -> Any:
    """Return `stored` with the numbers for people of the tables it lists; other values as is."""
    if not isinstance(stored, dict) or not isinstance(stored.get("tables"), list):
        return stored
    shown = {str(context.shown_table(entry.subject, table)) for table in stored["tables"]}
    return {**stored, "tables": in_numerical_order(shown)}


def _format_table_numbers(stored: Mapping[str, Sequence[int]], _context: EntryContext) -> str:
    """Return the numbers of several tables; empty for one table, which the subject names."""
    if "tables" not in stored:
        return ""
    return gettext("Tables: %(numbers)s") % {"numbers": _listed_numbers(stored)}


def _listed_numbers(stored: Mapping[str, Sequence[int]]) -> str:
    return listed([str(number) for number in stored["tables"]])


def _format_series(stored: Mapping[str, str], _context: EntryContext) -> str:
    return isolated(stored["name"])


def _format_role(stored: Mapping[str, str], _context: EntryContext) -> str:
    return labelled(stored["user"], str(Membership.Role(stored["role"]).label))


def _format_phone(stored: Mapping[str, Any], _context: EntryContext) -> str:
    writer = stored["writer"]  # a bool, or the number of the phone that became the writer
    if isinstance(writer, bool):
        return gettext("records") if writer else gettext("view only")
    return gettext("phone %(number)s") % {"number": writer}


def _format_call(stored: Mapping[str, str], _context: EntryContext) -> str:
    label = str(Call.Kind(stored["kind"]).label)
    return labelled(label, isolated(stored["words"])) if stored["words"] else label


def _format_mark(stored: Mapping[str, Any], context: EntryContext) -> str:
    label = str(Presence.Status(stored["status"]).label)
    return labelled(context.name(str(stored["number"])), label)


def _format_substitution(stored: Mapping[str, Any], context: EntryContext) -> str:
    names = {key: context.name(str(stored[key])) for key in ("number", "substitute")}
    return gettext("%(substitute)s for %(number)s") % names


def _format_marks(stored: Mapping[str, Sequence[int]], context: EntryContext) -> str:
    """Return the players by status, as the roll call had them before it was restarted."""
    return SEPARATOR.join(
        labelled(str(status.label), context.listed_names([str(n) for n in stored[status]]))
        for status in Presence.Status
        if status in stored
    )


def _format_clock(stored: Mapping[str, Any], _context: EntryContext) -> str:
    parts = [minutes(stored["seconds"])]
    if stored["last_round"]:
        parts.append(labelled(gettext("Last call"), minutes(stored["last_round"])))
    for table in in_numerical_order(stored["extra"]):
        place = gettext("Table %(table)s") % {"table": table}
        parts.append(labelled(place, minutes(stored["extra"][table], is_extra=True)))
    return SEPARATOR.join(parts)


def _format_totals(points: Mapping[str, int], context: EntryContext) -> str:
    return listed(
        [f"{context.name(key)} {signed(points[key])}" for key in in_numerical_order(points)]
    )


def _format_dispute(stored: Mapping[str, Any], context: EntryContext) -> str:
    """Return both versions of a disputed round; a version without facts is left out."""
    versions = [
        (gettext("On record"), stored["stored"]),
        (gettext("The other version"), stored["other"]),
    ]
    return SEPARATOR.join(
        labelled(label, format_round(facts, context)) for label, facts in versions if facts
    )


def _format_settled_dispute(stored: Mapping[str, Any], context: EntryContext) -> str:
    """Return both versions of a disputed round (`old`), or the round in force (`new`)."""
    if "other" in stored:
        return _format_dispute(stored, context)
    return format_round(stored, context)


def _format_jump(stored: Mapping[str, Any], _context: EntryContext) -> str:
    return jump_in_words(stored["seconds"])


FORMATTERS: dict[Kind, Formatter] = {
    **dict.fromkeys(
        (
            *(Kind.SESSION_RESUMED, Kind.SHOWN_LIVE, Kind.UNPUBLISHED, Kind.CLOSED, Kind.REOPENED),
            *(Kind.SEATS_SHOWN, Kind.SEATS_HIDDEN, Kind.SCHEDULE_SHOWN, Kind.SCHEDULE_HIDDEN),
            *(Kind.CLOCK_STARTED, Kind.CLOCK_PAUSED, Kind.CLOCK_RESUMED, Kind.CLOCK_RESET),
            *(Kind.EVENT_REMOVED, Kind.EVENT_RESTORED, Kind.LINK_REVOKED, Kind.PHONES_ENDED),
        ),
        _format_nothing,
    ),
    Kind.RULES_SET: format_settings,
    Kind.RANKING_SET: _format_ranking,
    **dict.fromkeys((Kind.POINTS_ADJUSTED, Kind.ADJUSTMENT_ENDED), _format_adjustment),
    **dict.fromkeys((Kind.TIE_DECIDED, Kind.DECISION_ENDED), _format_decision),
    Kind.ENTRIES_ADDED: _format_entries,
    **dict.fromkeys((Kind.ENTRY_CHANGED, Kind.PRIVATE_CHANGED, Kind.ENTRY_REMOVED), _format_entry),
    Kind.SESSION_OPENED: _format_players_of_session,
    Kind.SESSION_RESEATED: _format_players_of_session,
    **dict.fromkeys((Kind.SCHEDULE_KEPT, Kind.SCHEDULE_DROPPED), _format_schedule),
    Kind.SCHEDULE_CHANGED: _format_players_of_session,
    Kind.SESSION_ENDED: _format_ended_session,
    Kind.SESSION_REMOVED: _format_players_of_session,
    Kind.ROUND_RECORDED: format_round,
    Kind.ROUND_CONTINUED: format_round,
    Kind.ROUND_CORRECTED: format_round,
    Kind.PUBLISHED: _format_publication,
    Kind.ARCHIVE_READ: _format_archive,
    Kind.SERIES_JOINED: _format_series,
    Kind.SERIES_LEFT: _format_series,
    Kind.ROLE_GIVEN: _format_role,
    Kind.ROLE_TAKEN: _format_role,
    Kind.PHONE_JOINED: _format_phone,
    Kind.PHONE_TOOK_OVER: _format_phone,
    **dict.fromkeys((Kind.LINK_MADE, Kind.PIN_MADE), _format_table_numbers),
    Kind.ROUND_ACCEPTED: format_round,
    Kind.ROUND_DISPUTED: format_round,
    **dict.fromkeys((Kind.DESK_CALLED, Kind.CALL_ANSWERED, Kind.CALL_TAKEN_BACK), _format_call),
    Kind.DISPUTE_SETTLED: _format_settled_dispute,
    **dict.fromkeys((Kind.PLAYERS_EXCHANGED, Kind.PLAYERS_CHANGED), _format_players_by_table),
    Kind.PAPER_OVERRULED: _format_totals,
    Kind.TOTALS_ENTERED: _format_totals,
    Kind.TOTALS_CORRECTED: _format_totals,
    Kind.PRESENCE_MARKED: _format_mark,
    Kind.ROLL_CALL_RESTARTED: _format_marks,
    **dict.fromkeys((Kind.SUBSTITUTE_ADDED, Kind.SUBSTITUTE_REMOVED), _format_substitution),
    Kind.CLOCK_SET: _format_clock,
    **dict.fromkeys((Kind.STAGE_SET, Kind.STAGE_REMOVED), format_stage),
    **dict.fromkeys((Kind.STAGE_CONFIRMED, Kind.STAGE_TAKEN_BACK), format_members),
    Kind.MEMBER_REPLACED: format_member,
    Kind.REGISTRATION_SET: format_registration_settings,
    **dict.fromkeys((Kind.REGISTERED, Kind.REGISTRATION_ENDED), format_application),
    Kind.REGISTRATION_DECIDED: format_applications,
    Kind.CONTACTS_ERASED: format_application_numbers,
    Kind.CLOCK_JUMPED: _format_jump,
    Kind.PRIVATE_END_SET: format_private_end,
    Kind.PRIVATE_ERASED: format_erased,
}
