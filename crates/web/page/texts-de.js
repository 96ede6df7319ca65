// The German texts of the page, in the form of the English ones.

import { formats } from "./languages.js";
import { remarkIn, tacticIn } from "./reason-text.js";

const { number, decimal, date, list, count } = formats("de");

/** @type {Sides<string>} */
const SIDES = { white: "Weiß", black: "Schwarz" };
/** @type {Record<string, string>} */
const PIECES = { k: "König", q: "Dame", r: "Turm", b: "Läufer", n: "Springer", p: "Bauer" };
const JUDGEMENTS = { inaccuracy: "Ungenauigkeit", mistake: "Fehler", blunder: "grober Fehler" };

/** A piece with its article: all but the queen are masculine. */
const The = (/** @type {string} */ kind) => `${kind === "q" ? "Die" : "Der"} ${PIECES[kind]}`;
/** A piece with its colour. */
const ofSide = (/** @type {Side} */ side, /** @type {string} */ kind) => `${side === "white" ? "weiße" : "schwarze"}${kind === "q" ? "" : "r"} ${PIECES[kind]}`;
/** In the accusative, the pawn has a form of its own. */
const accusative = (/** @type {string} */ kind) => (kind === "p" ? "Bauern" : PIECES[kind]);
const none = (/** @type {string} */ kind) => `${kind === "q" ? "keine" : "keinen"} ${accusative(kind)}`;
const games = (/** @type {number} */ value) => count(value, { one: "Partie", other: "Partien" });

/** The names of the pieces in the accusative, dative and genitive, each with its article. */
const PIECE_CASES = {
  pawn: ["den Bauern", "dem Bauern", "des Bauern"], knight: ["den Springer", "dem Springer", "des Springers"], bishop: ["den Läufer", "dem Läufer", "des Läufers"],
  rook: ["den Turm", "dem Turm", "des Turms"], queen: ["die Dame", "der Dame", "der Dame"], king: ["den König", "dem König", "des Königs"],
};
/** @type {(part: NamedPiece) => string} */
const acc = ({ piece, square }) => `${PIECE_CASES[piece][0]} auf ${square}`;
/** A piece that leaves its square. "Den Springer auf g5 in Sicherheit bringen" would mean that g5 is safe. */
const leaving = (/** @type {NamedPiece} */ { piece, square }) => `${PIECE_CASES[piece][0]} von ${square}`;
/** @type {(part: NamedPiece) => string} */
const gen = ({ piece, square }) => `${PIECE_CASES[piece][2]} auf ${square}`;
/** In the nominative, only the article of masculine nouns differs, and the ending of the pawn. */
const nom = (/** @type {PieceName} */ piece) => PIECE_CASES[piece][0].replace("den ", "der ").replace("Bauern", "Bauer");
/**
 * Parts of a sentence, the last two with "und".
 * @param {string[]} parts
 */
const und = (parts) => parts.join(", ").replace(/, ([^,]*)$/, " und $1");
/** @type {Record<PieceName, string>} */
const PLURALS = { pawn: "Bauern", knight: "Springer", bishop: "Läufer", rook: "Türme", queen: "Damen", king: "Könige" };
/**
 * Material in the accusative.
 * @type {Record<Winnings, string>}
 */
const WINNINGS = {
  "pawn": "einen Bauern", "two-pawns": "zwei Bauern", "knight": "einen Springer", "bishop": "einen Läufer", "piece": "eine Figur", "piece-and-pawn": "eine Figur und einen Bauern",
  "piece-for-pawn": "eine Figur für einen Bauern", "exchange": "die Qualität", "rook": "einen Turm", "queen": "die Dame", "queen-for-rook": "die Dame für einen Turm",
  "queen-for-piece": "die Dame für eine Leichtfigur", "material": "Material",
};
/**
 * Mates with "das", "mit" and "ein".
 * @type {Record<MatePattern, string[]>}
 */
const MATES = {
  "plain": ["das Matt", "Matt", "ein Matt"], "back-rank": ["das Grundreihenmatt", "Grundreihenmatt", "ein Grundreihenmatt"], "smothered": ["das erstickte Matt", "ersticktem Matt", "ein ersticktes Matt"],
};
/** @type {Record<TbResult, string>} */
const TB_RESULTS = { win: "gewonnen", draw: "remis", loss: "verloren" };
const inMoves = (/** @type {number} */ moves) => (moves === 1 ? "in einem Zug" : `in ${moves} Zügen`);

/**
 * Tactics and purposes are clauses with "der Zug" as their subject.
 * @type {ReasonWords}
 */
