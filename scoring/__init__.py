"""The rules of Goninkan and related card games: facts in, scores out. See `scoring/README.md`."""

from scoring.charts import reference_chart
from scoring.choices import choose
from scoring.errors import BadChoice, InvalidRecord, UnknownRuleSet
from scoring.kankei import Deal, Round
from scoring.problems import Problem
from scoring.ranking import TIE_BREAKS, USUAL_TIE_BREAKS, Place, Result, TieBreak, rank
from scoring.record import Record, read_record
from scoring.registry import RULE_SETS, get_rule_set, text_of
from scoring.rules import (
    Advice,
    Choice,
    Line,
    Option,
    RoundScore,
    Rule,
    Rules,
    RuleSet,
    Source,
    Text,
)
from scoring.score import Score, score, score_as_json
from scoring.variants.gong_zhu import Captures
from scoring.variants.gouji import Finish

__all__ = [
    "RULE_SETS",
    "TIE_BREAKS",
    "USUAL_TIE_BREAKS",
    "Advice",
    "BadChoice",
    "Captures",
    "Choice",
    "Deal",
    "Finish",
    "InvalidRecord",
    "Line",
    "Option",
    "Place",
    "Problem",
    "Record",
    "Result",
    "Round",
    "RoundScore",
    "Rule",
    "RuleSet",
    "Rules",
    "Score",
    "Source",
    "Text",
    "TieBreak",
    "UnknownRuleSet",
    "choose",
    "get_rule_set",
    "rank",
    "read_record",
    "reference_chart",
    "score",
    "score_as_json",
    "text_of",
]
