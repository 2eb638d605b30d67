"""Tables of the standings, and of the teams of sittings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.ranking.tie_breaks import BY_CODE
from scoring.stages.places import STAGE, STAGE_TITLE
from tournaments.i18n.ranking import step_title
from tournaments.i18n.sentences import isolated, listed, signed
from tournaments.i18n.session_names import session_name
from tournaments.i18n.stages import section_points, section_title
from tournaments.i18n.units import unit_words
from tournaments.models import Entry, Presence, Substitution, Tournament
from tournaments.queries.sections import Section
from tournaments.queries.standings import Standing, Team, classes_of
from tournaments.tables.columns import Column, NumberColumn, PlaceColumn, PointsColumn
from tournaments.tables.page_tables import PageTable

FIRST_COLUMNS = (
    "rank",
    "name",
    "remarks",
    "stage",
    "points",
    "carried",
    "won",
    "missed",
    "adjusted",
    "sessions_played",
    "rounds_played",
)
OF_THE_STAGE = ("missed", "adjusted")  # points of earlier stages are in those carried over
WIDEST_PROJECTED = 24  # width of a name, in halves of a Japanese character
TITLES = {each.code: each.title for each in scoring.TIE_BREAKS if each.code != "points"} | {
    STAGE: STAGE_TITLE
}


def _place_class(record: Standing) -> str | None:
    """Return the CSS class of a row with one of the first three ranks; None for other rows."""
    rank = record.place.rank or 0 if record.place else 0
    return f"place-{rank}" if 1 <= rank <= 3 else None


class StandingsTable(PageTable):
    """The standings, with links to the pages of the players."""

    rank = NumberColumn(_("Rank"), accessor="place__rank", css="rank", orderable=True)
    name = Column(_("Name"), accessor="entry__name", css="name")
    points = PointsColumn(_("Points"), accessor="place__points", css="total")
    carried = PointsColumn(pgettext_lazy("column", "Carried over"), css="wide-only on-paper")
    won = PointsColumn(pgettext_lazy("column", "In the stage"), css="wide-only on-paper")
    missed = PointsColumn(_("Missed sessions"), css="wide-only")
    adjusted = PointsColumn(_("Given or deducted"), css="wide-only")
    remarks = Column(_("Remarks"), accessor="is_withdrawn", visible=False)  # for workbooks
    stage = Column(_("Stage"), accessor="section", visible=False)  # pages have headings instead
    sessions_played = NumberColumn(_("Sessions played"), accessor="entry__key")
    rounds_played = NumberColumn(_("Rounds"), accessor="rounds_played")
    separated_by = Column(_("Decided by"), accessor="place", default="", css="wide-only")
    number = NumberColumn(_("Number"), accessor="entry__number", css="wide-only", orderable=True)
    division = Column(
        _("Class"), accessor="entry__division", css="wide-only on-paper", orderable=True
    )
    rank_in_class = NumberColumn(_("Rank in class"), css="wide-only on-paper")
    rank_among_all = NumberColumn(_("Rank among all"), css="wide-only on-paper")
    club = Column(_("Club"), accessor="entry__club", css="wide-only on-paper", orderable=True)
    team = Column(_("Team"), accessor="entry__team", css="wide-only on-paper", orderable=True)
    reading = Column(
        _("Reading"), accessor="entry__reading", css="wide-only reading", orderable=True
    )

    class Meta:
        """In the given order unless the reader chooses another."""

        row_attrs = {"class": _place_class}
        empty_text = _("No players yet.")
        default = "–"

    def __init__(
        self,
        standings: Sequence[Standing],
        tournament: Tournament,
        names: Mapping[str, str],
        classes: Sequence[str] | None = None,
        substitutions: Iterable[Substitution] = (),
        played: Mapping[str, int] | None = None,
    ) -> None:
        """Set up with the tie-breaks in force, and without columns that would be empty.

        `names` are by key of the player, see `player_names`. `classes` are those of all players if
        `standings` are filtered. `played` is the result of
        `sessions_played`; its column is shown only if the numbers differ and no column with rounds
        shows it.
        """
        self.tournament = tournament
        self.names = names
        self.played = played or {}
        self.substitutes: dict[int, list[str]] = {}  # names, by number of the absent player
        for each in substitutions:
            self.substitutes.setdefault(each.entry.number, []).append(names[each.substitute.key])
        self.classes = classes_of(standings) if classes is None else classes
        has_earlier_rounds = any(each.rounds_before for each in standings)
        columns = [
            (tie_break.code, _tie_break_column(tie_break, i, tournament, has_earlier_rounds))
            for i, tie_break in enumerate(tournament.ranking_rules.steps)
            if tie_break.value and tie_break.code in TITLES
        ]
        self.steps = [code for code, _column in columns]
        sections = {each.section for each in standings if each.section}
        self.has_headings = any(not section.is_first for section in sections)
        super().__init__(
            standings,
            extra_columns=[*self.more_columns(), *columns],
            exclude=self.columns_to_exclude(standings),
            sequence=self.order_of_columns(),
        )
        if "rounds_played" in self.columns:
            column = self.columns["rounds_played"].column
            column.verbose_name = unit_words("Rounds", tournament.rules)
        for name in OF_THE_STAGE if has_earlier_rounds else ():
            if name in self.columns:
                column = self.columns[name].column
                column.verbose_name = in_the_stage(column.verbose_name)

    def more_columns(self) -> Sequence[tuple[str, Column]]:
        """Return columns that no other table has, each with its name."""
        return ()

    def order_of_columns(self) -> Sequence[str]:
        return (*FIRST_COLUMNS, *self.steps, "...")

    def heading_of(self, record: Standing) -> str:
        """Return the title of the row's section and where its points come from.

        Empty if the reader has sorted the rows.
        """
        section = record.section
        if section is None or not self.has_headings or self.order_by:
            return ""
        return format_html(
            "<bdi>{}</bdi> <small>{}</small>", section_title(section), section_points(section)
        )

    def render_points(self, value: int, record: Standing) -> str | SafeString:
        """Return the points; on screens without columns for them also their parts."""
        if record.carried is None or record.won is None:
            return signed(value)
        parts = f"{signed(record.carried)} {signed(record.won)}"
        return format_html('{} <small class="points-parts">{}</small>', signed(value), parts)

    def value_points(self, value: int, record: Standing) -> int:
        """Return the points alone, as a number; subclasses need the record, too."""
        return value

    def value_stage(self, value: Section) -> str:
        return section_title(value)

    def columns_to_exclude(self, standings: Sequence[Standing]) -> list[str]:
        """Return the names of the columns that are empty or not needed.

        The column `sessions_played` is needed if the numbers differ and no round is shown.
        """
        empty = _empty_columns(standings, self.classes, self.steps)
        if not any(map(self.remarks_of, standings)):
            empty.append("remarks")
        numbers = {self.played.get(each.entry.key, 0) for each in standings if each.place}
        is_needed = "rounds_played" in empty and len(numbers) > 1
        return empty if self.played and is_needed else [*empty, "sessions_played"]

    def render_rank(self, value: int, record: Standing) -> str | SafeString:
        """Return the rank, marked if it is shared, or if a ruling or a lot decided it.

        The mark of a ruling is hidden on screens wide enough for the column of the deciding step.
        """
        if record.place is not None and record.place.tied:
            return tied_rank(value)
        words = self.decision_words(record)
        if not words:
            return str(value)
        return format_html('{} <span class="tie decided">{}</span>', value, words)

    def decision_words(self, record: Standing) -> str:
        """Return the names of the deciding steps that compare players directly, such as a lot.

        Other steps, which compare values, are left out.
        """
        return " ".join(
            step_title(code, self.tournament.rules)
            for code in record.deciding_steps
            if BY_CODE[code].compare
        )

    def render_sessions_played(self, value: str) -> int:
        return self.played.get(value, 0)

    def value_sessions_played(self, value: str) -> int:
        return self.render_sessions_played(value)

    def value_rank(self, value: int) -> int:
        return value

    def render_name(self, value: str, record: Standing) -> str:
        """Return the name as a link to the player's page, with marks (withdrawn, substitutes)."""
        address = reverse("player", args=[self.tournament.slug, record.entry.number])
        link = format_html('<a href="{}">{}</a>', address, self.names[record.entry.key])
        if record.is_withdrawn:
            link = format_html("{} {}", link, withdrawn_mark())
        words = self._substitution_words(record.entry)
        return format_html('{} <small class="muted">{}</small>', link, words) if words else link

    def _substitution_words(self, entry: Entry) -> str:
        """Return who replaced a player, or that the player is a substitute; empty for neither."""
        if entry.is_substitute:
            return gettext("Substitute")
        names = dict.fromkeys(self.substitutes.get(entry.number, ()))  # each once
        if not names:
            return ""
        return gettext("replaced by %(name)s") % {
            "name": listed([isolated(each) for each in names])
        }

    def value_remarks(self, record: Standing) -> str:
        return self.remarks_of(record)

    def remarks_of(self, record: Standing) -> str:
        """Return what pages say beside the name: withdrawn, or about substitutes."""
        withdrawn = str(Presence.Status.WITHDRAWN.label) if record.is_withdrawn else ""
        return listed(list(filter(None, (withdrawn, self._substitution_words(record.entry)))))

    def value_name(self, value: str) -> str:
        return value

    def render_separated_by(self, value: scoring.Place) -> str:
        """Return the names of the steps that separate a place from those above and below.

        Points are not named. A step that separates both is named once.
        """
        above, below = (
            unit_words(TITLES[code], self.tournament.rules) if code in TITLES else ""
            for code in (value.separated_by, value.separates)
        )
        if above == below:
            return above
        words = [
            gettext("vs above: %(step)s") % {"step": above} if above else "",
            gettext("vs below: %(step)s") % {"step": below} if below else "",
        ]
        return listed(list(filter(None, words)))


