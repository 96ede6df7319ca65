//! Parameters of the search that are set at run time.

use tabiya_movegen::{Game, Position};
use tabiya_search::tuning::{TUNABLES, Tunable, set_tunable};
use tabiya_search::{Engine, Limits, Options, SearchEvent};

/// Returns the node count of a search from an empty table.
fn nodes() -> u64 {
    let position = Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9");
    let mut engine = Engine::new(Options::default()).expect("enough memory");
    let game = Game::from_position(position.expect("a legal position"));
    let search = engine.go(&game, Limits::default().with_depth(8));
    let nodes = search.events().filter_map(|event| match event {
        SearchEvent::Info(info) => Some(info.nodes),
        _ => None,
    });
    nodes.last().expect("at least one report")
}

// One test, because the parameters belong to all engines of the process.
#[test]
fn a_set_parameter_changes_the_search_until_it_is_reset() {
    let tunable = |name| TUNABLES.iter().find(|tunable| tunable.name == name).expect("a parameter");
    let &Tunable { name, default, min, max, .. } = tunable("lmr_base");
    let by_default = nodes();
    let set = |value| assert!(set_tunable(name, value), "{name} = {value}");
    let other = if default < max { max } else { min };
    set(other);
    let changed = nodes();
    assert_ne!(changed, by_default);
    for value in [min - 1, max + 1] {
        assert!(!set_tunable(name, value), "{name} = {value}");
    }
    assert!(!set_tunable("no_such_parameter", default));
    assert_eq!(nodes(), changed);
    set(default);
    assert_eq!(nodes(), by_default);
}
