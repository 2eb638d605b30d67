"""Writes about accounts: staff, roles, tokens, passwords."""

from __future__ import annotations

from tests import cast
from tests.cast import SOMEBODY
from tests.tournaments.audit.examples.registry import Write, example
from tournaments.models import Epoch, Membership, Sitting
from tournaments.services import (
    accounts,
    epochs,
    list_layouts,
    phones,
    second_factors,
    staff,
    tokens,
)
from tournaments.spreadsheets.entry_lists import read_list
from tournaments.spreadsheets.sheets import pasted_sheet


@example("services.staff.open_account")
def account(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: staff.open_account(tournament, "kiroku", "x", "director", by=SOMEBODY)


@example("services.staff.give_role")
def role(sitting: Sitting) -> Write:
    tournament, user = sitting.session.tournament, cast.make_user("kiroku")
    return lambda: staff.give_role(tournament, user, "director", by=SOMEBODY)


@example("services.staff.remove_role")
def role_taken(sitting: Sitting) -> Write:
    for name in ("director", "another"):
        cast.make_staff(sitting.session.tournament, name, "director")
    pk = Membership.objects.earliest("pk").pk
    return lambda: staff.remove_role(Membership.objects.get(pk=pk), by=SOMEBODY)


@example("services.tokens.create_token")
def token(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    return lambda: tokens.create_token(user)


@example("services.accounts.set_may_create_events")
def right_to_create(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    return lambda: accounts.set_may_create_events(user, may=True, by=SOMEBODY)


@example("services.accounts.disable_account", "services.accounts.end_log_ins")
def ended_log_ins(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.disable_account(user, by=SOMEBODY)


@example("services.accounts.enable_account")
def enabled(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    accounts.disable_account(user, by=SOMEBODY)
    return lambda: accounts.enable_account(user, by=SOMEBODY)


@example("services.second_factors.begin")
def new_second_factor(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    return lambda: second_factors.begin(user)


@example("services.second_factors.confirm")
def confirmed_second_factor(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    second_factors.begin(user)
    return lambda: second_factors.confirm(user, cast.code_of_app(user))


@example("services.second_factors.remove")
def removed_second_factor(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    second_factors.begin(user)
    return lambda: second_factors.remove(user)


@example("services.accounts.set_password")
def new_password(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.set_password(user, "tsugaru-karuta-31", by=SOMEBODY)


@example("services.accounts.end_everything")
def ended_everything(sitting: Sitting) -> Write:
    tokens.create_token(cast.make_user("kiroku"))
    phones.join(sitting.token)
    return lambda: accounts.end_everything(by=SOMEBODY)


@example("services.list_layouts.remember")
def remembered_layout(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    layout = read_list([pasted_sheet("氏名\n成田 キヨ")], is_pasted=True).layout
    list_layouts.remember(user, layout)
    return lambda: list_layouts.remember(user, layout)


@example("services.epochs.begin")
def begun_epoch(_sitting: Sitting) -> Write:
    return lambda: epochs.begin(Epoch.Reason.RESTORED)
