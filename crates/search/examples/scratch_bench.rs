//! scratch
use tabiya_search::*;
fn main() {
    let depth = std::env::args().nth(1).and_then(|d| d.parse().ok()).unwrap_or(6);
    let r = bench(depth).unwrap();
    for p in &r.positions {
        println!("{:12} {:10} {:?} {}", p.position.phase, p.nodes, p.time, p.position.fen);
    }
    println!("{} nodes {} nps {:?}", r.nodes, r.nps(), r.time);
    let mut e = Engine::new(Options::default()).unwrap();
    let s = e.go(&tabiya_movegen::Game::new(), Limits::movetime(std::time::Duration::from_secs(5)));
    for ev in s.events() {
        match ev {
            SearchEvent::Info(i) => println!(
                "{} {} {} {} {:?} {} {:?}",
                i.depth,
                i.seldepth,
                i.score,
                i.nodes,
                i.time,
                i.nps(),
                i.pv
            ),
            SearchEvent::BestMove(b) => println!("{b:?}"),
        }
    }
}