const REASONS = {
  better: (san, clause, purpose) => {
    if (purpose?.kind === "castles") return `Am besten war die Rochade ${san}.`;
    // The move names the square.
    if (purpose?.kind === "captures") return `Am besten war es, mit ${san} ${PIECE_CASES[purpose.piece.piece][0]} zu schlagen.`;
    return clause ? `Am besten war ${san}: Der Zug ${clause}.` : `Am besten war ${san}.`;
  },
  faults: {
    "allows-mate": ({ reply, moves, pattern }) => (moves === 1 ? `Erlaubt ${MATES[pattern][0]} durch ${reply}.` : `Erlaubt ${reply} mit ${MATES[pattern][1]} ${inMoves(moves)}.`),
    "misses-mate": ({ moves, pattern }) => `Verpasst ${MATES[pattern][2]} ${inMoves(moves)}.`,
    "loses-moved-piece": ({ reply, piece, winnings }) => `Verliert ${WINNINGS[winnings]}: ${reply} schlägt ${acc(piece)}.`,
    "removes-defender": ({ reply, piece, winnings }) => `Nimmt ${PIECE_CASES[piece.piece][1]} auf ${piece.square} die Deckung: ${reply} gewinnt ${WINNINGS[winnings]}.`,
    "leaves-undefended": ({ reply, piece, winnings }) => `Lässt ${acc(piece)} ungedeckt: ${reply} gewinnt ${WINNINGS[winnings]}.`,
    "ignores-threat": ({ reply, piece, winnings }) => `Übersieht die Drohung gegen ${acc(piece)}: ${reply} gewinnt ${WINNINGS[winnings]}.`,
    "loses-passed-pawn": ({ reply, square }) => `Verliert den Freibauern auf ${square} durch ${reply}.`,
    "allows-gain": ({ reply, tactic, winnings }) => (tactic ? `Erlaubt ${reply}: Der Zug ${tacticIn(REASONS, tactic)} und gewinnt ${WINNINGS[winnings]}.` : `Erlaubt ${reply}, was ${WINNINGS[winnings]} gewinnt.`),
    "allows-promotion": ({ reply }) => `Erlaubt ${reply}, wonach sich ein Bauer umwandelt.`,
    "loses-material": ({ reply, winnings }) => `Verliert nach ${reply} ${WINNINGS[winnings]}.`,
    "misses-gain": () => "Verpasst einen Materialgewinn.",
    "worsens-tb-result": ({ before, after }) => `Verschenkt ${before === "win" ? "den Gewinn" : "das Remis"}: Nach der Tablebase ist die Stellung jetzt ${TB_RESULTS[after]}.`,
    "enters-tb-result": ({ after }) => `Führt in ein Endspiel, das laut Tablebase ${TB_RESULTS[after]} ist.`,
    "throws-away-won-ending": () => "Verschenkt ein gewonnenes Endspiel, das jetzt ausgeglichen ist.",
    "gives-up-bishop-pair": () => "Gibt das Läuferpaar auf.",
    "gives-up-castling": () => "Gibt das Rochaderecht auf.",
    "doubles-pawns": ({ file }) => `Führt zu einem Doppelbauern auf der ${file}-Linie.`,
    "isolates-pawn": ({ square }) => `Führt zu einem isolierten Bauern auf ${square}.`,
    "allows-passed-pawn": ({ square }) => `Erlaubt einen Freibauern auf ${square}.`,
    "allows-pawn-advance": ({ reply }) => `Erlaubt ${reply}, womit der Freibauer vorrückt.`,
    "allows-outpost": ({ reply, piece }) => `Erlaubt ${reply}, womit ${nom(piece.piece)} einen Vorposten erreicht.`,
    "allows-attack": ({ reply, piece, drives_away: drivesAway }) => `Erlaubt ${reply}, was ${acc(piece)} ${drivesAway ? "vertreibt" : "angreift"}.`,
    "exposes-king": ({ reply }) => `Setzt den König Angriffen aus: Auf ${reply} folgen weitere Schachgebote.`,
    "loses-pawn-ending": () => "Führt in ein verlorenes Bauernendspiel.",
    "loses-tempo": ({ later }) => `Verliert ein Tempo: ${later} folgt erst später.`,
    "throws-away-advantage": () => "Verschenkt den Vorteil: Die Stellung ist jetzt ausgeglichen.",
    "weakens-shelter": ({ square }) => `Schwächt die Königsstellung: Der Bauer verlässt ${square}.`,
  },
  purposes: {
    "mates": ({ moves }) => (moves === 1 ? "setzt matt" : `setzt ${inMoves(moves)} matt`),
    "wins-material": ({ tactic, winnings }) => `${tactic ? `${tacticIn(REASONS, tactic)} und ` : ""}gewinnt ${WINNINGS[winnings]}`,
    "keeps-tb-result": ({ result }) => (result === "win" ? "gewinnt laut Tablebase" : "hält laut Tablebase remis"),
    "keeps-material": () => "verliert kein Material",
    "moves-to-safety": ({ piece }) => `bringt ${leaving(piece)} in Sicherheit`,
    "defends": ({ piece }) => `deckt ${acc(piece)}`,
    "parries-threat": ({ piece }) => `beseitigt die Drohung gegen ${acc(piece)}`,
    "attacks": ({ piece }) => `greift ${acc(piece)} an`,
    "castles": () => "ist die Rochade",
    "exchanges": ({ piece }) => `tauscht ${PLURALS[piece]}`,
    "advances-passed-pawn": () => "bringt den Freibauern voran",
    "makes-passed-pawn": ({ square }) => `schafft einen Freibauern auf ${square}`,
    "doubles-pawns": ({ file }) => `verschafft dem Gegner einen Doppelbauern auf der ${file}-Linie`,
    "takes-outpost": ({ piece: { piece, square } }) => `stellt ${PIECE_CASES[piece][0]} auf den Vorposten ${square}`,
    "captures": ({ piece }) => `schlägt ${acc(piece)}`,
    "develops": ({ piece }) => `entwickelt ${PIECE_CASES[piece][0]}`,
    "takes-open-file": ({ file }) => `stellt den Turm auf die offene ${file}-Linie`,
    "centralises-king": () => "bringt den König näher an die Mitte",
    "prevents": ({ reply }) => `verhindert ${reply}`,
    "avoids-exchange": ({ piece }) => `vermeidet den Tausch der ${PLURALS[piece]}`,
    "offers-exchange": ({ piece }) => `bietet den Tausch der ${PLURALS[piece]} an`,
    "breaks-pin": ({ piece }) => `beendet die Fesselung ${gen(piece)}`,
    "blocks-passed-pawn": ({ square }) => `blockiert den Freibauern auf ${square}`,
    "prepares-castling": () => "bereitet die Rochade vor",
    "makes-escape-square": () => "schafft dem König ein Fluchtfeld",
    "takes-half-open-file": ({ file }) => `stellt den Turm auf die halboffene ${file}-Linie`,
    "more-squares": ({ piece }) => `gibt ${PIECE_CASES[piece][1]} mehr Felder`,
    // The move names the square.
    "takes-centre": () => "stellt einen Bauern ins Zentrum",
  },
  tactics: {
    "double-check": () => "gibt Doppelschach",
    "fork": ({ targets }) => `greift mit einer Gabel ${und(targets.map(acc))} an`,
    "skewer": ({ targets }) => `greift mit einem Spieß ${und(targets.map(acc))} an`,
    "trap": ({ targets }) => `fängt ${und(targets.map(acc))}`,
    "discovered-attack": ({ targets }) => `greift durch einen Abzug ${und(targets.map(acc))} an`,
    "captured-defender": ({ targets }) => `schlägt den Verteidiger ${und(targets.map(gen))}`,
    "overload": ({ piece, duty }) => `überlastet ${acc(piece)}, ${piece.piece === "queen" ? "die" : "der"} allein ${acc(duty)} deckt,`,
    "deflection": ({ piece }) => `lenkt ${leaving(piece)} ab`,
    "attraction": ({ piece, square }) => `lockt ${leaving(piece)} nach ${square}`,
    "interference": ({ targets }) => `unterbricht die Deckung ${und(targets.map(gen))}`,
    "pin": ({ targets }) => `fesselt ${und(targets.map(acc))}`,
    "hanging-piece": ({ piece: { piece } }) => `schlägt ${PIECE_CASES[piece][0].replace(" ", piece === "queen" ? " ungedeckte " : " ungedeckten ")}`,
  },
};