def tied_rank(rank: int) -> SafeString:
    return format_html('{} <span class="tie">{}</span>', rank, gettext("tied"))


def withdrawn_mark() -> SafeString:
    return format_html('<span class="tie">{}</span>', Presence.Status.WITHDRAWN.label)


def _tie_break_column(
    tie_break: scoring.TieBreak, index: int, tournament: Tournament, has_earlier_rounds: bool
) -> Column:
    """Return the column of a tie-break's values; `index` is that among all tie-breaks.

    `has_earlier_rounds` tells whether rounds of earlier stages stand beside values of one stage.
    """
    kind = PlaceColumn if tie_break.is_place else PointsColumn
    kind = NumberColumn if tie_break.is_count else kind
    title = unit_words(tie_break.title, tournament.rules)
    if has_earlier_rounds and not tie_break.code.endswith("_before"):
        title = in_the_stage(title)
    return kind(title, accessor=f"place__values__{index}", css="wide-only")


def in_the_stage(title: object) -> str:
    """Return the title of a column of one stage, beside columns of all stages."""
    return gettext("%(step)s (in the stage)") % {"step": title}


def _empty_columns(
    standings: Sequence[Standing], classes: Sequence[str], steps: Sequence[str]
) -> list[str]:
    """Return the names of the empty columns; `steps` are the columns of tie-breaks."""
    empty = [] if classes else ["division"]
    is_of_class = any(standing.rank_among_all for standing in standings)
    if is_of_class or len(classes) < 2:
        empty.append("rank_in_class")
    if not is_of_class:
        empty.append("rank_among_all")
    empty += [
        name
        for name in ("club", "team", "reading")
        if not any(getattr(standing.entry, name) for standing in standings)
    ]
    empty += [
        name
        for name in ("missed", "adjusted")
        if not any(getattr(each, name) for each in standings)
    ]
    empty += _columns_of_stages(standings)
    return empty + _columns_about_rounds(standings, steps)


