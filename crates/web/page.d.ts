// The types of the pages' scripts: messages of the engine, games, and the elements of the document. `tsc` alone reads this file.

type Side = "white" | "black";
/** A board: 64 FEN letters, empty for no piece. Index 0 is a8. */
type Squares = string[];
type Sides<T> = Record<Side, T>;
type Tags = [name: string, value: string][];
type Judgement = "inaccuracy" | "mistake" | "blunder";

interface Score {
  cp?: number;
  mate?: number;
}

/** The evaluation of a position, as in the Rust type `Eval`. */
interface Eval extends Score {
  depth?: number;
  white?: number;
}

interface Arrow {
  uci: string;
  kind?: string;
}

type PieceName = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

interface NamedPiece {
  piece: PieceName;
  square: string;
}

/** The Rust types of reasons: their names are those of the Rust types, and their kinds those of the variants. */
type Winnings = "pawn" | "two-pawns" | "knight" | "bishop" | "piece" | "piece-and-pawn" | "piece-for-pawn" | "exchange" | "rook" | "queen"
  | "queen-for-rook" | "queen-for-piece" | "material";
type MatePattern = "plain" | "back-rank" | "smothered";
type TbResult = "loss" | "draw" | "win";

type Tactic =
  | { motif: "double-check" }
  | { motif: "fork" | "skewer" | "trap" | "discovered-attack" | "captured-defender" | "interference" | "pin", targets: NamedPiece[] }
  | { motif: "overload", piece: NamedPiece, duty: NamedPiece }
  | { motif: "deflection" | "hanging-piece", piece: NamedPiece }
  | { motif: "attraction", piece: NamedPiece, square: string };

type Fault =
  | { kind: "allows-mate", reply: string, moves: number, pattern: MatePattern }
  | { kind: "misses-mate", moves: number, pattern: MatePattern }
  | { kind: "loses-moved-piece" | "removes-defender" | "leaves-undefended" | "ignores-threat", reply: string, piece: NamedPiece, winnings: Winnings }
  | { kind: "loses-passed-pawn" | "allows-pawn-advance", reply: string, square: string }
  | { kind: "allows-gain", reply: string, tactic: Tactic | null, winnings: Winnings }
  | { kind: "allows-promotion" | "exposes-king", reply: string }
  | { kind: "loses-material", reply: string, winnings: Winnings }
  | { kind: "misses-gain", winnings: Winnings }
  | { kind: "worsens-tb-result", before: TbResult, after: TbResult }
  | { kind: "enters-tb-result", after: TbResult }
  | { kind: "stalemates" | "throws-away-won-ending" | "gives-up-bishop-pair" | "gives-up-castling" | "loses-pawn-ending" | "throws-away-advantage" }
  | { kind: "doubles-pawns", file: string }
  | { kind: "isolates-pawn" | "allows-passed-pawn" | "weakens-shelter", square: string }
  | { kind: "loses-tempo", later: string }
  | { kind: "allows-outpost", reply: string, piece: NamedPiece }
  | { kind: "allows-attack", reply: string, piece: NamedPiece, drives_away: boolean };

type Purpose =
  | { kind: "mates", moves: number }
  | { kind: "wins-material", tactic: Tactic | null, winnings: Winnings }
  | { kind: "keeps-tb-result", result: TbResult }
  | { kind: "keeps-material" | "castles" | "centralises-king" | "prepares-castling" | "makes-escape-square" }
  | { kind: "prevents", reply: string }
  | { kind: "moves-to-safety" | "defends" | "parries-threat" | "attacks" | "takes-outpost" | "captures" | "breaks-pin", piece: NamedPiece }
  | { kind: "exchanges" | "develops" | "avoids-exchange" | "offers-exchange" | "more-squares", piece: PieceName }
  | { kind: "advances-passed-pawn" | "makes-passed-pawn" | "blocks-passed-pawn" | "takes-centre", square: string }
  | { kind: "doubles-pawns" | "takes-open-file" | "takes-half-open-file", file: string };

type OfKind<Union, Tag extends keyof Union, Kind> = Union extends Record<Tag, unknown> ? (Kind extends Union[Tag] ? Union : never) : never;
/** A function for each kind of `Union`, which the member `Tag` names. */
type ByKind<Union, Tag extends keyof Union> = { [Kind in Union[Tag] & string]: (value: OfKind<Union, Tag, Kind>) => string };

