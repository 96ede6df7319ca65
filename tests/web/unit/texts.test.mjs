// Unit tests of the catalogues of texts.

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { findMove, moveText } from "../../../crates/web/page/chess.js";
import { LANGUAGES, formats, pickLanguage } from "../../../crates/web/page/languages.js";
import { DE } from "../../../crates/web/page/texts-de.js";
import { EN } from "../../../crates/web/page/texts-en.js";
import { reasonIn } from "../../../crates/web/page/reason-text.js";
import { textOf } from "../../../crates/web/page/texts.js";
import { WORDS } from "../../../crates/review/page/shared/words.js";
import { Tree } from "../../../crates/web/page/tree.js";

const PAGE = new URL("../../../crates/web/page/", import.meta.url);
const html = fs.readFileSync(new URL("index.html", PAGE), "utf8");

/** The names and values of all texts and functions of a catalogue. */
function leaves(part, name = "") {
  return part !== null && typeof part === "object" ? Object.entries(part).flatMap(([key, value]) => leaves(value, name ? `${name}.${key}` : key)) : [[name, part]];
}

test("the language is the chosen one, or the first of the browser's that the page has, or English", () => {
  assert.equal(pickLanguage(["en", "de"], null, ["fr-FR", "de-AT", "en"]), "de");
  assert.equal(pickLanguage(["en", "de"], "en", ["de-DE"]), "en");
  assert.equal(pickLanguage(["en", "de"], "xx", ["DE"]), "de");
  assert.equal(pickLanguage(["en", "de"], null, ["fr"]), "en");
});

