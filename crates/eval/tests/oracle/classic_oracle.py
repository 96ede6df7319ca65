#!/usr/bin/env python3
"""Writes the golden file of the classic evaluation, without using any of Tabiya's code.

This is an independent implementation on top of python-chess (the PyPI package `chess`). It writes every term of
every position, which the Rust test `classic_golden` compares with those of `tabiya_eval::classic::trace`. The rules,
including those for the history that a FEN does not contain, are in the documentation of `tabiya_eval::classic`;
nothing here is derived from the Rust sources.

    python3 -m venv .venv && .venv/bin/pip install chess
    .venv/bin/python crates/eval/tests/oracle/classic_oracle.py tests/data/eval/classic_positions.txt \
        > tests/data/eval/classic_golden.txt
"""

import sys

import chess

VALUE = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 325,
         chess.ROOK: 500, chess.QUEEN: 975, chess.KING: 32767}
ACTION = {chess.PAWN: 6, chess.KNIGHT: 3, chess.BISHOP: 3,
          chess.ROOK: 2, chess.QUEEN: 1, chess.KING: 1}
ISOLATED = {"a": -12, "b": -14, "c": -16, "d": -20, "e": -20, "f": -16, "g": -14, "h": -12}
MATE = 32767

# Left halves of the symmetric tables: files a to d, rank 8 first.
HALF_TABLES = {
    "pawn": """
          0   0   0   0
         50  50  50  50
         10  10  20  30
          5   5  10  27
          0   0   0  25
          5  -5 -10   0
          5  10  10 -25
          0   0   0   0""",
    "knight": """
        -50 -40 -30 -30
        -40 -20   0   0
        -30   0  10  15
        -30   5  15  20
        -30   0  15  20
        -30   5  10  15
        -40 -20   0   5
        -50 -40 -20 -30""",
    "bishop": """
        -20 -10 -10 -10
        -10   0   0   0
        -10   0   5  10
        -10   5   5  10
        -10   0  10  10
        -10  10  10  10
        -10   5   0   0
        -20 -10 -40 -10""",
    "king": """
        -30 -40 -40 -50
        -30 -40 -40 -50
        -30 -40 -40 -50
        -30 -40 -40 -50
        -20 -30 -30 -40
        -10 -20 -20 -20
         20  20   0   0
         20  30  10   0""",
    "king_end_game": """
        -50 -40 -30 -20
        -30 -20 -10   0
        -30 -10  20  30
        -30 -10  30  40
        -30 -10  30  40
        -30 -10  20  30
        -30 -30   0   0
        -50 -30 -30 -30""",
}
TABLES = {name: [[int(number) for number in line.split()] for line in text.strip().splitlines()]
          for name, text in HALF_TABLES.items()}


def table_value(name, square, color):
    """The piece-square value of a square, relative to its side."""
    file = chess.square_file(square)
    rank = relative_rank(color, square)
    return TABLES[name][8 - rank][min(file, 7 - file)]


def relative_rank(color, square):
    """The relative rank, from 1 (back rank) to 8."""
    rank = chess.square_rank(square) + 1
    return rank if color == chess.WHITE else 9 - rank


def action_sum(board, color, square):
    """The sum of the action values of the pieces of `color` that attack or defend `square`."""
    return sum(ACTION[board.piece_type_at(source)] for source in board.attackers(color, square))


def is_end_game(board):
    return len(board.piece_map()) < 10


def has_rights(board, color):
    return board.has_castling_rights(color)


def has_castled(board, color):
    if has_rights(board, color):
        return False
    if is_end_game(board):
        return True
    king = board.king(color)
    if relative_rank(color, king) != 1:
        return False
    file = chess.square_file(king)
    if file in (3, 4, 5):
        return False
    corner_files = range(file + 1, 8) if file > 4 else range(0, file)
    rook = chess.Piece(chess.ROOK, color)
    rank = chess.square_rank(king)
    return all(board.piece_at(chess.square(f, rank)) != rook for f in corner_files)


