// A round that others, such as the desk, have recorded while it was typed here: shows both versions until one of them is chosen.
makiyaku.Overtaken = class {
  constructor(editor) {
    this.editor = editor;
    this.table = editor.table;
    this.box = document.getElementById("overtaken");
  }

  // The version that others have recorded of the round in the form, if something was typed for it.
  version() {
    const { round, isSaving } = this.editor;
    return round && !isSaving && this.editor.isTyped() ? this.table.versionAfter(round) : null;
  }

  // The last round that others have recorded since something was typed for it, which is still a draft.
  async round() {
    for (const { number, version } of this.table.serverRounds().reverse()) {
      for (let seen = version - 1; seen >= 0; seen--) {
        const round = { number, seen, facts: null };
        if (await this.editor.draft(this.table.draftKey(round))) return round;
      }
    }
    return null;
  }

  draw(facts = this.editor.roundForm.facts()) {
    const stored = this.version();
    const isNew = this.box.hidden && stored;
    this.box.hidden = !stored;
    if (stored) this.compare(stored, facts);
    if (isNew) { makiyaku.feedback.buzz(60); this.scrollTo(); }
  }

  compare(stored, facts) {
    const { wording, round: { number } } = this.editor;
    const { trump } = this.table.stateBefore(number) ?? {}; // paper often leaves it out
    const isSame = makiyaku.RoundEditor.isSame({ ...(trump && { trump }), ...stored.facts }, facts);
    const both = wording.versions(stored.facts, facts, [stored.by_desk ? "at_desk" : "recorded", "typed"]);
    const recorded = wording.sentence(stored.by_desk ? "recorded_by_desk" : "recorded_elsewhere", { round: wording.roundInSentence(number) });
    makiyaku.write(this.box.querySelector("strong"), recorded);
    makiyaku.write(this.box.querySelector("[data-compared]"), wording.words[isSame ? "same_as_typed" : "compare_typed"]);
    makiyaku.Panels.list(this.box.querySelector("dl"), isSame ? both.slice(0, 1) : both);
    this.box.querySelector("[data-do=send-typed]").hidden = isSame;
  }

  // Return whether there is something to scroll to.
  scrollTo() {
    this.box.scrollIntoView({ block: "center" });
    return !this.box.hidden;
  }

  // If an earlier deal of the round in the form was refused, others have recorded this round: what is typed follows the same
  // version as that deal did, so that it is no correction of theirs.
  async followRefused() {
    const { editor } = this;
    const refused = this.refused(1);
    if (!refused || editor.round.isCorrection) return;
    const draft = await editor.draft();
    await editor.outbox.dropDraft(editor.draftKey);
    editor.round = { ...editor.round, seen: refused.seen };
    editor.form.elements.seen.value = refused.seen;
    if (draft) await editor.outbox.keepDraft(editor.draftKey, draft);
  }

  // The server keeps a refused version as a dispute; a later one replaces it here.
  async dropRefused() {
    const refused = this.refused(0);
    if (refused) await this.editor.outbox.drop(refused.id);
  }

  // The disputed item of the round in the form that follows the same version, or one that is `earlier` by so much.
  refused(earlier) {
    const { round } = this.editor;
    return this.table.disputedItems().find(({ number, seen }) => number === round.number && seen + earlier === round.seen);
  }
};