test("the document has no text of its own, and each text that it names is in every catalogue", async () => {
  const names = [...html.matchAll(/ data-(?:text|label|title|placeholder)="(.*?)"/g)].map(([, name]) => name);
  assert.ok(names.length > 100);
  for (const { load } of Object.values(LANGUAGES)) {
    const catalogue = await load();
    for (const name of names) assert.ok(textOf(catalogue, name), name);
  }
  // The name of the program, keys, and what is shown without scripts.
  const body = html.slice(html.indexOf("<body>")).replace(/<noscript>.*?<\/noscript>|<h1>Tabiya<\/h1>|@@pieces@@/g, "");
  assert.deepEqual(body.match(/>[^<>]*[A-Za-z]{2}[^<>]*</g), null);
  assert.deepEqual(body.match(/ (aria-label|title|placeholder)="[^"]*"/g), null);
});

test("no text of a catalogue is left in English or unused", () => {
  const english = new Map(leaves(EN).filter(([, value]) => typeof value === "string"));
  const same = leaves(DE).filter(([name, value]) => english.get(name) === value).map(([name]) => name);
  const names = ["tabs.analyse", "play.chess960", "setup.fen", "settings.hash", "explain.terms.Material", "explain.terms.Tempo", "train.themes.zugzwang", "analyse.start"];
  assert.deepEqual(same.sort(), names.sort());
  const scripts = fs.readdirSync(PAGE).filter((name) => name.endsWith(".js") && !name.startsWith("texts-")).map((name) => fs.readFileSync(new URL(name, PAGE), "utf8"));
  scripts.push(...["worker-queue.js", "worker-socket.js"].map((name) => fs.readFileSync(new URL(`../../wasm/page/${name}`, PAGE), "utf8")));
  const uses = [html, ...scripts].join("\n");
  // A text that is chosen by a variable is used by its group.
  const isUsed = (name) => uses.includes(`texts.${name}`) || uses.includes(`"${name}"`) || new RegExp(`texts\\.${name.split(".").slice(0, -1).join("\\.").replace(/\.\d+$/, "")}(?:\\[|\\))`).test(uses);
  const unused = leaves(EN).map(([name]) => name).filter((name) => !/^(words|tabs|reasons)/.test(name) && !isUsed(name.replace(/(\.\d+)+$/, "")));
  assert.deepEqual(unused, []);
});

test("moves have the letters of the language, and typed ones those of PGN", () => {
  const legal = [{ uci: "d1h5", san: "Qh5" }, { uci: "b7b8q", san: "b8=Q+" }, { uci: "b1c3", san: "Nbc3" }, { uci: "e1g1", san: "O-O" }, { uci: "d4e5", san: "dxe5" }, { uci: "c4d5", san: "Bxd5" }];
  assert.equal(findMove("Dh5", legal), undefined);
  const { letters } = WORDS;
  WORDS.letters = DE.words.letters;
  try {
    assert.deepEqual(legal.map(({ san }) => moveText(san)), ["Dh5", "b8=D+", "Sbc3", "O-O", "dxe5", "Lxd5"]);
    for (const { uci, san } of legal) for (const typed of [san, moveText(san), moveText(san).toLowerCase()]) assert.equal(findMove(typed, legal)?.uci, uci, typed);
    assert.equal(findMove("Dxe5", legal), undefined);
    assert.equal(reasonIn(DE.reasons, { text: "", best: "Nf3", fault: { kind: "allows-promotion", reply: "Qd1" }, arrows: [] }), "Erlaubt Dd1, wonach sich ein Bauer umwandelt. Am besten war Sf3.");
  } finally {
    WORDS.letters = letters;
  }
});

test("counted words have their plural, and numbers the form of the language", () => {
  assert.deepEqual([1, 2, 10_000].map((value) => EN.words.games(value)), ["1 game", "2 games", "10,000 games"]);
  assert.deepEqual([1, 2, 10_000].map((value) => DE.words.games(value)), ["1 Partie", "2 Partien", "10.000 Partien"]);
  assert.equal(DE.words.games(12, 3), "3 von 12 Partien");
  assert.deepEqual([1, 2].map((omitted) => EN.review.omitted(omitted, 3)), ["1 more game is in this PGN. The list has the first 3.", "2 more games are in this PGN. The list has the first 3."]);
  assert.deepEqual([1, 2].map((omitted) => DE.review.omitted(omitted, 3)), ["1 weitere Partie ist in diesem PGN. Die Liste hat die ersten 3.", "2 weitere Partien sind in diesem PGN. Die Liste hat die ersten 3."]);
  assert.deepEqual([1, 2].map((omitted) => EN.review.notRead("a.pgn", omitted)), ["a.pgn: 1 game is not read. Split the file.", "a.pgn: 2 games are not read. Split the file."]);
  assert.deepEqual([EN.words.percent(87.5), DE.words.percent(87.5)], ["87.5 %", "87,5 %"]);
  assert.deepEqual([0, 1, 6].map((days) => EN.train.comesBack(days)), ["It comes back within a day.", "It comes back tomorrow.", "It comes back in 6 days."]);
  assert.equal(DE.train.comesBack(0), "Die Übung kommt innerhalb eines Tages wieder.");
  assert.equal(DE.train.kept(3, 0, Date.UTC(2026, 0, 2, 12)), "3 gesichert, 0 fällig, die nächste am 2. Jan. 2026.");
});

test("German pieces have their gender", () => {
  assert.equal(DE.board.piece("white", "q"), "weiße Dame");
  assert.equal(DE.board.piece("black", "r"), "schwarzer Turm");
  assert.equal(DE.illegal.noPiece("black", "q"), "Schwarz hat keine Dame.");
  assert.equal(DE.illegal.noPieceAt("white", "p", "e", ""), "Weiß hat keinen Bauern auf der e-Linie.");
  assert.equal(DE.illegal.blocked("q", "h5"), "Eine andere Figur steht der Dame auf dem Weg nach h5 im Weg.");
});

test("a game's tags are those of PGN in every language", () => {
  const tree = new Tree();
  tree.tags = [["White", "Anna"]];
  assert.deepEqual([tree.player("white"), tree.player("black")], ["Anna", "Black"]);
});

const reasons = fs.readFileSync(new URL("../../data/reasons.jsonl", import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));

test("reasons have words of their own in every language but English", async () => {
  assert.ok(reasons.length > 80);
  for (const { load, name } of Object.values(LANGUAGES).slice(1)) {
    const { reasons: words } = await load();
    for (const reason of reasons) {
      const text = reasonIn(words, reason);
      assert.ok(text !== reason.text && text.includes(reason.best), text);
      assert.doesNotMatch(text, /undefined|null|\[object| {2}|\b(?:the|and|which|best|wins)\b|\.\.$/, name);
    }
    // Different faults are told apart.
    assert.equal(new Set(reasons.map((reason) => reasonIn(words, reason))).size, new Set(reasons.map(({ text }) => text)).size);
  }
});

test("German reasons have the case and the gender of their pieces", () => {
  const knight = { piece: "knight", square: "c3" };
  const queen = { piece: "queen", square: "d8" };
  const german = (reason) => reasonIn(DE.reasons, { arrows: [], text: "", best: "Kd8", ...reason });
  assert.equal(german({ fault: { kind: "removes-defender", reply: "Bxc3", piece: knight, winnings: "knight" } }), "Nimmt dem Springer auf c3 die Deckung: Bxc3 gewinnt einen Springer. Am besten war Kd8.");
  assert.equal(german({ fault: { kind: "removes-defender", reply: "Bxd8", piece: queen, winnings: "queen" } }), "Nimmt der Dame auf d8 die Deckung: Bxd8 gewinnt die Dame. Am besten war Kd8.");
  const fork = { motif: "fork", targets: [queen, knight] };
  assert.equal(
    german({ fault: { kind: "allows-gain", reply: "Nf4", tactic: fork, winnings: "exchange" }, purpose: { kind: "wins-material", tactic: { motif: "captured-defender", targets: [knight] }, winnings: "pawn" } }),
    "Erlaubt Nf4: Der Zug greift mit einer Gabel die Dame auf d8 und den Springer auf c3 an und gewinnt die Qualität. Am besten war Kd8: Der Zug schlägt den Verteidiger des Springers auf c3 und gewinnt einen Bauern.",
  );
  assert.equal(german({ best: "O-O", purpose: { kind: "castles" } }), "Am besten war die Rochade O-O.");
  assert.equal(german({ best: "Bxc3", purpose: { kind: "captures", piece: knight } }), "Am besten war es, mit Bxc3 den Springer zu schlagen.");
});

test("German reasons name the square that a piece leaves by its own preposition, and a missed gain once", () => {
  const queen = { piece: "queen", square: "d8" };
  const german = (purpose, fault) => reasonIn(DE.reasons, { arrows: [], text: "", best: "Nb6", purpose, fault });
  const gain = (tactic) => ({ kind: "wins-material", tactic, winnings: "pawn" });
  assert.equal(german({ kind: "moves-to-safety", piece: { piece: "knight", square: "c4" } }), "Am besten war Nb6: Der Zug bringt den Springer von c4 in Sicherheit.");
  assert.equal(german(gain({ motif: "deflection", piece: queen })), "Am besten war Nb6: Der Zug lenkt die Dame von d8 ab und gewinnt einen Bauern.");
  assert.equal(german(gain({ motif: "attraction", piece: queen, square: "b6" })), "Am besten war Nb6: Der Zug lockt die Dame von d8 nach b6 und gewinnt einen Bauern.");
  assert.equal(german(gain(null), { kind: "misses-gain", winnings: "pawn" }), "Verpasst einen Materialgewinn. Am besten war Nb6: Der Zug gewinnt einen Bauern.");
});

test("reasons without kinds, or with unknown ones, keep their English text", () => {
  for (const reason of [{}, { best: "Kd8", fault: { kind: "unheard-of" } }, { best: "Kd8", purpose: { kind: "unheard-of" } }]) {
    assert.equal(reasonIn(DE.reasons, { text: "Kd8 was best.", arrows: [], ...reason }), "Kd8 was best.");
  }
});

test("the remark of a review among the comments is in the page's language", () => {
  const node = { judgement: "blunder", reason: { text: "Gives up castling. O-O was best.", fault: { kind: "gives-up-castling" }, best: "O-O", purpose: { kind: "castles" }, arrows: [] } };
  const comment = "Blunder. Gives up castling. O-O was best. My words.";
  assert.equal(DE.words.remark(comment, node), "Grober Fehler. Gibt das Rochaderecht auf. Am besten war die Rochade O-O. My words.");
  assert.match(DE.words.remark(comment.replace("Blunder.", "Blunder, as marked."), node), /^Grober Fehler, wie angegeben\. Gibt/);
  assert.equal(EN.words.remark(comment, node), comment);
  assert.equal(DE.words.remark("My words.", {}), "My words.");
});

test("a date cannot be read as another one", () => {
  const noon = Date.UTC(2026, 10, 9, 12);
  // Month and day have each other's place in Britain and America, whose language is the same here.
  assert.equal(formats("en").date(noon), "Nov 9, 2026");
  assert.equal(formats("de").date(noon), "9. Nov. 2026");
});