/** @type {typeof import("./texts-en.js").EN} */
export const DE = {
  words: {
    sides: SIDES,
    pieces: PIECES,
    letters: "KDTLS",
    judgements: JUDGEMENTS,
    nothing: "nichts",
    noMoves: "Noch keine Züge.",
    games: (total, found) => (found === undefined ? games(total) : `${number(found)} von ${games(total)}`),
    percent: (value) => `${decimal(value, 1)} %`,
    remark: (comment, node) => remarkIn(REASONS, JUDGEMENTS, comment, node),
  },
  number, decimal,
  reasons: REASONS,
  tabs: { activities: "Tätigkeiten", play: "Spiel", analyse: "Analyse", review: "Auswerten", train: "Üben", explain: "Erklären", setup: "Aufbau", games: "Partien" },

  page: {
    theme: "Zwischen Hell und Dunkel wechseln",
    dismiss: "Schließen",
    loading: "Die Engine wird geladen …",
    moves: "Züge",
    engine: ({ name, isLocal, threads, hash }) => `${name}${isLocal ? " in diesem Browser" : ""}, ${count(threads, { one: "Thread", other: "Threads" })}, ${number(hash)} MiB Hash`,
    evaluation: "Bewertung",
    network: "neuronales Netz",
    handcrafted: "von Hand gemacht",
    shortcuts: "Tastenkürzel aus einem Buchstaben",
    lost: "Keine Verbindung zu Tabiya. Deine Partie ist gesichert; die Seite versucht, sich wieder zu verbinden. Wenn der Server beendet ist, starte tabiya-web.",
    connectionLost: "die Verbindung zur Engine ist abgebrochen",
    results: { "1-0": "Weiß hat gewonnen", "0-1": "Schwarz hat gewonnen", "1/2-1/2": "remis" },
    toMove: (side) => `${SIDES[side]} am Zug`,
    wasBest: (san) => `${san} war am besten`,
    check: "Schach",
    claimable: (reason) => `Remis kann gefordert werden (${reason})`,
    gameOver: (outcome) => `Die Partie ist zu Ende: ${outcome}.`,
    incompleteLink: (problem) => `Der Link ist unvollständig. ${problem}`,
    notLegal: (move) => `${move} ist hier kein legaler Zug.`,
    notPlayable: (move, problem) => `${move} kann nicht gespielt werden: ${problem}`,
  },

  outcomes: {
    win: (winner, reason) => `${SIDES[winner]} gewinnt durch ${reason}`,
    draw: (reason) => `Remis durch ${reason}`,
    reasons: {
      "checkmate": "Schachmatt", "stalemate": "Patt", "dead position": "tote Stellung", "threefold repetition": "dreimalige Wiederholung",
      "fivefold repetition": "fünfmalige Wiederholung", "fifty-move rule": "die 50-Züge-Regel", "seventy-five-move rule": "die 75-Züge-Regel",
    },
  },

  board: {
    board: "Brett",
    role: "Schachbrett",
    evaluation: "Bewertung",
    editor: "Brett, Aufbau",
    toMove: (side) => `Brett, ${SIDES[side]} am Zug`,
    bar: (score, percent) => `${score}, Weiß erwartet ${percent} %`,
    unknown: "unbekannt",
    go: "Durch die Partie gehen",
    first: "Anfang der Partie",
    firstKey: "Anfang der Partie (Pos1)",
    previous: "Voriger Zug",
    previousKey: "Voriger Zug (←)",
    next: "Nächster Zug",
    nextKey: "Nächster Zug (→)",
    last: "Ende der Variante",
    lastKey: "Ende der Variante (Ende)",
    flip: "Brett drehen",
    flipKey: "Brett drehen (F)",
    example: "z. B. Sf3",
    type: "Zug eingeben, etwa Sf3 oder g1f3",
    typeKey: "Zug eingeben, etwa Sf3 oder g1f3 (/)",
    piece: ofSide,
    empty: "leer",
    possible: "möglicher Zug",
    nothingSelected: "Nichts gewählt",
    waiting: (square) => `${square}: wartet auf die legalen Züge`,
    noMove: (square) => `${square}: kein Zug von hier`,
    selected: (square, ends) => `${square} gewählt. Züge nach ${ends}.`,
    promotion: "Umwandeln in",
  },

  edit: {
    glyphs: "Zug beurteilen",
    comment: "Kommentar zum Zug",
    promote: "Zur Hauptvariante",
    delete: "Ab hier löschen",
    undo: "Rückgängig",
    undoKey: "Rückgängig (Strg+Z)",
    redo: "Wiederholen",
    redoKey: "Wiederholen (Strg+Umschalt+Z)",
    undone: "Rückgängig gemacht",
    redone: "Wiederholt",
    nothingToUndo: "Es gibt nichts rückgängig zu machen",
    nothingToRedo: "Es gibt nichts zu wiederholen",
    inGame: "In einer laufenden Partie gibt es stattdessen Zurücknehmen",
  },

  play: {
    game: "Partie",
    takeBack: "Zurücknehmen",
    hint: "Tipp",
    offerDraw: "Remis anbieten",
    claimDraw: "Remis fordern",
    resign: "Aufgeben",
    continue: "Partie fortsetzen",
    again: "Noch einmal versuchen",
    newGame: "Neue Partie",
    strength: "Spielstärke",
    full: "voll",
    elo: (value) => `${value} Elo`,
    color: "Du spielst",
    white: "Weiß",
    black: "Schwarz",
    random: "Zufall",
    time: "Bedenkzeit",
    noClock: "Ohne Uhr",
    minutes: (minutes, increment) => (increment ? `${minutes} + ${increment}` : `${minutes} Min.`),
    start: "Beginn",
    standard: "Grundstellung",
    chess960: "Chess960",
    here: "Diese Stellung",
    pace: "Tabiya denkt so lange wie ein Mensch",
    paceHint: "Bei begrenzter Spielstärke und mit Uhr",
    begin: "Los",
    event: "Partie gegen Tabiya",
    hinted: (san) => `Tipp: ${san}`,
    drawBy: (reason) => `Remis durch ${reason}.`,
    agreed: "Remis durch Vereinbarung.",
    declined: "Tabiya lehnt das Remis ab.",
    askResign: "Diese Partie aufgeben?",
    resigned: "Du hast aufgegeben.",
    timeNoMate: (side, winner) => `Die Zeit von ${SIDES[side]} ist um, aber ${SIDES[winner]} kann nicht mattsetzen: remis.`,
    timeUp: (side, winner) => `${SIDES[winner]} gewinnt: Die Zeit von ${SIDES[side]} ist um.`,
    premove: (from, to) => `Vorauszug ${from} ${to}`,
    waits: "Diese Partie wartet auf „Partie fortsetzen“.",
    over: (result) => `Die Partie ist zu Ende (${result}). Beginne eine neue, oder probiere Züge unter Analyse aus.`,
    engineTurn: "Tabiya ist am Zug.",
    earlier: "Das ist eine frühere Stellung. Gehe zur letzten, um weiterzuspielen.",
    elsewhere: "Diese Partie läuft. Vielleicht ist sie in einem anderen Tab offen.",
    yourMove: "Du bist am Zug.",
    noMoveFound: "Tabiya hat keinen Zug gefunden.",
    thinking: "Tabiya denkt nach …",
    chooseOrMove: "Wähle eine Spielstärke und beginne eine Partie, oder bewege die Figuren frei.",
    choose: "Wähle eine Spielstärke und beginne eine Partie.",
  },

  analyse: {
    start: "Start",
    stop: "Stopp",
    lines: "Varianten",
    threat: "Drohung",
    threatHint: "Was die andere Seite spielen würde, wenn sie am Zug wäre",
    bestLines: "Beste Varianten",
    noThreat: "Im Schach gibt es keine Drohung zu zeigen.",
    busy: "Tabiya denkt über den Zug in der Partie nach …",
    chances: ([white, draw, black]) => `Weiß gewinnt ${decimal(white, 1)} %, remis ${decimal(draw, 1)} %, Schwarz gewinnt ${decimal(black, 1)} %`,
    noChances: "Sieg, Remis und Niederlage: unbekannt",
    parts: ["Weiß", "Remis", "Schwarz"],
    depth: (depth, seldepth, nodes, nps) => `Tiefe ${depth}/${seldepth}, ${nodes} Knoten, ${nps}/s`,
    foundBefore: (depth, seldepth, now) => `Tiefe ${depth}/${seldepth}, früher gefunden${now === undefined ? "" : `; jetzt Tiefe ${now}`}`,
    threatBy: (side, depth) => `Drohung: ${SIDES[side]} am Zug, Tiefe ${depth}`,
    tableHits: (hits) => `, ${count(hits, { one: "Tablebase-Treffer", other: "Tablebase-Treffer" })}`,
    wholeLine: "Ganze Variante",
  },

  tablebase: {
    moves: "Ergebnisse der Züge laut Tablebase",
    results: { white_wins: "Weiß gewinnt", black_wins: "Schwarz gewinnt", draw: "Remis", fifty_moves: "Remis nach der 50-Züge-Regel" },
    verdict: (result, plies) => `Tablebase: ${result}${plies ? `, ${count(plies, { one: "Halbzug", other: "Halbzüge" })} bis zum nächsten Schlag- oder Bauernzug` : ""}.`,
    ranks: {
      win: ["Dieser Zug gewinnt", "Diese Züge gewinnen"],
      cursed: ["Dieser Zug hält nach der 50-Züge-Regel remis", "Diese Züge halten nach der 50-Züge-Regel remis"],
      draw: ["Dieser Zug hält remis", "Diese Züge halten remis"],
      loss: ["Dieser Zug verliert", "Diese Züge verlieren"],
    },
  },

  openings: {
    title: "Eröffnungen",
    move: "Zug",
    people: "Spieler",
    share: "Anteil der Züge, darunter Siege von Weiß, Remis und Siege von Schwarz in Partien der Lichess-Datenbank",
    peopleResults: ({ games: total, score, white, draws, black }) => (
      `${games(total)}: Weiß gewinnt ${decimal(white * 100, 0)} %, remis ${decimal(draws * 100, 0)} %, Schwarz gewinnt ${decimal(black * 100, 0)} %; Weiß erzielt ${decimal(score * 100, 0)} %`),
    own: "Eigene",
    results: "Siege von Weiß, Remis, Siege von Schwarz in deinen Partien",
    count: (value) => `${count(value, { one: "eigene Partie", other: "eigene Partien" })}.`,
    none: "Weder die Tabelle noch deine Partien haben diese Stellung.",
    exit: "Aus dem Buch: ",
    usual: (moves) => ` Üblich ist ${moves.join(", ")}.`,
  },

  review: {
    progress: "Fortschritt der Auswertung",
    cancel: "Abbrechen",
    previous: "Voriger Fehler",
    previousKey: "Voriger Fehler (P)",
    next: "Nächster Fehler",
    nextKey: "Nächster Fehler (N)",
    graph: "Die von Weiß erwarteten Punkte nach jedem Zug",
    accuracy: "Genauigkeit",
    inaccuracies: "Ungenauigkeiten",
    mistakes: "Fehler",
    blunders: "Grobe Fehler",
    more: "Auswerten, öffnen, sichern",
    start: "Diese Partie auswerten",
    nodes: "Knoten",
    openPgn: "PGN öffnen",
    pastePgn: "PGN einfügen",
    savePgn: "PGN sichern",
    saveReport: "Bericht sichern",
    pgnText: "PGN-Text",
    open: "Öffnen",
    notRead: (file, omitted) => `${file}: ${games(omitted)} nicht gelesen. Teile die Datei.`,
    tooLarge: (megabytes) => `Die Datei ist größer als ${megabytes} MB: Öffne einen Teil, oder nimm tabiya pgn annotate.`,
    textTooLarge: "Dieses PGN ist zu groß: Öffne einen Teil davon.",
    reading: (value) => `${games(value)} gelesen …`,
    noPgn: "Es gibt kein PGN zu öffnen.",
    omitted: (omitted, listed) => `In diesem PGN sind ${number(omitted)} weitere Partien. Die Liste hat die ersten ${number(listed)}.`,
    partlyRead: (problem) => `Die Partie konnte nicht ganz gelesen werden: ${problem}`,
    noMoves: "Es gibt keinen Zug auszuwerten: Spiele, öffne ein PGN, oder baue eine Partie auf.",
    complete: "Die Auswertung ist fertig",
    noMistake: "Die Partie hat keinen ausgewerteten Fehler",
    move: (move, judgement, reason) => `${move}, ${judgement}. ${reason}`,
    better: (san) => `${san} war am besten.`,
    fine: (move) => `${move}: kein Fehler.`,
    total: (value) => (value === 0 ? "Keine Fehler in dieser Partie." : `${count(value, { one: "Fehler", other: "Fehler" })} anzusehen.`),
    partly: "teilweise gelesen",
  },

  games: {
    find: "Partien suchen",
    filter: "Spieler, Eröffnung, Turnier, Datum …",
    more: "Mehr zeigen",
    restoreHint: "Ein Klick stellt eine Partie wieder her.",
    import: "PGN importieren",
    export: "Alle exportieren",
    delete: "Diese Partie löschen",
    remove: "Endgültig löschen",
    showDeleted: "Gelöschte Partien zeigen",
    askRemove: (value) => `${count(value, { one: "gelöschte Partie wird", other: "gelöschte Partien werden" })} endgültig entfernt. Fortfahren?`,
    restored: "Die Partie ist wiederhergestellt",
    deleted: "Die Partie ist gelöscht. Unter „Gelöschte Partien zeigen“ lässt sie sich wiederherstellen.",
    position: "Stellung",
    moves: (value) => (value === 0 ? "keine Züge" : count(value, { one: "Zug", other: "Züge" })),
    gone: "Diese Partie ist nicht mehr vorhanden.",
    changedElsewhere: "Ein anderer Tab hat diese Partie geändert. Beide Fassungen sind unter Partien.",
    askUnkept: "Der Browser konnte die Partie auf dem Brett nicht sichern; sie ginge verloren. Fortfahren?",
    askInProgress: "Du verlässt die laufende Partie; sie bleibt unter Partien. Fortfahren?",
    full: "Der Speicher des Browsers ist voll, und diese Partie ist nicht gesichert. Sichere sie als PGN, oder lösche Partien endgültig.",
    notKept: (problem) => `Der Browser kann keine Partien sichern (${problem}). Sichere diese als PGN.`,
  },

  train: {
    ownGames: "Deine Partien",
    side: "Du bist",
    sideBelow: "die Seite unten",
    repetition: "Wiederholung",
    puzzles: "Aufgaben",
    theme: "Thema",
    level: "Stufe",
    nextPuzzle: "Nächste Aufgabe",
    hint: "Tipp",
    solve: "Lösung zeigen",
    retry: "Noch einmal",
    next: "Weiter",
    end: "Ende",
    learn: "Besseres finden",
    themes: {
      mateIn1: "Matt in 1", mateIn2: "Matt in 2", mateIn3: "Matt in 3", fork: "Gabel", pin: "Fesselung", skewer: "Spieß", discoveredAttack: "Abzugsangriff",
      doubleCheck: "Doppelschach", hangingPiece: "Hängende Figur", trappedPiece: "Gefangene Figur", backRankMate: "Grundreihenmatt", smotheredMate: "Ersticktes Matt",
      promotion: "Umwandlung", deflection: "Ablenkung", attraction: "Hinlenkung", sacrifice: "Opfer", interference: "Verstellung",
      capturingDefender: "Verteidiger schlagen", quietMove: "Stiller Zug", defensiveMove: "Verteidigungszug", zugzwang: "Zugzwang", endgame: "Endspiel",
    },
    anyTheme: "Jedes Thema",
    levels: (least, most) => (least === 0 ? `Bis ${most}` : most === Infinity ? `Über ${least}` : `${least} bis ${most}`),
    mistake: (move) => `Du hast ${move} gespielt. Finde etwas Besseres.`,
    punish: (side, move, judgement) => `${SIDES[side]} hat ${move} gespielt (${JUDGEMENTS[judgement]}). Nutze das aus.`,
    puzzle: (side) => `${SIDES[side]} am Zug. Finde den besten Zug.`,
    puzzleSource: (rating) => `Aufgabe mit ${rating} Elo, Lichess`,
    noPuzzle: "Es gibt keine Aufgabe mit diesem Thema und dieser Stufe.",
    withoutPuzzles: "Diese Seite wurde ohne Aufgaben gebaut.",
    nothing: "In dieser Partie gibt es nichts zu üben.",
    allDone: "Alle Übungen sind fertig. Sie kommen wieder, wenn es Zeit ist.",
    noMove: "Die Engine hat keinen Zug gefunden. Versuche es noch einmal.",
    busy: "Tabiya denkt über den Zug in der Partie nach. Versuche es danach noch einmal.",
    played: (san) => `${san} hast du gespielt. Finde etwas Besseres.`,
    wrong: (san) => `${san} ist nicht der Zug. Versuche es noch einmal, oder nimm einen Tipp.`,
    looking: (san) => `${san} wird geprüft …`,
    right: (san, isLate) => `${san}: ${isLate ? "das ist es" : "richtig"}.`,
    goOn: (san) => `${san} ist richtig. Weiter so.`,
    answer: (sans) => `Die Lösung ist ${sans.join(" ")}.`,
    comesBack: (days) => (days === 1 ? "Die Übung kommt morgen wieder." : `Die Übung kommt in ${count(days, { one: "Tag", other: "Tagen" })} wieder.`),
    hintPiece: (square) => `Ziehe mit der Figur auf ${square}.`,
    hintSquare: (square) => `Sie zieht nach ${square}.`,
    practise: (value) => (value === 0 ? "Fehler üben" : `${count(value, { one: "Zug", other: "Züge" })} üben`),
    repeat: (due) => (due === 0 ? "Nichts ist fällig" : `${number(due)} wiederholen`),
    gameHas: (value) => `Die Partie auf dem Brett hat ${count(value, { one: "Übung", other: "Übungen" })}.`,
    reviewFirst: "Werte eine Partie aus, um ihre Fehler zu üben.",
    kept: (kept, due, next) => `${number(kept)} gesichert, ${number(due)} fällig${due ? "" : `, die nächste am ${date(next)}`}.`,
    noneKept: "Übungen kommen nach einem Tag wieder, nach sechs, und dann immer später.",
    left: (value) => `noch ${number(value)}`,
  },

  explain: {
    matters: "Was am meisten zählt, in Bauern",
    marks: "Auf dem Brett",
    caption: "Die von Hand gemachte Bewertung, Teil für Teil: der Vorteil in Bauern",
    term: "Teil",
    balance: "Weiß – Schwarz",
    pawns: "Bauern",
    more: "Andere Bewertungen",
    markTexts: {
      matters: ["Was zählt", "Die Merkmale, von denen die Zusammenfassung spricht"],
      passed: ["Freibauern", "Kein gegnerischer Bauer kann sie aufhalten"],
      isolated: ["Isolierte Bauern", "Kein eigener Bauer auf einer Nachbarlinie"],
      doubled: ["Doppelbauern", "Hinter einem anderen Bauern ihrer Seite"],
      holes: ["Löcher", "Kein Bauer kann sie je decken"],
      king_danger: ["Königsgefahr", "Angegriffene Felder um einen König, die sonst nichts deckt"],
      hanging: ["Hängende Figuren", "Angegriffen, und ungedeckt oder mehr wert als der Angreifer"],
      values: ["Figurenwerte", "Der Wert jeder Figur in dieser Stellung"],
    },
    verdict: (isNetwork, score, lead) => `${isNetwork ? "Das neuronale Netz" : "Die von Hand gemachte Bewertung"} sagt ohne Suche ${score}: ${lead}.`,
    even: "Die Stellung ist ausgeglichen",
    leads: (side) => ["steht etwas besser", "steht besser", "steht klar besser", "steht auf Gewinn"].map((lead) => `${SIDES[side]} ${lead}`),
    sum: (score) => `Die Teile ergeben zusammen ${score}, die von Hand gemachte Bewertung.`,
    known: "Das Endspiel hat ein bekanntes Ergebnis, das vor den Teilen gilt.",
    drawish: (percent) => `Das Material neigt zum Remis: Die Endspielhälfte zählt ${percent} %.`,
    middlegame: "Alle Teile haben ihr Gewicht für das Mittelspiel.",
    endgame: "Alle Teile haben ihr Gewicht für das Endspiel.",
    between: (percent) => `Die Gewichte liegen ${percent} % auf dem Weg vom Mittelspiel zum Endspiel.`,
    classic: (score) => `Die klassische Bewertung der ChessBin-Anleitung sagt ${score}.`,
    terms: {
      "Material": "Material", "Piece squares": "Figurenfelder", "Mobility": "Beweglichkeit", "Pawn structure": "Bauernstruktur", "Passed pawns": "Freibauern",
      "King shelter": "Königsschutz", "King safety": "Königssicherheit", "Threats": "Drohungen", "Pieces": "Figuren", "Space": "Raum", "Tempo": "Tempo", "Complexity": "Verwicklung",
    },
    favours: {
      "Material": (side) => `${SIDES[side]} hat mehr Material`,
      "Piece squares": (side) => `Die Figuren von ${SIDES[side]} stehen auf besseren Feldern`,
      "Mobility": (side) => `Die Figuren von ${SIDES[side]} haben mehr Züge`,
      "Pawn structure": (side) => `${SIDES[side]} hat die gesünderen Bauern`,
      "Passed pawns": (side) => `Die Freibauern von ${SIDES[side]} zählen mehr`,
      "King shelter": (side) => `Bauern schützen den König von ${SIDES[side]} besser`,
      "King safety": (_, of) => `Der König von ${SIDES[of]} ist stärker angegriffen`,
      "Threats": (side) => `${SIDES[side]} droht mehr`,
      "Pieces": (side) => `Die Figuren von ${SIDES[side]} wirken besser, mit Vorposten, offenen Linien oder dem Läuferpaar`,
      "Space": (side) => `${SIDES[side]} hat mehr Raum`,
    },
  },

  setup: {
    palette: "Figur zum Setzen",
    turn: "Am Zug",
    castling: "Rochade",
    fen: "FEN",
    initial: "Grundstellung",
    clear: "Leeren",
    play: "Von hier spielen",
    analyse: "Analysieren",
    copyFen: "FEN kopieren",
    copyPgn: "PGN kopieren",
    copyLink: "Link kopieren",
    castlings: { K: "Weiß O-O", Q: "Weiß O-O-O", k: "Schwarz O-O", q: "Schwarz O-O-O" },
    moveTool: "Figuren bewegen",
    removeTool: "Figuren entfernen",
    notFen: "Keine FEN: Am Anfang müssen die Figuren der acht Reihen stehen, durch Schrägstriche getrennt.",
    copied: { fen: "Die FEN ist in der Zwischenablage.", pgn: "Das PGN ist in der Zwischenablage.", link: "Der Link ist in der Zwischenablage." },
    noCopy: "Der Browser erlaubt das Kopieren nicht.",
  },

  settings: {
    title: "Einstellungen",
    language: "Sprache",
    browserLanguage: "Wie im Browser",
    board: "Brett",
    blue: "Blau",
    green: "Grün",
    brown: "Braun",
    grey: "Grau",
    pieces: "Figuren",
    classic: "Klassisch",
    flat: "Flach",
    sounds: "Töne",
    threads: "Threads der Suche",
    hash: "Hash, MiB",
    close: "Schließen",
  },

  keys: {
    title: "Tasten und Maus",
    steps: "← →, Mausrad auf dem Brett",
    stepsUse: "voriger und nächster Zug",
    ends: "Pos1, Ende",
    endsUse: "Anfang der Partie, Ende der Variante",
    mistakesUse: "nächster und voriger Fehler einer ausgewerteten Partie",
    flipUse: "dreht das Brett",
    typeUse: "Zug eingeben, etwa Sf3",
    helpUse: "diese Hilfe",
    undo: "Strg+Z, Strg+Y",
    undoUse: "rückgängig machen und wiederholen",
    paste: "Strg+V",
    pasteUse: "öffnet eine FEN oder ein PGN",
    draw: "Rechte Taste",
    drawUse: "zeichnet einen Pfeil oder Kreis; rot mit Umschalt oder Strg, blau mit Alt, gelb mit beiden. Noch einmal dasselbe entfernt ihn.",
    squares: "Pfeile, Eingabe auf dem Brett",
    squaresUse: "Figur wählen und ziehen",
  },

  worker: {
    cannotRun: (problem) => `Tabiya läuft in diesem Browser nicht: ${problem}.`,
    stopped: (problem) => `Die Engine arbeitet nicht mehr: ${problem}. Versuche es noch einmal.`,
    noStart: "sie startet nicht",
    noAnswer: "sie antwortet nicht",
    notLoaded: "ihr Web-Worker kann nicht geladen werden",
    noWebAssembly: "WebAssembly fehlt",
    noFile: (name, status) => `${name} kann nicht geladen werden: ${status}`,
  },

  illegal: {
    noPieceOn: (square) => `Auf ${square} steht keine Figur.`,
    otherTurn: (side, square, other) => `${SIDES[side]} ist am Zug, und die Figur auf ${square} gehört ${SIDES[other]}.`,
    noMove: (typed) => `${typed} ist kein Zug. Gib einen Zug wie Sf3, exd5, O-O oder e8=D ein, oder zwei Felder wie g1f3.`,
    noPiece: (side, kind) => `${SIDES[side]} hat ${none(kind)}.`,
    noPieceAt: (side, kind, file, rank) => `${SIDES[side]} hat ${none(kind)} auf ${file && rank ? file + rank : file ? `der ${file}-Linie` : `Reihe ${rank}`}.`,
    promotes: (moves) => `Der Bauer wandelt sich um: Gib ${moves.join(", ")} ein.`,
    ambiguous: (kind, target, moves) => `Mehr als ${kind === "q" ? "eine" : "ein"} ${PIECES[kind]} kann nach ${target} ziehen: Gib ${list(moves)} ein.`,
    ownPiece: (side, kind, target) => `${The(kind)} von ${SIDES[side]} steht selbst auf ${target}.`,
    intoCheck: (target) => `Der König stünde auf ${target} im Schach.`,
    inCheck: (side) => `${SIDES[side]} steht im Schach, und dieser Zug hilft nicht dagegen.`,
    pinned: (kind, side) => `${The(kind)} ist gefesselt: Der König von ${SIDES[side]} stünde im Schach.`,
    blocked: (kind, target) => `Eine andere Figur steht ${kind === "q" ? "der Dame" : `dem ${PIECES[kind]}`} auf dem Weg nach ${target} im Weg.`,
    pawnBlocked: (target) => `Der Weg des Bauern nach ${target} ist versperrt.`,
    noCapture: (target) => `Auf ${target} kann der Bauer nichts schlagen.`,
    cannotReach: (kind, from, target) => `${The(kind)} auf ${from} kann nicht nach ${target} ziehen.`,
    noneReaches: (side, kind, target) => `Kein${kind === "q" ? "e" : ""} ${ofSide(side, kind)} kann nach ${target} ziehen.`,
    noRight: (isKingside) => `Die ${isKingside ? "kurze" : "lange"} Rochade ist nicht mehr erlaubt: Der König oder dieser Turm hat gezogen.`,
    castlingInCheck: "Der König steht im Schach und kann nicht rochieren.",
    castlingBlocked: "Der König kann jetzt nicht rochieren: Eine Figur steht im Weg, oder ein Feld auf seinem Weg ist angegriffen.",
  },
};
