//! The English words of reasons.

use super::kinds::{Fault, MatePattern, NamedPiece, Purpose, Tactic, TbResult, Winnings};
use std::fmt;

/// The first words of a fault's sentence, by which a remark is recognised as the program's.
const OPENINGS: [&str; 11] = [
    "Allows ", "Exposes ", "Gives stalemate", "Gives up ", "Leads to ", "Leaves ", "Loses ", "Misses ",
    "Overlooks ", "Throws away ", "Weakens ",
];

/// Returns the sentences of a reason.
pub(super) fn text(fault: Option<&Fault>, best: &str, purpose: Option<&Purpose>) -> String {
    let better = match purpose {
        // The notation of castling says it.
        Some(Purpose::Castles) | None => format!("{best} was best."),
        Some(purpose) => format!("{best}, which {purpose}, was best."),
    };
    fault.map(|fault| format!("{fault} ")).unwrap_or_default() + &better
}

/// Returns the move that a remark of this program names as best; `None` if the text between a judgement and `was best.` is no such remark.
pub(crate) fn best_of_own(text: &str) -> Option<&str> {
    let (why, better) = text.rsplit_once(". ").unwrap_or(("", text));
    let best = match better.split_once(", ") {
        None if better.contains(' ') => return None,
        None => better,
        Some((best, purpose)) if purpose.starts_with("which ") && purpose.ends_with(',') => best,
        Some(_) => return None,
    };
    (why.is_empty() || OPENINGS.iter().any(|opening| why.starts_with(opening))).then_some(best)
}

/// Writes a sentence, such as `Gives up the bishop pair.`
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::AllowsMate { reply, moves: 1, pattern } => write!(f, "Allows {reply}, {pattern}."),
            Fault::AllowsMate { reply, moves, pattern } => {
                write!(f, "Allows {reply} and {pattern} in {moves}.")
            }
            Fault::MissesMate { moves, pattern } => write!(f, "Misses {pattern} in {moves}."),
            Fault::Stalemates => f.write_str("Gives stalemate."),
            Fault::LosesMovedPiece { reply, piece, winnings } => {
                write!(f, "Loses {winnings}: {reply} captures {piece}.")
            }
            Fault::RemovesDefender { reply, piece, winnings } => {
                write!(f, "Leaves {piece} without its defender: {reply} wins {winnings}.")
            }
            Fault::LeavesUndefended { reply, piece, winnings } => {
                write!(f, "Leaves {piece} undefended: {reply} wins {winnings}.")
            }
            Fault::IgnoresThreat { reply, piece, winnings } => {
                write!(f, "Overlooks the threat to {piece}: {reply} wins {winnings}.")
            }
            Fault::LosesPassedPawn { reply, square } => {
                write!(f, "Loses the passed pawn on {square} to {reply}.")
            }
            Fault::AllowsGain { reply, tactic: Some(tactic), winnings } => {
                write!(f, "Allows {reply}, which {tactic} and wins {winnings}.")
            }
            Fault::AllowsGain { reply, tactic: None, winnings } => {
                write!(f, "Allows {reply}, which wins {winnings}.")
            }
            Fault::AllowsPromotion { reply } => write!(f, "Allows {reply}, after which a pawn promotes."),
            Fault::LosesMaterial { reply, winnings } => write!(f, "Loses {winnings} after {reply}."),
            // The better move says what.
            Fault::MissesGain { .. } => f.write_str("Misses a gain of material."),
            Fault::WorsensTbResult { before, after } => {
                let given_up = if *before == TbResult::Win { "win" } else { "draw" };
                write!(f, "Throws away a {given_up}: by tablebase the position is {after} now.")
            }
            Fault::EntersTbResult { after } => write!(f, "Leads to an ending that is {after} by tablebase."),
            Fault::ThrowsAwayWonEnding => f.write_str("Throws away a won ending, which is level now."),
            Fault::GivesUpBishopPair => f.write_str("Gives up the bishop pair."),
            Fault::GivesUpCastling => f.write_str("Gives up castling."),
            Fault::DoublesPawns { file } => write!(f, "Leaves doubled pawns on the {file}-file."),
            Fault::IsolatesPawn { square } => write!(f, "Leaves an isolated pawn on {square}."),
            Fault::AllowsPassedPawn { square } => write!(f, "Allows a passed pawn on {square}."),
            Fault::AllowsPawnAdvance { reply, .. } => {
                write!(f, "Allows {reply}, which advances the passed pawn.")
            }
            Fault::AllowsOutpost { reply, piece } => {
                write!(f, "Allows {reply}, which puts the {} on an outpost.", piece.piece.name())
            }
            Fault::AllowsAttack { reply, piece, drives_away: true } => {
                write!(f, "Allows {reply}, which drives away {piece}.")
            }
            Fault::AllowsAttack { reply, piece, .. } => write!(f, "Allows {reply}, which attacks {piece}."),
            Fault::ExposesKing { reply } => {
                write!(f, "Exposes the king: {reply} is followed by more checks.")
            }
            Fault::LosesPawnEnding => f.write_str("Leads to a pawn ending that is lost."),
            Fault::LosesTempo { later } => write!(f, "Loses a tempo: {later} is played only later."),
            Fault::ThrowsAwayAdvantage => {
                f.write_str("Throws away the advantage: the position is level now.")
            }
            Fault::WeakensShelter { square } => {
                write!(f, "Weakens the king's shelter: the pawn leaves {square}.")
            }
        }
    }
}

