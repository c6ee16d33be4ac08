//! The PGN reader on every corner of the syntax, one claim each.

use board::pgn::{Game, Games, Limits, NodeId, Outcome, Reader, Text, Visited, Visitor};
use std::io::Read;

/// The games, each as its main line in SAN, or as its error.
fn lines(text: impl Read) -> Vec<String> {
    let line = |game: Game| {
        let mut position = *game.start();
        let mut words = Vec::new();
        for mv in game.main_line() {
            words.push(position.san(mv));
            position = if mv.is_none() { position.make_null() } else { position.make(mv) };
        }
        words.push(game.result.to_string());
        words.join(" ")
    };
    Games::new(text).map(|game| game.map_or_else(|error| error.to_string(), line)).collect()
}

fn only_game(text: &str) -> Game {
    let mut games = Games::new(text.as_bytes());
    let game = games.next().unwrap().unwrap();
    assert!(games.next().is_none());
    game
}

#[test]
fn numbers_in_any_form_or_none_make_the_same_game() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 1-0",
        "1.e4 e5 2.Nf3 Nc6 1-0",
        "1 . e4 1 ... e5 2 Nf3 2...Nc6 1-0",
        "e4 e5 Nf3 Nc6 1-0",
        "1. e4 1… e5\r\n2. Nf3\r\n\r\n2... Nc6 1-0\r\n",
        "\u{FEFF}1.\ne4\ne5 {c} 2.\nNf3 ; rest } of the line (\n% an escaped line\n 2... Nc6 1–0",
        "1. e4! e5?! 2. Nf3!!! $13 +- N Nc6 ± = 1-0 {resigns}",
        "1. e2-e4 e7e5 2. Ng1f3 Nb8-c6 + 1-0",
    ] {
        assert_eq!(lines(text.as_bytes()), ["e4 e5 Nf3 Nc6 1-0"], "{text}");
    }
}

#[test]
fn games_end_where_a_reader_expects_it() {
    let two = ["e4 *", "d4 *"];
    for text in [
        "1. e4 * 1. d4 *",
        "1. e4\n\n1. d4",
        "[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4",
        "[Event \"a\"] 1. e4 [Event \"b\"] 1. d4",
        "[Event \"a\"]\n\n1. e4 * {after}\n\n{between}\n[Event \"b\"]\n\n1. d4 *\n\n; the end\n{end}",
    ] {
        assert_eq!(lines(text.as_bytes()), two, "{text}");
    }
    let tags_only =
        "[Event \"a\"]\n[Site \"b\"]\n\n[Event \"c\"]\n\n[Site \"d\"]\n\n[Event \"e\"]\n\n*";
    assert_eq!(lines(tags_only.as_bytes()), ["*", "*", "*"]);
    // An empty line, a result in a variation and a number with three dots do not end a game.
    let one = "1. e4\n\n1... e5 (1... c5 1-0)\n\n2. Nf3 1/2-1/2";
    assert_eq!(lines(one.as_bytes()), ["e4 e5 Nf3 1/2-1/2"]);
    for nothing in ["", "\n \r\n", "; text\n", "{text}", "% e4\n"] {
        assert!(lines(nothing.as_bytes()).is_empty(), "{nothing}");
    }
}

#[test]
fn a_broken_game_is_reported_and_the_next_one_read() {
    for (broken, message) in [
        ("1. e4 e5 2. Ke3", "line 1, \"Ke3\": no man can make this move"),
        ("1. e4\n(1. d4", "line 4, \"[\": the game ends inside a variation"),
        ("1. e4 e5)", "line 1, \")\": no variation is open here"),
        ("( 1. e4 )", "line 1, \"(\": a variation before the first move"),
        ("1. e4 $256", "line 1, \"$256\": not an annotation from $0 to $255"),
        ("1. e4 $", "line 1, \"$\": not an annotation from $0 to $255"),
        ("[Site \"x]", "line 1, \"[Site \\\"x]\": the value of the tag is not closed"),
        ("[Site]", "line 1, \"[Site]\": a tag without a value in quotation marks"),
        ("[ \"x\"]", "line 1, \"[ \\\"x\\\"]\": a tag without a name"),
        ("1. e4 [%clk 1]", "line 1, \"[\": this sign has no meaning between moves"),
        ("1. e4 d5 2. Bb5 --", "line 1, \"--\": a null move by a side in check"),
    ] {
        let text = format!("{broken}\n\n[Event \"next\"]\n\n1. d4 *\n");
        let expected = [format!("PGN, game 1, {message}"), "d4 *".into()];
        assert_eq!(lines(text.as_bytes()), expected);
    }
}

