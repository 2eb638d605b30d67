// Whether what is typed finds a player, by number, name, reading, club or romaji; as `views/roll_call.py` and `i18n/romaji.py` do.
window.makiyaku = window.makiyaku || {};

makiyaku.PlayerSearch = class {
  // `folds`: JSON, spellings of romaji, and words of a kanji and its variants, the usual one first.
  constructor(folds) {
    const { romaji, letters } = JSON.parse(folds);
    this.romaji = romaji;
    this.letters = Object.fromEntries(letters.split(" ").flatMap(([usual, ...variants]) => variants.map((variant) => [variant, usual])));
    this.key = this.key.bind(this);
  }

  key(typed) {
    const letters = typed.normalize("NFKC").toLowerCase().replace(/\s|\p{Variation_Selector}/gu, "");
    const usual = Array.from(letters, (letter) => this.letters[letter] ?? letter).join("");
    return usual.replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
  }

  fold(typed) {
    const latin = typed.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").trim();
    if (!/^[a-z][a-z'’ -]*$/.test(latin)) return "";
    const letters = this.romaji.reduce((so, [spelling, folded]) => so.replaceAll(spelling, folded), latin.replace(/[^a-z]/g, ""));
    return letters.replace(/(.)\1+/g, "$1");
  }

  // A function that tells whether a player is found, by number, text (a key) and romaji (folded).
  finder(typed) {
    const key = this.key(typed);
    const folded = this.fold(typed);
    if (/^\d+$/.test(key)) return ({ number }) => number.startsWith(key);
    return ({ text, romaji }) => text.includes(key) || Boolean(folded && romaji.includes(folded));
  }
};
