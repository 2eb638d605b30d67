"""Judges a deal: its outcome, or why the facts are impossible.

Outcomes are ``won``, ``lost``, ``skunk``, ``reverse_skunk``, a declaration that was made, such as
``juroku``, and a missed one, such as ``juroku_missed``. Most are also the code of an item.

The conditions ① to ⑭ of 002 (13. ボーナスの成立条件) are cited beside the code that decides them.
000 and 001 agree where they have them; ⑫ is judged otherwise, see `scoring/variants/yoninkan.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from scoring.kankei.facts import FACE_CARDS, KANKEI_DECLARATIONS, LAST_DEAL, Deal
from scoring.translation import gettext_noop as _


class Verdict(NamedTuple):
    """How a deal ended, such as "juroku_missed", and whether the kankei won it."""

    outcome: str
    kankei_won: bool


class ImpossibleDeal(NamedTuple):
    """Why the facts of a deal are impossible: the wrong field, and the parts of a `Problem`."""

    field: str
    code: str
    template: str
    params: Mapping[str, Any]


class Judge:
    """Judges the deals of one game, and tells after which deal a round is over.

    - `targets`: by deal, the face cards that win it, for kankei and for mukankei
    - `skunk_from`: by deal, the face cards that a skunk needs, where that is not the target
    - `reverse_skunk_deals`: the deals in which a reverse skunk counts; elsewhere it is a plain loss
    - `missed_call_ends_deal`: the option of this name, see `judge`
    """

    def __init__(
        self,
        targets: Mapping[int, tuple[int, int]],
        *,
        skunk_from: Mapping[int, int],
        reverse_skunk_deals: Sequence[int],
        missed_call_ends_deal: bool,
    ) -> None:
        """Cache all verdicts: there are at most 153 counts × 7 declarations × 3 deals."""
        self.targets = targets
        self.skunk_from = skunk_from
        self.reverse_skunk_deals = reverse_skunk_deals
        self.missed_call_ends_deal = missed_call_ends_deal
        self.verdict = cache(self._verdict)

    def _verdict(
        self, deal_number: int, kankei: int, mukankei: int, declaration: str | None
    ) -> Verdict | ImpossibleDeal:
        """`deal_number` is 1, 2 or 3. Callers use the cached `verdict`."""
        return judge(
            Deal(kankei, mukankei, declaration),
            self.targets[deal_number],
            skunk_from=self.skunk_from.get(deal_number),
            may_be_reverse_skunk=deal_number in self.reverse_skunk_deals,
            missed_call_ends_deal=self.missed_call_ends_deal,
        )

    def ends_round(self, deal: Deal, deal_number: int) -> bool:
        """Return whether this deal ends the round: it is the third, or the mukankei won it.

        A first or second deal with impossible facts does not end the round.
        """
        if deal_number >= LAST_DEAL:
            return True
        verdict = self.verdict(deal_number, deal.kankei, deal.mukankei, deal.declaration)
        return isinstance(verdict, Verdict) and not verdict.kankei_won

    def is_over(self, deals: Sequence[Deal]) -> bool:
        """Return whether the last of these deals ends the round. `deals` must not be empty."""
        return self.ends_round(deals[-1], len(deals))


def judge(
    deal: Deal,
    targets: tuple[int, int],
    *,
    skunk_from: int | None = None,
    may_be_reverse_skunk: bool = True,
    missed_call_ends_deal: bool = True,
) -> Verdict | ImpossibleDeal:
    """Return how a deal ended, or why its facts are impossible.

    - `targets`: the face cards that win it, for kankei and for mukankei
    - `skunk_from`: the face cards that a skunk needs; by default the kankei's target
    - `may_be_reverse_skunk`: if False, a reverse skunk is judged as ``lost``
    - `missed_call_ends_deal`: a missed call loses the deal at once. If False, the deal is played on
      and won by the side that reaches its target.

    >>> judge(Deal(9, 0), (9, 8))
    Verdict(outcome='skunk', kankei_won=True)
    >>> judge(Deal(16, 0, "juroku"), (8, 9))
    Verdict(outcome='juroku', kankei_won=True)
    >>> judge(Deal(9, 7, "juroku"), (8, 9))
    Verdict(outcome='juroku_missed', kankei_won=False)
    """
    if deal.declaration is not None:
        return _judge_declared(deal, targets, missed_call_ends_deal=missed_call_ends_deal)
    if deal.kankei >= targets[0]:
        # ① 無関係グループの獲得絵札がないこと。関係グループが勝敗決定枚数を獲得したとき。
        is_skunk = deal.mukankei == 0 and deal.kankei >= (skunk_from or targets[0])
        return Verdict("skunk" if is_skunk else "won", kankei_won=True)
    if deal.mukankei >= targets[1]:
        # ④ 関係グループの獲得絵札がないこと。無関係グループが勝敗決定枚数を獲得したとき。
        is_reverse_skunk = deal.kankei == 0 and may_be_reverse_skunk
        return Verdict("reverse_skunk" if is_reverse_skunk else "lost", kankei_won=False)
    return _undecided(targets)


def _undecided(targets: tuple[int, int]) -> ImpossibleDeal:
    """Return what is wrong with a deal in which neither side has reached its target."""
    return ImpossibleDeal(
        "kankei",
        "undecided",
        _(
            "Nobody has won yet: the kankei need {kankei} face cards, or the mukankei {mukankei}; "
            "count again."
        ),
        {"kankei": targets[0], "mukankei": targets[1]},
    )


def _judge_declared(
    deal: Deal, targets: tuple[int, int], *, missed_call_ends_deal: bool
) -> Verdict | ImpossibleDeal:
    """Return how a deal with a declaration ended, or why its facts are impossible.

    The parameters are those of `judge`. “Own” is the side that declared.
    """
    declaration = deal.declaration or ""
    declared_by_kankei = declaration in KANKEI_DECLARATIONS
    own, other = (
        (deal.kankei, deal.mukankei) if declared_by_kankei else (deal.mukankei, deal.kankei)
    )
    own_target = targets[0] if declared_by_kankei else targets[1]
    is_call = declaration.startswith("called_")
    needs_all_cards = declaration.endswith("juroku")

    # ⑦⑧⑪⑫ スコンク (逆スコンク) を成立させた時点で … 宣言; ②③⑤⑥⑨⑩⑬⑭ 第1巡目に … 宣言していること。
    if not is_call and own < own_target:
        return _declaration_before_target(declared_by_kankei, own_target)
    if other == 0:
        # ②⑤ 勝敗決定枚数を獲得したとき。⑦⑨⑪⑬ 絵札全部(16枚)を獲得したとき。
        if own == FACE_CARDS or (not needs_all_cards and own >= own_target):
            return Verdict(declaration, kankei_won=declared_by_kankei)
        return (
            _undecided_juroku(declared_by_kankei)
            if needs_all_cards
            else _undecided_skunk_call(declared_by_kankei, own_target)
        )
    # ③⑥ 一枚でも絵札を獲得すること。⑧⑩⑫⑭ 獲得絵札が1枚でもあること。
    if is_call and not needs_all_cards and own >= own_target and missed_call_ends_deal:
        return _target_after_missed_call(declared_by_kankei, own_target)
    if is_call and not missed_call_ends_deal:
        if deal.kankei < targets[0] and deal.mukankei < targets[1]:
            return _undecided(targets)
        return Verdict(f"{declaration}_missed", kankei_won=deal.kankei >= targets[0])
    # ③⑧⑩ (無関係グループの勝ち), ⑥⑭ (関係グループの勝ち): whoever declared it loses, as in 000
    # (プレイに失敗したことになります) and 001 (逆じゅうろくはずし … 関係組の勝ち). Not so ⑫.
    return Verdict(f"{declaration}_missed", kankei_won=not declared_by_kankei)


def _declaration_before_target(declared_by_kankei: bool, target: int) -> ImpossibleDeal:
    """Return what is wrong with a declared juroku of a side below its target."""
    if declared_by_kankei:
        text = _(
            "A juroku is declared after a skunk: the kankei must hold {target} or more. "
            "Correct the count or remove the declaration."
        )
    else:
        text = _(
            "A reverse juroku is declared after a reverse skunk: the mukankei must hold "
            "{target} or more. Correct the count or remove the declaration."
        )
    return ImpossibleDeal("declaration", "declaration_impossible", text, {"target": target})


def _target_after_missed_call(declared_by_kankei: bool, target: int) -> ImpossibleDeal:
    """Return what is wrong with a missed call of a side that reached its target.

    The deal should have ended when the other side took a face card.
    """
    if declared_by_kankei:
        text = _(
            "A called skunk ends when the mukankei take a face card: either the mukankei hold "
            "none, or the kankei fewer than {target}."
        )
    else:
        text = _(
            "A called reverse skunk ends when the kankei take a face card: either the kankei hold "
            "none, or the mukankei fewer than {target}."
        )
    return ImpossibleDeal("declaration", "declaration_impossible", text, {"target": target})


def _undecided_juroku(declared_by_kankei: bool) -> ImpossibleDeal:
    """Return what is wrong with a declared juroku that is neither made nor missed."""
    if declared_by_kankei:
        text = _(
            "A juroku was declared: either the kankei hold all 16, or the mukankei at least 1."
        )
    else:
        text = _(
            "A reverse juroku was declared: either the mukankei hold all 16, "
            "or the kankei at least 1."
        )
    return ImpossibleDeal("kankei", "undecided", text, {})


def _undecided_skunk_call(declared_by_kankei: bool, target: int) -> ImpossibleDeal:
    """Return what is wrong with a called skunk that is neither made nor missed."""
    if declared_by_kankei:
        text = _(
            "A skunk was called: either the kankei hold {target} or more, "
            "or the mukankei at least 1."
        )
    else:
        text = _(
            "A reverse skunk was called: either the mukankei hold {target} or more, "
            "or the kankei at least 1."
        )
    return ImpossibleDeal("kankei", "undecided", text, {"target": target})