def _columns_of_stages(standings: Sequence[Standing]) -> list[str]:
    """Return the names of the columns about stages that are empty."""
    if any(standing.carried for standing in standings):
        return []
    has_sections = any(standing.section for standing in standings)
    return ["carried", "won", *(() if has_sections else ("stage",))]


def _columns_about_rounds(standings: Sequence[Standing], steps: Sequence[str]) -> list[str]:
    """Return the names of the columns about rounds if there are only typed totals; else []."""
    places = [standing.place for standing in standings if standing.place]
    if not places or any(each.rounds_played for each in standings):
        return []
    is_decided = any(standing.deciding_steps for standing in standings)
    return ["rounds_played", *([] if is_decided else ["separated_by"]), *steps]


class ProjectorTable(StandingsTable):
    """The standings for a projector: few columns, large type."""

    class Meta(StandingsTable.Meta):
        orderable = False

    def columns_to_exclude(self, standings: Sequence[Standing]) -> list[str]:
        """Return the names of all columns except rank, name, points with their parts, and rounds.

        Parts and rounds are excluded if nobody has any.
        """
        excluded = [
            "missed",
            "adjusted",
            "sessions_played",
            "remarks",
            "stage",
            "number",
            "division",
            "rank_in_class",
            "rank_among_all",
            "club",
            "team",
            "reading",
            "separated_by",
            *self.steps,
        ]
        excluded += _columns_of_stages(standings)
        return list(dict.fromkeys([*excluded, *_columns_about_rounds(standings, self.steps)]))

    def render_points(self, value: int, record: Standing) -> str:
        """Return the points alone: their parts have columns."""
        return signed(value)

    def render_rank(self, value: int, record: Standing) -> str | SafeString:
        words = self.decision_words(record)
        if not words:
            return super().render_rank(value, record)
        return format_html('{} <span class="tie">{}</span>', value, words)

    def render_name(self, value: str, record: Standing) -> str:
        """Return the name without a link; smaller if it is long, marked if the player withdrew."""
        value = self.names[record.entry.key]
        if record.is_withdrawn:
            return format_html("{} {}", value, withdrawn_mark())
        width = sum(2 if east_asian_width(each) in "WFA" else 1 for each in value)
        if width <= WIDEST_PROJECTED:
            return value
        return format_html('<span class="is-long">{}</span>', value)


class TeamsTable(PageTable):
    session = NumberColumn(_("Session"), accessor="sitting__session__shown_number")
    table = NumberColumn(_("Table"), accessor="sitting__shown_number")
    number = NumberColumn(pgettext_lazy("in a game", "Team"))
    points = PointsColumn(_("Points"), css="total")
    members = Column(_("Members"))

    def __init__(self, teams: Sequence[Team], names: Mapping[str, str]) -> None:
        """`names` are by key of the player."""
        self.names = names
        super().__init__(teams)

    def render_session(self, value: int, record: Team) -> str:
        """Return the number of the session, or the name of a play-off."""
        session = record.sitting.session
        if not session.is_play_off:
            return str(value)
        return session_name(session.number, session.tournament.play_off_numbers)

    def value_session(self, value: int, record: Team) -> int | str:
        """Return the same, but the number of a session as a number."""
        return self.render_session(value, record) if record.sitting.session.is_play_off else value

    def render_members(self, value: Sequence[Any], record: Team) -> str:
        """Return the members' names, and whether they have changed."""
        names = listed([isolated(self.names[entry.key]) for entry in value])
        return (
            gettext("%(names)s (members changed)") % {"names": names}
            if record.has_changed
            else names
        )