def has_moved(board, square):
    piece = board.piece_at(square)
    if piece.piece_type == chess.KING:
        return not has_rights(board, piece.color)
    if piece.piece_type == chess.ROOK:
        return not board.castling_rights & chess.BB_SQUARES[square]
    assert piece.piece_type == chess.QUEEN
    return square != (chess.D1 if piece.color == chess.WHITE else chess.D8)


def pawn_moves(board, square, color):
    count = 0
    ahead = 8 if color == chess.WHITE else -8
    if board.piece_at(square + ahead) is None:
        count += 1
        if relative_rank(color, square) == 2 and board.piece_at(square + 2 * ahead) is None:
            count += 1
    for target in board.attacks(square):
        victim = board.piece_at(target)
        if victim is not None:
            count += victim.color != color and victim.piece_type != chess.KING
        elif color == board.turn and board.has_legal_en_passant() and target == board.ep_square:
            count += 1
    return count


def castling_moves(board, color):
    """The number of castling moves of a side, which need not be the side to move. Standard chess only."""
    king = board.king(color)
    if board.is_attacked_by(not color, king):
        return 0
    rank = 0 if color == chess.WHITE else 7
    count = 0
    for rook_file, empty, crossed in ((7, "fg", "fg"), (0, "bcd", "cd")):
        if not board.castling_rights & chess.BB_SQUARES[chess.square(rook_file, rank)]:
            continue
        squares = {name: chess.square(ord(name) - ord("a"), rank) for name in "bcdfg"}
        if all(board.piece_at(squares[name]) is None for name in empty) and not any(
                board.is_attacked_by(not color, squares[name]) for name in crossed):
            count += 1
    return count


def valid_moves(board, square):
    piece = board.piece_at(square)
    if piece.piece_type == chess.PAWN:
        return pawn_moves(board, square, piece.color)
    count = 0
    for target in board.attacks(square):
        other = board.piece_at(target)
        if other is not None and (other.color == piece.color or other.piece_type == chess.KING):
            continue
        if piece.piece_type == chess.KING and board.is_attacked_by(not piece.color, target):
            continue
        count += 1
    if piece.piece_type == chess.KING:
        count += castling_moves(board, piece.color)
    return count


def side_order(board, color):
    """The squares of a side's pieces: foremost rank first, then by file from a."""
    squares = [square for square, piece in board.piece_map().items() if piece.color == color]
    return sorted(squares, key=lambda square: (-relative_rank(color, square), chess.square_file(square)))


def piece_terms(board, square, earlier):
    """The terms of one piece. `earlier` are the squares of its side that come before it in `side_order`."""
    piece = board.piece_at(square)
    kind, color = piece.piece_type, piece.color
    end_game = is_end_game(board)
    castled = has_castled(board, color)
    attacked = action_sum(board, not color, square)
    defended = action_sum(board, color, square)
    moves = valid_moves(board, square)
    terms = dict(value=VALUE[kind], defended=defended, attacked=-attacked,
                 hanging=-10 * (attacked - defended) if attacked > defended else 0,
                 mobility=moves, table=0, edge_file=0, doubled=0, pair=0, end_game=0, moved=0, confined=0)
    if kind == chess.PAWN:
        terms["table"] = table_value("pawn", square, color)
        if chess.square_file(square) in (0, 7):
            terms["edge_file"] = -15
        if any(board.piece_type_at(s) == chess.PAWN and chess.square_file(s) == chess.square_file(square)
               for s in earlier):
            terms["doubled"] = -16
    elif kind == chess.KNIGHT:
        terms["table"] = table_value("knight", square, color)
        terms["end_game"] = -10 if end_game else 0
    elif kind == chess.BISHOP:
        terms["table"] = table_value("bishop", square, color)
        terms["end_game"] = 10 if end_game else 0
        terms["pair"] = 10 if any(board.piece_type_at(s) == chess.BISHOP for s in earlier) else 0
    elif kind == chess.ROOK:
        terms["moved"] = -10 if has_moved(board, square) and not castled else 0
    elif kind == chess.QUEEN:
        terms["moved"] = -10 if has_moved(board, square) and not end_game else 0
    else:
        terms["table"] = table_value("king_end_game" if end_game else "king", square, color)
        terms["confined"] = -5 if moves < 2 else 0
        terms["moved"] = -30 if has_moved(board, square) and not castled and not end_game else 0
    return terms