#[test]
fn an_unclosed_comment_costs_one_game_only() {
    let text = "[Event \"a\"]\n\n1. e4 {open\n\n[Event \"b\"]\n\n1. d4 {closed} *\n\n1. c4 {";
    assert_eq!(
        lines(text.as_bytes()),
        [
            "PGN, game 1, line 3, \"{open\\n\\n[Event \\\"b\\\"]\\n\\n1. d4 {closed\": \
             the comment is not closed before the next game",
            "d4 *",
            "PGN, game 3, line 9, \"{\": the comment is not closed",
        ]
    );
}

#[test]
fn notes_belong_to_the_move_they_stand_behind() {
    let game = only_game(
        "{intro} 1. e4 $1 {one\n  two} ({why not} 1. d4 d5 (1... Nf6)) (1. c4) {three} e5 ({no move}) *",
    );
    let children = |id| game.children(id).collect::<Vec<_>>();
    let [e4, d4, c4] = children(NodeId::ROOT)[..] else { panic!("three first moves") };
    assert_eq!(game.notes(NodeId::ROOT).unwrap().comments, ["intro"]);
    assert_eq!(game.notes(e4).unwrap().comments, ["one two", "three"]);
    assert_eq!(game.notes(e4).unwrap().nags, [1]);
    assert_eq!(game.notes(d4).unwrap().lead, ["why not"]);
    assert_eq!((children(d4).len(), children(c4).len()), (2, 0));
    assert_eq!(game.notes(children(e4)[0]).unwrap().comments, ["no move"]);
    assert_eq!((game.move_count(), game.main_line().count()), (6, 2));
}