/// Writes a clause with the move as its subject, such as `wins a pawn`.
impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Mates { moves: 1 } => f.write_str("mates"),
            Purpose::Mates { moves } => write!(f, "mates in {moves}"),
            Purpose::WinsMaterial { tactic: Some(tactic), winnings } => {
                write!(f, "{tactic} and wins {winnings}")
            }
            Purpose::WinsMaterial { tactic: None, winnings } => write!(f, "wins {winnings}"),
            Purpose::KeepsTbResult { result: TbResult::Win } => f.write_str("wins by tablebase"),
            Purpose::KeepsTbResult { .. } => f.write_str("draws by tablebase"),
            Purpose::KeepsMaterial => f.write_str("loses no material"),
            Purpose::MovesToSafety { piece } => write!(f, "moves {piece} to safety"),
            Purpose::Defends { piece } => write!(f, "defends {piece}"),
            Purpose::ParriesThreat { piece } => write!(f, "ends the threat to {piece}"),
            Purpose::Attacks { piece } => write!(f, "attacks {piece}"),
            Purpose::Castles => f.write_str("castles"),
            Purpose::Exchanges { piece } => write!(f, "exchanges {}s", piece.name()),
            Purpose::AdvancesPassedPawn { .. } => f.write_str("advances the passed pawn"),
            Purpose::MakesPassedPawn { square } => write!(f, "makes a passed pawn on {square}"),
            Purpose::DoublesPawns { file } => write!(f, "doubles pawns on the {file}-file"),
            Purpose::TakesOutpost { piece } => {
                write!(f, "puts the {} on the outpost {}", piece.piece.name(), piece.square)
            }
            // The move names the square.
            Purpose::Captures { piece } => write!(f, "captures the {}", piece.piece.name()),
            Purpose::Develops { piece } => write!(f, "develops the {}", piece.name()),
            Purpose::TakesOpenFile { file } => write!(f, "puts the rook on the open {file}-file"),
            Purpose::CentralisesKing => f.write_str("brings the king nearer to the centre"),
            Purpose::Prevents { reply } => write!(f, "prevents {reply}"),
            Purpose::AvoidsExchange { piece } => write!(f, "avoids the exchange of {}s", piece.name()),
            Purpose::OffersExchange { piece } => write!(f, "offers the exchange of {}s", piece.name()),
            Purpose::BreaksPin { piece } => write!(f, "ends the pin of {piece}"),
            Purpose::BlocksPassedPawn { square } => write!(f, "blocks the passed pawn on {square}"),
            Purpose::PreparesCastling => f.write_str("prepares castling"),
            Purpose::MakesEscapeSquare => f.write_str("gives the king an escape square"),
            Purpose::TakesHalfOpenFile { file } => write!(f, "puts the rook on the half-open {file}-file"),
            Purpose::MoreSquares { piece } => write!(f, "gives the {} more squares", piece.name()),
            // The move names the square.
            Purpose::TakesCentre { .. } => f.write_str("puts a pawn in the centre"),
        }
    }
}