def pawn_files(board, color):
    """The bonus of each file with own pawns, which counts if the enemy has no pawn there."""
    files = {}
    for square in board.pieces(chess.PAWN, color):
        count = 10
        bonus, protected_bonus = {7: (200, 50), 6: (100, 25)}.get(relative_rank(color, square), (0, 0))
        if action_sum(board, not color, square) == 0:
            count += bonus
            if action_sum(board, color, square) > 0:
                count += protected_bonus
        name = chess.FILE_NAMES[chess.square_file(square)]
        files[name] = files.get(name, 0) + count
    return files


def side_terms(board, color):
    own, enemy = pawn_files(board, color), pawn_files(board, not color)
    check = 0
    if board.turn != color and board.is_check():
        check = 75 + (10 + 10 if is_end_game(board) else 0)
    names = chess.FILE_NAMES
    isolated, passed = {}, {}
    for index, name in enumerate(names):
        neighbours = [names[i] for i in (index - 1, index + 1) if 0 <= i < 8]
        alone = name in own and not any(neighbour in own for neighbour in neighbours)
        isolated[name] = ISOLATED[name] if alone else 0
        passed[name] = own[name] if name in own and name not in enemy else 0
    return dict(check=check, castled=40 if has_castled(board, color) else 0,
                to_move=10 if board.turn == color else 0), isolated, passed


def verdict(board):
    """The rule that overrides the terms, and its value."""
    if board.is_checkmate():
        return "checkmate", -MATE if board.turn == chess.WHITE else MATE
    if board.is_stalemate():
        return "stalemate", 0
    if board.halfmove_clock >= 100:
        return "fifty_moves", 0
    kinds = [piece.piece_type for piece in board.piece_map().values()]
    if not {chess.PAWN, chess.ROOK, chess.QUEEN} & set(kinds) \
            and kinds.count(chess.BISHOP) <= 1 and kinds.count(chess.KNIGHT) <= 1:
        return "insufficient_material", 0
    return "none", None


def format_terms(terms):
    return " ".join(f"{name} {value}" for name, value in terms.items())


def report(fen, about):
    board = chess.Board(fen)
    assert board.is_valid(), f"{fen}: {board.status()!r}"
    lines = [f"position {fen}", f"about {about}", f"end_game {'yes' if is_end_game(board) else 'no'}"]
    total = 0
    for color, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
        order = side_order(board, color)
        for place, square in enumerate(order):
            terms = piece_terms(board, square, order[:place])
            total += sign * sum(terms.values())
            lines.append(f"{board.piece_at(square).symbol()} {chess.square_name(square)} "
                         f"{format_terms(terms)} = {sum(terms.values())}")
    for color, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
        name = chess.COLOR_NAMES[color]
        terms, isolated, passed = side_terms(board, color)
        sums = [sum(part.values()) for part in (terms, isolated, passed)]
        total += sign * sum(sums)
        lines.append(f"{name} {format_terms(terms)} = {sums[0]}")
        lines.append(f"{name} isolated {format_terms(isolated)} = {sums[1]}")
        lines.append(f"{name} passed {format_terms(passed)} = {sums[2]}")
    decided, score = verdict(board)
    lines.append(f"sum {total}")
    lines.append(f"verdict {decided}")
    lines.append(f"white_value {total if score is None else score}")
    return "\n".join(lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as positions:
        lines = [line.strip() for line in positions if line.strip() and not line.startswith("#")]
    print("# The classic evaluation of every position of classic_positions.txt, term by term.")
    print("# Written by crates/eval/tests/oracle/classic_oracle.py; do not edit.")
    for line in lines:
        fen, about = line.split(" | ")
        print()
        print(report(fen, about))


if __name__ == "__main__":
    main()