#[test]
fn tags_take_quotes_escapes_any_encoding_and_repetitions() {
    let text =
        b"[Event \"a \"b\" \\\"c\\\" \\d\\\\\"]\n[Site \"Z\xFCrich\"]\n[ White \"\xC3\xA9\" ]\n\
                 [Site \"again\"]\n[Black \"no bracket\"\n[Result \"0-1\"]\n\n1. e4 {\xFC} 1-0";
    let game = Games::new(&text[..]).next().unwrap().unwrap();
    let tags: Vec<(&str, &str)> = game.tags.iter().collect();
    let expected = [
        ("Event", "a \"b\" \"c\" \\d\\"),
        ("Site", "Zürich"),
        ("White", "é"),
        ("Black", "no bracket"),
        ("Result", "1-0"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(game.result, Outcome::White);
}

#[test]
fn a_fen_decides_the_start_and_other_variants_are_refused() {
    let fen = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
    let text = format!("[Variant \"Fischerandom\"]\n[FEN \"{fen}\"]\n\n1. O-O Kd7 *");
    assert_eq!(lines(text.as_bytes()), ["O-O Kd7 *"]);
    let found = lines(&b"[Variant \"Atomic\"]\n\n1. e4 *"[..]);
    assert!(found[0].ends_with("the rules of \"Atomic\" are not known"), "{found:?}");
}

#[test]
fn null_moves_pass_and_old_promotions_are_read() {
    assert_eq!(lines(&b"1. e4 -- 2. d4 Z0 3. c4 @@@@ *"[..]), ["e4 -- d4 -- c4 -- *"]);
    let text = "[FEN \"7k/P7/8/8/4pP2/8/8/K7 b - f3 0 1\"]\n exf3 e.p. a8(Q)+ (a8=N) *";
    assert_eq!(lines(text.as_bytes()), ["exf3 a8=Q+ *"]);
}

#[test]
fn a_token_of_any_length_needs_little_memory() {
    let limits = Limits { token: 1 << 16, game: 1 << 20 };
    let fill = |count: u64, byte: u8| std::io::repeat(byte).take(count);
    let long = 3 << 20;
    for (before, byte, after) in [
        ("1. e4 {", b'x', "} e5 *\n"),
        ("1. e4 ;", b'x', "\n e5 *\n"),
        ("[Event \"", b'x', "\"]\n\n1. e4 *\n"),
        ("[", b' ', "\n1. e4 *\n"),
        ("1. ", b'a', "\n *\n"),
        ("1. e4 ", b'(', "\n[Event \"x\"]\n *\n\n"),
        ("1. e4 $", b'1', " *\n"),
    ] {
        let input = before.as_bytes().chain(fill(long, byte)).chain(after.as_bytes());
        let mut games = Games::with_limits(input.chain(&b"1. d4 *"[..]), limits);
        assert!(games.next().unwrap().is_err(), "{before}");
        let last = games.last().unwrap().unwrap();
        assert_eq!(last.main_line().count(), 1, "{before}");
    }
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000);
    let message = lines_with(&moves, limits);
    assert!(message.contains("needs more than 1048576 bytes"), "{message}");
}

fn lines_with(text: &str, limits: Limits) -> String {
    Games::with_limits(text.as_bytes(), limits).next().unwrap().unwrap_err().to_string()
}

#[test]
fn a_visitor_may_skip_moves_and_variations() {
    #[derive(Default)]
    struct Picky {
        tags: usize,
        moves: usize,
        wants_moves: bool,
        results: usize,
    }
    impl Visitor for Picky {
        fn tag(&mut self, _name: &[u8], _value: &[u8]) -> Visited {
            self.tags += 1;
            Ok(())
        }
        fn begin_moves(&mut self) -> Text {
            if self.wants_moves { Text::Read } else { Text::Skip }
        }
        fn san(&mut self, _token: &[u8]) -> Visited {
            self.moves += 1;
            Ok(())
        }
        fn begin_variation(&mut self) -> Result<Text, String> {
            Ok(Text::Skip)
        }
        fn result(&mut self, _outcome: Outcome) {
            self.results += 1;
        }
    }
    let text = "[Event \"a\"]\n\n1. e4 (1. d4 (1. c4) d5) e5 (1... c5) 2. d4 *\n\n".repeat(3);
    for (wants_moves, moves, results) in [(false, 0, 0), (true, 9, 3)] {
        let mut visitor = Picky { wants_moves, ..Picky::default() };
        let mut reader = Reader::new(text.as_bytes());
        while let Some(game) = reader.read_game(&mut visitor) {
            game.unwrap();
        }
        assert_eq!((visitor.tags, visitor.moves, visitor.results), (3, moves, results));
        assert_eq!(reader.games(), 3);
    }
}

#[test]
fn an_error_of_the_input_ends_the_reading() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let mut games = Games::new((&b"1. e4 * 1. d4"[..]).chain(Broken));
    assert!(games.next().unwrap().is_ok());
    let error = games.next().unwrap().unwrap_err();
    assert!(error.io_error().is_some());
    let expected = "PGN, game 2, line 1: the input cannot be read: the disk is gone";
    assert_eq!(error.to_string(), expected);
    assert!(games.next().is_none());
}

#[test]
fn of_a_broken_game_the_part_before_the_fault_can_be_had() {
    let text = "[Result \"1-0\"]\n\n1. e4 {good} (1. d4 {lead} (1. c4 Ke4)) e5 1-0\n\n\
                [FEN \"8/8 w\"]\n\n1. e4 *\n\n[White \"x\"]\n\n1. Ke2 *\n\n1. a3 *\n";
    let mut games = Games::new(text.as_bytes());
    let mut next = || games.next_part().expect("another game");
    let Err(part) = next() else { panic!("a broken game") };
    assert_eq!((part.error.token(), part.is_in_moves), ("Ke4", true));
    assert_eq!(part.game.main_line().count(), 1);
    assert_eq!(part.game.mv(part.end), part.game.main_line().next().expect("a move"));
    assert_eq!(part.game.result.text(), "1-0");
    let Err(part) = next() else { panic!("a broken game") };
    assert_eq!((part.is_in_moves, part.game.move_count()), (false, 0));
    let Err(part) = next() else { panic!("a broken game") };
    assert_eq!((part.is_in_moves, part.game.move_count(), part.end), (true, 0, NodeId::ROOT));
    assert!(next().is_ok() && games.next_part().is_none());
}
