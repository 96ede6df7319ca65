//! The player with the option values of the protocols.

use crate::resources::Resources;
use std::hash::{BuildHasher, RandomState};
use tabiya_movegen::Game;
use tabiya_player::{MAX_SKILL_LEVEL, Player, PlayerSettings, PreparedSearch, Strength};
use tabiya_search::{Engine, EngineError, Limits, Options};

/// Option values that belong to the front end rather than to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) chess960: bool,
    pub(crate) multipv: usize,
    pub(crate) show_wdl: bool,
    pub(crate) minimal: bool,
    pub(crate) analyse_mode: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u16,
    pub(crate) skill_level: u8,
    /// Seed of limited play; 0 for a new one in each game.
    pub(crate) strength_seed: u64,
    /// True if limited play on a clock takes as long for a move as a person would.
    pub(crate) human_pace: bool,
    pub(crate) own_book: bool,
    /// Last move number at which the book is used.
    pub(crate) book_depth: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chess960: false,
            multipv: 1,
            show_wdl: false,
            minimal: false,
            analyse_mode: false,
            limit_strength: false,
            elo: 1500,
            skill_level: MAX_SKILL_LEVEL,
            strength_seed: 0,
            human_pace: false,
            own_book: false,
            book_depth: MAX_BOOK_DEPTH,
        }
    }
}

/// Upper limit of `Book Depth` in moves, in effect no limit.
pub(crate) const MAX_BOOK_DEPTH: u32 = 255;

impl Settings {
    /// The manner of play. `UCI_Elo` takes precedence over `Skill Level`, and analysis knows neither strength nor book.
    fn player(&self) -> PlayerSettings {
        let strength = match (self.analyse_mode, self.limit_strength) {
            (true, _) => None,
            (false, true) => Some(Strength::from_elo(self.elo)),
            (false, false) => Strength::from_skill_level(self.skill_level),
        };
        PlayerSettings {
            strength,
            seed: (self.strength_seed != 0).then_some(self.strength_seed),
            human_pace: self.human_pace,
            book_depth: if self.own_book && !self.analyse_mode { self.book_depth } else { 0 },
        }
    }
}

/// A player with settings and the resources that options load.
pub(crate) struct Controller {
    pub(crate) player: Player,
    pub(crate) settings: Settings,
    pub(crate) resources: Resources,
}

impl Controller {
    /// Sets up an engine with these options and every other option at its default.
    ///
    /// # Errors
    /// If memory or threads cannot be allocated.
    pub(crate) fn new(options: Options) -> Result<Controller, EngineError> {
        Ok(Controller {
            resources: Resources::default(),
            player: Player::new(Engine::new(options)?, RandomState::new().hash_one(0)),
            settings: Settings::default(),
        })
    }

    /// Messages since the last call about what was loaded, and about damaged tablebase files.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        self.resources.take_notices(self.player.engine().options().tablebases.tables.as_deref())
    }

    /// Prepares a search of the current position of `game`, with the settings.
    pub(crate) fn prepare(&mut self, game: &Game, limits: Limits) -> PreparedSearch<'_, Engine> {
        self.player.settings = self.settings.player();
        let multipv = limits.multipv.max(self.settings.multipv);
        self.player.prepare(game, limits.with_multipv(multipv)).at_human_pace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::test_data;

    #[test]
    fn analysis_has_neither_strength_nor_book() {
        let playing = Settings { limit_strength: true, own_book: true, ..Settings::default() };
        let player = playing.player();
        assert_eq!((player.strength, player.book_depth), (Some(Strength::from_elo(1500)), MAX_BOOK_DEPTH));
        let analysing = Settings { analyse_mode: true, ..playing };
        assert_eq!(analysing.player(), PlayerSettings::default());
    }

    #[test]
    fn elo_precedes_the_skill_level() {
        let settings = Settings { skill_level: 3, ..Settings::default() };
        assert_eq!(settings.player().strength, Strength::from_skill_level(3));
        let limited = Settings { limit_strength: true, elo: 1800, ..settings };
        assert_eq!(limited.player().strength, Some(Strength::from_elo(1800)));
        assert_eq!(Settings::default().player().strength, None);
    }

    #[test]
    fn damaged_tablebase_files_are_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(test_data("syzygy/KRvK.rtbw"), folder.path().join("KRvK.rtbw")).unwrap();
        std::fs::write(folder.path().join("KBvK.rtbw"), b"").unwrap();
        let mut controller = Controller::new(Options::default().with_hash_mb(1)).unwrap();
        let Controller { resources, player, .. } = &mut controller;
        resources.open_tablebases(folder.path().to_str().unwrap(), player.engine_mut()).unwrap();
        let notices = controller.take_notices();
        assert!(notices.len() == 2 && notices[1].contains("KBvK.rtbw"), "{notices:?}");
        assert!(controller.take_notices().is_empty());
    }
}
