"""The rules of Goninkan and related card games: facts in, scores out. See `scoring/README.md`."""

from scoring.charts import reference_chart
from scoring.choices import choose
from scoring.errors import BadChoice, InvalidRecord, UnknownRuleSet
from scoring.game import Advice, Line, RoundScore, Start
from scoring.kankei import Deal, Round
from scoring.problems import Problem
from scoring.ranking.contest import (
    Adjustment,
    Contest,
    PlayedTable,
    PlayOff,
    Substitution,
    credits_of,
    places_of,
    steps_of,
)
from scoring.ranking.places import Place, rank
from scoring.ranking.results import Result, SumLine
from scoring.ranking.rules import USUAL_RANKING, BadRanking, RankingRules, read_ranking
from scoring.ranking.tie_breaks import (
    TIE_BREAKS,
    USUAL_TIE_BREAKS,
    TieBreak,
    TieDecision,
    offered_tie_breaks,
    order_by_lot,
)
from scoring.record import Record, read_record
from scoring.registry import RULE_SETS, get_rule_set, text_of
from scoring.rules import Choice, Option, Rule, Rules, RuleSet
from scoring.score import Score, score, score_as_json
from scoring.sources import Source, Text
from scoring.variants.gong_zhu import Captures
from scoring.variants.gouji import Finish

__all__ = [
    "RULE_SETS",
    "TIE_BREAKS",
    "USUAL_RANKING",
    "USUAL_TIE_BREAKS",
    "Adjustment",
    "Advice",
    "BadChoice",
    "BadRanking",
    "Captures",
    "Choice",
    "Contest",
    "Deal",
    "Finish",
    "InvalidRecord",
    "Line",
    "Option",
    "Place",
    "PlayOff",
    "PlayedTable",
    "Problem",
    "RankingRules",
    "Record",
    "Result",
    "Round",
    "RoundScore",
    "Rule",
    "RuleSet",
    "Rules",
    "Score",
    "Source",
    "Start",
    "Substitution",
    "SumLine",
    "Text",
    "TieBreak",
    "TieDecision",
    "UnknownRuleSet",
    "choose",
    "credits_of",
    "get_rule_set",
    "offered_tie_breaks",
    "order_by_lot",
    "places_of",
    "rank",
    "read_ranking",
    "read_record",
    "reference_chart",
    "score",
    "score_as_json",
    "steps_of",
    "text_of",
]
