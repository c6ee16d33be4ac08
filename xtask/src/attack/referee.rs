//! Positions for the attacks, and their legal moves. A process of the program itself tells them: its
//! rules are held against another library by `cargo xtask games`.

use super::dialogue::Dialogue;
use super::ground::Ground;

/// A position with at least one legal move.
#[derive(Clone)]
pub struct Place {
    /// As `position` takes it.
    pub text: String,
    pub moves: Vec<String>,
}

/// A number of positions on random walks from the start position and from test positions.
pub fn places(ground: &mut Ground, count: usize) -> Result<Vec<Place>, String> {
    let path = ground.data("epd/bk.epd");
    let records = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let fens = records.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        (fields.len() == 4).then(|| format!("fen {} 0 1", fields.join(" ")))
    });
    let starts: Vec<String> = std::iter::once("startpos".to_owned()).chain(fens).collect();
    let mut referee = Dialogue::start(ground, &["uci"])?;
    let mut places = Vec::new();
    while places.len() < count {
        let start = &starts[ground.random.usize(..starts.len())];
        let mut walk = String::new();
        for _ in 0..ground.random.usize(1..30) {
            let text = match walk.is_empty() {
                true => start.clone(),
                false => format!("{start} moves{walk}"),
            };
            let moves = legal_moves(&mut referee, &text)?;
            let Some(mv) = ground.random.choice(&moves) else { break };
            walk.push(' ');
            walk.push_str(mv);
            places.push(Place { text, moves });
        }
    }
    ground.random.shuffle(&mut places);
    places.truncate(count);
    Ok(places)
}

/// The legal moves of a position, as UCI writes them.
fn legal_moves(referee: &mut Dialogue, position: &str) -> Result<Vec<String>, String> {
    referee.say(&format!("position {position}\ngo perft 1"));
    let lines = referee.until("Nodes searched")?;
    let moves = lines.iter().filter_map(|line| line.strip_suffix(": 1"));
    // The last line counts them: `Nodes searched: 1` is no move.
    Ok(moves.filter(|text| !text.contains(' ')).map(str::to_owned).collect())
}