/// Writes a clause with the move as its subject, such as `pins the knight on c6`.
impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tactic::DoubleCheck => f.write_str("gives double check"),
            Tactic::Fork { targets } => write!(f, "forks {}", names(targets)),
            Tactic::Skewer { targets } => write!(f, "skewers {}", names(targets)),
            Tactic::Trap { targets } => write!(f, "traps {}", names(targets)),
            Tactic::DiscoveredAttack { targets } => write!(f, "opens an attack on {}", names(targets)),
            Tactic::CapturedDefender { targets } => write!(f, "captures the defender of {}", names(targets)),
            Tactic::Overload { piece, duty } => write!(f, "overloads {piece}, the only defender of {duty},"),
            Tactic::Deflection { piece } => write!(f, "deflects {piece}"),
            Tactic::Attraction { piece, square } => write!(f, "draws {piece} to {square}"),
            Tactic::Interference { targets } => write!(f, "cuts off the defence of {}", names(targets)),
            Tactic::Pin { targets } => write!(f, "pins {}", names(targets)),
            Tactic::HangingPiece { piece } => write!(f, "captures the undefended {}", piece.piece.name()),
        }
    }
}

/// Writes `the rook on a8`.
impl fmt::Display for NamedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.piece.name(), self.square)
    }
}

/// Writes the state of the position: `won`, `drawn` or `lost`.
impl fmt::Display for TbResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TbResult::Win => "won",
            TbResult::Draw => "drawn",
            TbResult::Loss => "lost",
        })
    }
}

impl fmt::Display for MatePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MatePattern::Plain => "mate",
            MatePattern::BackRank => "a back-rank mate",
            MatePattern::Smothered => "a smothered mate",
        })
    }
}

impl fmt::Display for Winnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Winnings::Pawn => "a pawn",
            Winnings::TwoPawns => "two pawns",
            Winnings::Knight => "a knight",
            Winnings::Bishop => "a bishop",
            Winnings::Piece => "a piece",
            Winnings::PieceAndPawn => "a piece and a pawn",
            Winnings::PieceForPawn => "a piece for a pawn",
            Winnings::Exchange => "the exchange",
            Winnings::Rook => "a rook",
            Winnings::Queen => "the queen",
            Winnings::QueenForRook => "the queen for a rook",
            Winnings::QueenForPiece => "the queen for a piece",
            Winnings::Material => "material",
        })
    }
}

/// Returns pieces in words: `the rook on a8 and the king on e8`.
fn names(pieces: &[NamedPiece]) -> String {
    let names: Vec<String> = pieces.iter().map(NamedPiece::to_string).collect();
    match names.split_last() {
        Some((last, rest @ [_, ..])) => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::Reason;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    /// Reasons as JSON, one a line. The page's texts are compared with them, too.
    const EXAMPLES: &str = include_str!("../../../../tests/data/reasons.jsonl");

    /// The names of an enum's variants, which the error of an unknown one lists.
    fn kinds<T: DeserializeOwned>(tag: &str) -> Vec<String> {
        let error = serde_json::from_value::<T>(json!({ tag: "?" })).err().unwrap().to_string();
        error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn examples_have_their_words_and_every_kind() {
        let values: Vec<Value> = EXAMPLES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for value in &values {
            let mut value = value.clone();
            value["arrows"] = json!([]);
            let reason: Reason = serde_json::from_value(value).unwrap();
            let found = text(reason.fault.as_ref(), &reason.best, reason.purpose.as_ref());
            assert_eq!(found, reason.text);
            assert!(
                best_of_own(reason.text.strip_suffix(" was best.").unwrap()).is_some(),
                "{}",
                reason.text
            );
        }
        let expected = [
            ("/fault/kind", kinds::<Fault>("kind")),
            ("/purpose/kind", kinds::<Purpose>("kind")),
            ("/fault/tactic/motif", kinds::<Tactic>("motif")),
        ];
        for (place, kinds) in expected {
            assert!(kinds.len() > 10, "{place}: {kinds:?}");
            for kind in kinds {
                let has_kind = |value: &Value| value.pointer(place).is_some_and(|found| *found == kind);
                assert!(values.iter().any(has_kind), "no example has {place} {kind}");
            }
        }
    }
}