/** The words of reasons in a language. */
interface ReasonWords {
  /** The sentence about the better move, with the clause of its purpose. */
  better(san: string, clause: string, purpose: Purpose | undefined): string;
  /** The addition to the judgement if the user has given the move its glyph. */
  asMarked: string;
  faults: ByKind<Fault, "kind">;
  purposes: ByKind<Purpose, "kind">;
  tactics: ByKind<Tactic, "motif">;
}

/** The reason why a move is bad. One that an earlier version of the page has kept has its English text only. */
interface Reason {
  text: string;
  fault?: Fault;
  best?: string;
  purpose?: Purpose;
  arrows: Required<Arrow>[];
}

/** What a review has added to a node. */
interface Marks {
  nags: number[];
  before: string[];
  comments: string[];
}

/** A position of a game and the move that leads to it. */
interface TreeNode extends Marks {
  parent: number;
  uci: string;
  san: string;
  ply: number;
  children: number[];
  commands: string[];
  squares?: Squares;
  eval?: Eval;
  judgement?: Judgement;
  reason?: Reason;
  best?: number;
  loss?: number;
  info?: PositionInfo;
  marks?: Marks;
  isOfReview?: boolean;
}

type NodeData = Partial<Omit<TreeNode, "children" | "ply">>;

/** A game as a message or the storage has it: as in the Rust type `ReportGame`, with members of the page. */
interface GameData {
  start: string;
  tags?: Tags;
  result?: string;
  nodes: NodeData[];
  current?: number;
  review?: ReviewData;
  id?: string;
  version?: number;
}

