//! rookery
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let fen = std::env::args()
        .nth(2)
        .unwrap_or("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into());
    let p = board::Position::from_fen(&fen).unwrap();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let n = board::perft::perft(&p, d);
        let e = t.elapsed().as_secs_f64();
        println!("bulk {n} {:.1} M/s", n as f64 / e / 1e6);
        let t = std::time::Instant::now();
        let n = board::perft::perft_playing_all(&p, d);
        let e = t.elapsed().as_secs_f64();
        println!("all {n} {:.1} M/s", n as f64 / e / 1e6);
    }
}