interface SidePlay {
  accuracy?: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

interface ReviewData {
  search: string;
  sides: Sides<SidePlay>;
}

interface ReportGame extends GameData {
  number: number;
  tags: Tags;
  result: string;
  sides: Sides<SidePlay>;
  analysis?: { node: number, lines: { eval: Eval, nodes: number[] }[] };
}

/** The data of an HTML report. */
interface ReportData extends Record<"format" | "title" | "generator" | "search", string> {
  version: number;
  omitted: number;
  games: ReportGame[];
}

interface LegalMove {
  uci: string;
  san: string;
  tablebase?: TablebaseResult;
}

interface TablebaseResult {
  result: "white_wins" | "black_wins" | "draw" | "fifty_moves";
  /** For "fifty_moves", the side that would win without the rule. */
  would_win?: Side;
  dtz?: number;
}

/** A move that the board offers. A premove has no SAN. */
type BoardMove = LegalMove & { isPremove?: boolean };

/** A circle on the board. */
interface Circle {
  square: number;
  kind: string;
}

/** A game up to a position, as the engine wants it. */
interface GameLine {
  start: string;
  moves: string[];
}

/** The end of a game by the rules; without a winner it is a draw. */
interface Outcome {
  winner?: Side;
  /** The engine's name for it, such as "stalemate". */
  reason: string;
}

/** The reply to `position`. */
interface PositionInfo {
  fen: string;
  legal: LegalMove[];
  check: boolean;
  result?: string;
  outcome?: Outcome;
  can_mate: Sides<boolean>;
  claim?: string;
  opening?: { eco: string, name: string };
  tablebase?: TablebaseResult;
}

interface Line {
  score: Score;
  wdl: [number, number, number];
  bound?: "lower" | "upper";
  uci: string[];
  san: string[];
}

/** A report of a search. */
interface SearchView extends Record<"depth" | "seldepth" | "nodes" | "nps" | "tb_hits", number> {
  lines: Line[];
}

/** The line of a game in a list of games. */
interface GameSummary {
  players: string[];
  event: string;
  date: string;
  result: string;
  plies: number;
}

/** A game of a PGN text. */
interface OpenedGame extends GameSummary {
  pgn: string;
  error?: string;
  id?: string;
  opening?: string;
}

/** A game of the store. */
interface KeptSummary extends GameSummary {
  id: string;
  opening: string;
  changed: number;
  deleted?: number;
}

type FeatureName = "passed" | "isolated" | "doubled" | "holes" | "king_danger" | "hanging";

interface PieceValue {
  piece: string;
  square: string;
  value: number;
}

/** The reply to `explain`. */
interface Explanation extends Record<"value" | "white" | "phase", number> {
  scale?: number;
  known: boolean;
  terms: { name: string, white: number, black: number }[];
  marks: Sides<Record<FeatureName, string[]>>;
  network?: { value: number, pieces: PieceValue[] };
  classic: { value: number, pieces: PieceValue[] };
}

interface Welcome {
  name: string;
  threads: number;
  hash: number;
  max_threads: number;
  max_hash: number;
}

/** The replies to requests, by the type of the request. */
interface Replies {
  hello: Welcome;
  position: PositionInfo;
  read: { game: ReportGame };
  chess960: { fen: string };
  explain: Explanation;
  openings: OpeningsReply;
  opening_lines: { lines: GameLine[] };
  open: { games: OpenedGame[], omitted: number };
  game: { game: ReportGame, error?: string };
  save: { pgn: string };
  report: { html: string };
  new_game: object;
  ping: object;
}

/** The last reply to a search. */
interface BestMove extends Partial<LegalMove> {
  kind: string;
  score?: Score;
  accepts_draw?: boolean;
  thinking_time?: number;
}

/** The last reply to a review: `reviewed`, or `done` if it was stopped. */
type Reviewed = { kind: "reviewed", game: ReportGame } | { kind: "done" };

/** Requests with many replies: their reports and their last replies. */
interface Runs {
  search: { report: SearchView, last: BestMove };
  review: { report: { ply: number, total: number, white: number }, last: Reviewed };
}

type Running<T> = Promise<T> & { stop(): void };

/** Additions of a panel to the board. */
interface Overlay {
  squares?: Squares;
  isEditor?: boolean;
  isMovable?: boolean;
  premoves?: BoardMove[];
  /** Those of a position that is not in the game: its legal moves, null while they are unknown, and so on. */
  legal?: LegalMove[] | null;
  last?: number[];
  check?: number;
  side?: Side;
  isFlipped?: boolean;
  arrows?: Arrow[];
  marks?: { square: string, kind: string }[];
  labels?: { square: string, text: string, kind: string }[];
  bar?: { white: number, text: string } | null;
}

interface PlayState {
  id: string;
  isActive: boolean;
  isWaiting: boolean;
  human: Side;
  elo: number;
  humanPace: boolean;
  time: number;
  clock: Sides<number> & { increment: number } | null;
  node: number;
  note: string;
  /** Absent in games that an earlier version of the page has kept. */
  acceptsDraw?: boolean;
}

/** A game in progress that is kept. */
type KeptPlay = PlayState & { line: string[] };

/** What the page offers its panels, besides the engine. */
interface Page {
  readonly tree: import("./page/tree.js").Tree;
  readonly tab: string;
  isFlipped: boolean;
  readonly panel: Panel;
  readonly isThinking: boolean;
  readonly positionInfo: PositionInfo | undefined;
  position(index?: number): Promise<PositionInfo>;
  openPosition(text: string): Promise<boolean>;
  mayReplace(): boolean;
  choose(): () => boolean;
  setTree(tree: import("./page/tree.js").Tree, isNewGame?: boolean): void;
  setTab(tab: string): void;
  goTo(index: number): void;
  edited(index: number): void;
  changed(isNew?: boolean): void;
  playLine(uci: string[], san: string[]): void;
  drawBoard(): void;
  drawClocks(): void;
  fail(error: unknown): void;
  failAction(error: unknown): void;
  showNote(text: string): void;
  save(): void;
  takeGame(): void;
  playFromHere(): void;
  refresh(): Promise<void>;
  openKept(id: string): Promise<boolean>;
  keepAll(games: OpenedGame[]): Promise<string[] | undefined>;
  keptPgn(id: string): Promise<string>;
  importFiles(files: File[]): Promise<void>;
}

type Engine = import("./page/engine.js").Engine;

/** The members of the page and of its engine that a panel needs. Each panel lists them in its constructor, and `tsc` reports a use of others. */
type PartOfPage<Members extends keyof Page, EngineMembers extends keyof Engine = never> = Pick<Page, Members>
  & { readonly engine: Pick<Engine, EngineMembers> };

/** An activity of the page. */
interface Panel {
  enter(): void;
  leave?(): void;
  moved(): void;
  boardOverlay(): Overlay;
  /** The reason why no move can be made; empty if there is none. */
  readonly denial?: string;
}

/** A request of the page with its number. */
interface Message {
  id: number;
  type: string;
  target?: number;
}

/** A reply with the number of its request. */
interface Reply {
  id: number | null;
  type: string;
  message?: string;
  lines?: Line[];
  [member: string]: unknown;
}

interface EngineSettings {
  hash: number;
  evaluation: string;
}

type WorkerSettings = EngineSettings & { module: Promise<WebAssembly.Module>, seed: number };

/** The elements that are neither plain nor named by their tag. */
interface PageElements {
  [castling: `castling-${string}`]: HTMLInputElement;
  [mark: `mark-${string}`]: HTMLInputElement;
  summary: HTMLTableElement;
  terms: HTMLTableElement;
  "opening-moves": HTMLTableElement;
  openings: HTMLDetailsElement;
}

type InputId = "elo" | "human-pace" | "move-input" | "pgn-file" | "sounds" | "game-filter" | "fen" | "kept-filter" | "kept-import" | "kept-deleted" | "shortcuts" | "filter";
type SelectId = "color" | "time" | "start" | "lines" | "review-nodes" | "turn" | "evaluation" | "board-colors" | "piece-set" | "threads" | "hash" | "train-side" | "train-theme" | "train-level" | "language";
type ButtonId = "first" | "previous" | "next" | "last" | "mistake" | "takeback" | "hint" | "draw" | "resign" | "save-html" | "kept-export" | "kept-delete" | "promote"
  | "train-game" | "train-due" | "train-hint" | "train-solve" | "setup-play" | "setup-analyse" | "copy-link" | "review-start";
type DialogId = "settings" | "keys";
type DetailsId = "play-setup" | "review-more";

/** The element of an id. The page has all elements that its scripts name. */
type ElementOf<Id extends string> = Id extends keyof PageElements ? PageElements[Id]
  : Id extends InputId ? HTMLInputElement
  : Id extends SelectId ? HTMLSelectElement
  : Id extends ButtonId ? HTMLButtonElement
  : Id extends "comment" | "pgn-text" ? HTMLTextAreaElement
  : Id extends "review-progress" | "loading-progress" ? HTMLProgressElement
  : Id extends DialogId ? HTMLDialogElement
  : Id extends DetailsId ? HTMLDetailsElement
  : Id extends "elo-value" ? HTMLOutputElement
  : HTMLElement;

/** An event whose target is an element, as those of the keyboard. */
type OnElement<E extends Event> = E & { target: HTMLElement };

interface Document {
  addEventListener(type: "keydown", listener: (event: OnElement<KeyboardEvent>) => void): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The part of the global object of a service worker that the page's uses. */
interface ServiceWorkerScope {
  clients: { claim(): Promise<void> };
  registration: ServiceWorkerRegistration;
  addEventListener(type: "install" | "activate", listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: "fetch", listener: (event: { request: Request, respondWith(answer: Promise<Response>): void }) => void): void;
}

/** When an exercise comes back, by SM-2. */
interface Schedule {
  /** Successful answers in a row. */
  repetitions: number;
  /** Days from the last answer. */
  interval: number;
  ease: number;
  /** Time in milliseconds. */
  due: number;
}

interface Exercise {
  id: string;
  kind: "mistake" | "punish" | "puzzle";
  /** The game up to the position. */
  game: GameLine;
  /** The side that solves. */
  side: Side;
  /** The bad move of the game with its number, and its judgement. Absent in a puzzle. */
  move?: string;
  judgement?: Judgement;
  /** The bad move of the game, if it was the solver's. */
  played?: string;
  /** The moves of both sides; empty if the engine has to find the answer. */
  solution: string[];
  /** The score of the position with the best move. */
  score: Score;
  /** The game; absent in a puzzle. */
  source?: string;
  /** The reason why the move of the game is bad, if it is known. */
  reason?: Reason;
  /** The rating of a puzzle. */
  rating?: number;
}

/** An exercise that is kept. */
type Card = Exercise & { schedule: Schedule };

interface Puzzle {
  start: string;
  moves: string[];
  rating: number;
  themes: string[];
}

/** The first moves of a kept game. */
interface OpeningLine extends GameLine {
  id: string;
  /** The time of the game's last change. */
  changed: number;
  result: string;
}

/** How often a move was played, and the results of these games. */
interface MoveCounts {
  games: number;
  white: number;
  draws: number;
  black: number;
}

/** The results of people's games: fractions from 0 to 1, and White's expected score. */
interface PopularResults {
  games: number;
  score: number;
  white: number;
  draws: number;
  black: number;
}

/** The reply to `openings`. */
interface OpeningsReply {
  moves: (LegalMove & { share: number, opening?: { eco: string, name: string }, results?: PopularResults })[];
  exit?: { ply: number, usual: string[] };
}
