//! `rookery sim`: what it prints, that it repeats itself, and how it refuses.

mod support;

use parallel::StrategyKind;
use serde_json::Value;
use support::{Folder, data, errors, objects, refused, rookery, text, well};

/// The objects without what depends on the computer's speed.
fn timeless(lines: &str) -> Vec<Value> {
    let mut objects = objects(lines);
    for object in objects.iter_mut().filter_map(|object| object.as_object_mut()) {
        for key in ["rate", "rate_share"] {
            let rate = object.remove(key).expect("the simulator's own rate");
            assert!(rate.as_f64().is_some_and(|rate| rate > 0.0));
        }
    }
    objects
}

#[test]
fn one_object_per_number_of_processors_has_the_promised_keys_and_closes() {
    let positions = data("epd/bk.epd");
    let run = |strategy: &str| {
        let arguments = ["sim", "--strategy", strategy, "--processors", "1,4", "--depth", "3"];
        let more = ["--positions", &positions, "--first", "2", "--json"];
        well(&[&arguments[..], &more[..]].concat())
    };
    for strategy in ["ybw", "lazy", "abdada", "tds", "teams"] {
        let objects = timeless(&run(strategy));
        assert_eq!(objects, timeless(&run(strategy)), "the same seed gives the same run");
        assert_eq!(objects.len(), 2);
        for (object, processors) in objects.iter().zip([1, 4]) {
            assert_eq!(object["processors"], processors);
            assert_eq!(object["strategy"], strategy);
            let keys = ["profile", "machine", "depth", "time", "nodes", "speedup"];
            let more = ["search_overhead", "load", "performance", "closure", "messages"];
            for key in keys.iter().chain(&more) {
                assert!(!object[key].is_null(), "{key} is missing in {object}");
            }
            assert!(object["closure"].as_f64().is_some_and(|closure| closure.abs() < 0.01));
        }
        assert_eq!(objects[0]["nodes"], objects[0]["sequential_nodes"]);
        assert_eq!(objects[0]["speedup"], 1.0);
    }
}

#[test]
fn d5_the_memory_is_that_of_all_processors_or_grows_with_them() {
    let positions = data("epd/bk.epd");
    for (memory, megabytes) in [("fixed", [2, 2]), ("scaled", [2, 8])] {
        let arguments = ["sim", "--processors", "1,4", "--depth", "5", "--hash", "2", "--json"];
        let more = ["--memory", memory, "--positions", &positions, "--first", "1"];
        let objects = timeless(&well(&[&arguments[..], &more[..]].concat()));
        let tables: Vec<_> = objects.iter().map(|object| object["table_mb"].clone()).collect();
        assert_eq!(tables, megabytes);
        // The sequential search has the memory of one processor.
        assert_eq!(objects[0]["sequential_nodes"], objects[1]["sequential_nodes"]);
    }
}

#[test]
fn what_was_kept_is_not_searched_again() {
    let folder = Folder::new("keep");
    let run = |processors: &str, depths: &str| {
        let arguments = ["sim", "--processors", processors, "--depth", depths, "--every", "12"];
        well(&[&arguments[..], &["--keep", folder.name(), "--json"][..]].concat())
    };
    let files = || folder.names().len();
    let first = run("2,4", "3,2");
    assert_eq!(files(), 6, "two positions: one sequential search of each, two simulated");
    assert_eq!(
        run("4,2", "2,3"),
        first.lines().rev().map(|line| format!("{line}\n")).collect::<String>()
    );
    assert_eq!(files(), 6);
}

#[test]
fn a_trace_and_a_picture_are_written() {
    let folder = Folder::new("pictures");
    let paths = ["trace.tsv", "plot.svg", "plot.png"].map(|name| folder.write(name, ""));
    let names = paths.each_ref().map(String::as_str);
    let arguments = ["sim", "--processors", "4", "--depth", "3", "--first", "1"];
    for more in [["--trace", names[0], "--plot", names[1]].as_slice(), &["--plot", names[2]]] {
        well(&[&arguments[..], more].concat());
    }
    let lines = std::fs::read_to_string(&paths[0]).expect("the trace is there");
    assert!(lines.starts_with("what\tprocessor\t") && lines.contains("\nsearch\t0\t0\t"));
    let picture = std::fs::read_to_string(&paths[1]).expect("the picture is there");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    for text in [">search</text>", ">idle</text>", "virtual time, ", "viewBox=", ">processors, %<"]
    {
        assert!(picture.contains(text), "{text}");
    }
    let pixels = std::fs::read(&paths[2]).expect("the picture is there");
    assert!(pixels.starts_with(b"\x89PNG") && pixels.ends_with(b"IEND\xaeB`\x82"));
}

#[test]
fn a_picture_of_a_long_run_on_many_processors_stays_small() {
    let folder = Folder::new("large");
    let plot = folder.file("large.svg");
    let arguments = ["sim", "--processors", "512", "--depth", "5", "--first", "1"];
    well(&[&arguments[..], &["--plot", &plot]].concat());
    let length = folder.read("large.svg").len();
    assert!(length < 1_500_000, "{length}");
}

#[test]
fn a_picture_that_is_called_neither_svg_nor_png_is_refused_before_the_run() {
    let words = ["sim", "--processors", "4", "--plot", "picture.jpg"];
    refused(&words, 2, "must end in .svg or .png");
}

#[test]
fn a_comparison_has_every_strategy_and_the_losses_add_up() {
    let folder = Folder::new("compared");
    let plot = folder.file("compared.svg");
    let arguments = ["sim", "--compare", "--processors", "1,4", "--depth", "3", "--first", "1"];
    let rows = objects(&well(&[&arguments[..], &["--json", "--plot", &plot]].concat()));
    assert_eq!(rows.len(), 2 * StrategyKind::ALL.len());
    for (row, strategy) in rows.chunks(2).map(|pair| &pair[1]).zip(StrategyKind::ALL) {
        assert_eq!(row["strategy"], strategy.name());
        let share = |key: &str| row[key].as_f64().expect("a number");
        let sum = share("useful") + share("useless") + share("waiting") + share("messages");
        assert!((sum - 1.0).abs() < 1e-6, "{row}");
        assert!(share("ideal") > 0.0);
    }
    let picture = std::fs::read_to_string(&plot).expect("the picture is there");
    assert!(picture.starts_with("<svg") && picture.contains("teams"));
}

#[test]
fn bad_input_gets_one_line_that_names_the_place() {
    let folder = Folder::new("bad");
    let machine = folder.write("machine.txt", "node_us = 1\nsend_us = soon\n");
    let faults = folder.write("faults.txt", "drop 1\ncrash 9 at 1\n");
    let positions = folder.write("positions.epd", "8/8/8/8/8/8/8/8 w - -\n");
    for (words, expected) in [
        (&["--depth", "2", "--machine", &machine][..], "line 2: expected a number"),
        (&["--depth", "2", "--machine", "pdp11"], "neither one of t805"),
        (&["--depth", "2", "--faults", &faults], "line 2: there is no processor \"9\""),
        (&["--depth", "2", "--positions", &positions], "line 1: "),
        (&["--depth", "2", "--positions", "no-such-file"], "cannot read no-such-file"),
        (&["--processors", "2,3", "--depth", "2,3,4"], "--depth names"),
        (&["--depth", "2", "--every", "99"], "--every 99 leaves none"),
    ] {
        let output = rookery(&[&["sim"], words].concat());
        let message = errors(&output);
        assert!(!output.status.success());
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }
}

#[test]
fn what_cannot_be_written_is_told_before_the_run_and_rows_are_shown_whatever_happens() {
    let folder = Folder::new("outputs");
    let outputs = folder.0.join("outputs.svg");
    std::fs::create_dir(&outputs).expect("a folder");
    let name = folder.file("outputs.svg");
    let arguments = ["sim", "--processors", "2", "--depth", "2", "--first", "1"];
    let run = |more: &[&str]| rookery(&[&arguments[..], more].concat());
    let missing = format!("{name}/none/x.svg");
    for more in [["--plot", &missing], ["--trace", &missing], ["--plot", &name]] {
        assert_eq!(text(&run(&more)), "", "{more:?}");
        refused(&[&arguments[..], &more].concat(), 1, "rookery: cannot write ");
    }
    assert_eq!(std::fs::read_dir(&outputs).expect("it is there").count(), 0, "nothing is left");
    let keep = ["--keep", name.as_str()];
    assert!(run(&keep).status.success());
    // The results cannot be written where folders have their names.
    for entry in std::fs::read_dir(&outputs).expect("it is there").flatten() {
        std::fs::remove_file(entry.path()).expect("it is ours");
        std::fs::create_dir(entry.path()).expect("it is ours");
    }
    let output = run(&keep);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).lines().any(|line| line.starts_with("     2     2    1 ")), "the row");
    assert!(errors(&output).starts_with("rookery: cannot write "), "{}", errors(&output));
}

#[test]
fn a_run_too_short_to_mean_anything_says_so_and_times_are_never_nothing() {
    let arguments = ["sim", "--machine", "das2", "--processors", "8", "--first", "1", "--depth"];
    let short = well(&[&arguments[..], &["1"]].concat());
    assert!(short.contains("8 processors at depth 1: "), "{short}");
    assert!(short.trim_end().ends_with("are too few to mean anything; a greater --depth has more"));
    assert!(!short.contains(" 0.00 ") && short.contains("s "), "{short}");
    let json = rookery(&[&arguments[..], &["1", "--json"]].concat());
    assert!(errors(&json).contains("too few to mean anything") && text(&json).lines().count() == 1);
    let long = well(&[&arguments[..], &["5"]].concat());
    assert!(!long.contains("mean anything"), "{long}");
    let arguments =
        ["speedup", "--depth", "2", "--first", "1", "--repetitions", "1", "--hash", "1"];
    let short = well(&arguments);
    assert!(short.contains("\ntoo short to mean anything: one thread takes "), "{short}");
    assert!(!short.contains(" 0.00 s"), "{short}");
}

#[test]
fn common_options_stand_first_in_the_help() {
    let (short, long) = (well(&["sim", "-h"]), well(&["sim", "--help"]));
    let place = |text: &str, option: &str| text.find(option).unwrap_or(usize::MAX);
    assert!(place(&short, "--processors") < place(&short, "Experiments:"));
    assert!(place(&short, "Experiments:") < place(&short, "--figure4 "));
    assert!(!short.contains("--teams-elastic") && long.contains("--teams-elastic"));
}

#[test]
fn d109_several_grains_are_swept_and_the_rules_say_what_moves_work() {
    let run = |rules: &str, more: &[&str]| {
        let machine = ["sim", "--strategy", "tds", "--machine", "das2", "--table", "local"];
        let search =
            ["--profile", "darksight", "--processors", "4", "--depth", "4", "--first", "1"];
        well(&[&machine[..], &search[..], &["--tds", rules][..], more].concat())
    };
    let sweep = run("paper", &["--grain", "1,2,3"]);
    assert!(sweep.contains("best grain of 4 processors at depth 4: "), "{sweep}");
    let rows = timeless(&run("paper", &["--grain", "1,2,3", "--json"]));
    assert_eq!(rows.iter().map(|row| &row["grain"]).collect::<Vec<_>>(), [1, 2, 3]);
    for (rules, homes, steals) in [
        ("paper", true, false),
        ("stealing", false, true),
        ("pure", true, false),
        ("hybrid", true, true),
        ("cured", true, true),
    ] {
        let row = &timeless(&run(rules, &["--json"]))[0];
        assert_eq!(row["messages"]["state"].is_u64(), homes, "{rules}: {row}");
        assert_eq!(row["messages"]["steal"].is_u64(), steals, "{rules}: {row}");
    }
}

#[test]
fn several_seeds_give_means_and_spreads_in_every_form() {
    let run = |more: &[&str]| {
        let arguments = ["sim", "--strategy", "teams", "--processors", "16", "--depth", "4"];
        well(&[&arguments[..], &["--first", "1"], more].concat())
    };
    let speedup = |more: &[&str]| {
        let row = &objects(&run(more))[0];
        assert!(row["speedup_spread"].is_null(), "one seed has no spread");
        row["speedup"].as_f64().expect("a number")
    };
    let own = ["4", "5", "6"].map(|seed| speedup(&["--json", "--seed", seed]));
    assert!(own[0] != own[1] && own[1] != own[2], "{own:?}");
    let seeds = ["--seed", "4", "--seeds", "3"];
    let row = &objects(&run(&[&seeds[..], &["--json"]].concat()))[0];
    let of = |key: &str| row[key].as_f64().expect("a number");
    let mean = own.iter().sum::<f64>() / 3.0;
    let squares: f64 = own.iter().map(|one| (one - mean).powi(2)).sum();
    assert!((of("speedup") - mean).abs() < 1e-9, "{row}");
    assert!((of("speedup_spread") - (squares / 2.0).sqrt()).abs() < 1e-9, "{row}");
    assert_eq!(row["speedups"].as_array().map(Vec::len), Some(3));
    let table = run(&seeds);
    assert!(table.contains("means of 3 seeds") && table.contains(" speedup      ± "), "{table}");
    let lines = run(&[&seeds[..], &["--csv"]].concat());
    let cell = |name: &str| {
        let place = lines.lines().next().expect("names").split(',').position(|one| one == name);
        let value = lines.lines().nth(1).and_then(|row| row.split(',').nth(place?));
        value.and_then(|value| value.parse::<f64>().ok()).expect("a number")
    };
    assert_eq!(lines.lines().count(), 2);
    assert_eq!((cell("speedup"), cell("speedup_spread")), (of("speedup"), of("speedup_spread")));
    let compared = ["sim", "--compare", "--processors", "4", "--depth", "2", "--first", "1"];
    let output = well(&[&compared[..], &seeds, &["--csv"]].concat());
    assert_eq!(output.lines().count(), 1 + StrategyKind::ALL.len(), "{output}");
    assert!(output.starts_with("closure,") && output.contains(",speedup_spread"), "{output}");
}

#[test]
fn the_shared_table_is_called_free_wherever_it_is_shown() {
    let run = |more: &[&str]| {
        let arguments = ["sim", "--processors", "4", "--depth", "2", "--first", "1"];
        well(&[&arguments[..], more].concat())
    };
    for more in [&[][..], &["--compare"][..]] {
        assert!(run(more).contains("free global knowledge"), "{more:?}");
    }
    assert!(!run(&["--table", "blocking"]).contains("free global knowledge"));
    let both = run(&["--table", "shared,blocking"]);
    assert!(both.contains(" shared (free)\n") && both.contains("      blocking\n"), "{both}");
    let rows = run(&["--table", "shared,blocking", "--json"]);
    let free: Vec<bool> = rows.lines().map(|row| row.contains("\"table_is_free\":true")).collect();
    assert_eq!(free, [true, false]);
}

#[test]
fn the_papers_rules_are_named_in_every_row_and_refused_elsewhere() {
    let run = |more: &[&str]| {
        let arguments = ["sim", "--processors", "4", "--depth", "2", "--first", "1"];
        rookery(&[&arguments[..], more].concat())
    };
    let paper = ["--ybw", "paper"];
    let table = run(&paper);
    assert!(text(&table).starts_with("ybw paper, profile "), "{}", text(&table));
    assert!(text(&table).contains(" asynchronous (paper)\n"), "{}", text(&table));
    let note = "--ybw paper: Zugzwang's rules; the table is asynchronous, which --table can change";
    assert!(errors(&table).contains(note), "{}", errors(&table));
    let row = &objects(&text(&run(&["--ybw", "paper", "--json"])))[0];
    assert_eq!((&row["rules"], &row["table"]), (&"paper".into(), &"asynchronous".into()));
    assert!(text(&run(&["--ybw", "paper", "--csv"])).contains(",paper,"));
    let compared = run(&["--compare", "--ybw", "paper"]);
    assert!(text(&compared).contains("\nybw paper  "), "{}", text(&compared));
    for (words, line) in [
        (["--strategy", "tds", "--ybw", "paper"], "--ybw paper concerns --strategy ybw, not tds"),
        (
            ["--strategy", "teams", "--ybw", "paper"],
            "--ybw paper concerns --strategy ybw, not teams",
        ),
        (["--strategy", "lazy", "--tds", "pure"], "--tds pure concerns --strategy tds, not lazy"),
    ] {
        let output = run(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(errors(&output).lines().next(), Some(format!("rookery: {line}").as_str()));
    }
}

#[test]
fn every_number_of_the_table_stands_among_the_comma_separated_values() {
    let run = |more: &[&str]| {
        let arguments = ["sim", "--machine", "wan", "--processors", "32", "--depth", "2"];
        well(&[&arguments[..], &["--first", "2", "--hash", "3"], more].concat())
    };
    let table = run(&[]);
    let shown: Vec<&str> = table.lines().nth(3).expect("a row").split_whitespace().collect();
    let lines = run(&["--csv"]);
    let (names, values) = lines.split_once('\n').expect("two lines");
    let cell = |name: &str| {
        let place =
            names.split(',').position(|one| one == name).unwrap_or_else(|| panic!("{name}"));
        let value = values.trim().split(',').nth(place).expect("a value");
        value.parse::<f64>().unwrap_or_else(|_| panic!("{name} is {value}"))
    };
    let rounded = |value: f64, digits: usize| format!("{value:.digits$}");
    assert_eq!((cell("table_mb"), cell("positions")), (3.0, 2.0));
    assert_eq!(shown[3], rounded(cell("sequential_nodes_per_position") / 1e6, 3), "{table}");
    assert_eq!(shown[6], rounded(cell("speedup"), 2), "{table}");
    for name in ["search_overhead", "load", "performance", "synchronisation", "imbalance"] {
        assert!(shown.contains(&rounded(100.0 * cell(name), 1).as_str()), "{name}: {table}");
    }
    assert!(cell("node_rate") > 0.0 && cell("rate") > 0.0 && cell("time_per_position") > 0.0);
    let messages = format!("between clusters {} messages", cell("cluster_messages"));
    assert!(table.contains(&messages) && cell("cluster_bytes_per_second") > 0.0, "{table}");
}

#[test]
fn f17_f18_equal_times_at_two_depths_give_a_curve_for_each_time() {
    let folder = Folder::new("figure6");
    let plot = folder.file("figure6.svg");
    let arguments = ["sim", "--strategy", "teams", "--profile", "hypercube", "--machine", "ncube"];
    let more = ["--figure6", "0.05,0.5", "--processors", "1,16", "--first", "2", "--json"];
    let rows = objects(&well(&[&arguments[..], &more[..], &["--plot", &plot]].concat()));
    assert_eq!(rows.len(), 4);
    let of = |row: usize, key: &str| rows[row][key].as_f64().expect("a number");
    assert_eq!((of(0, "positions"), of(0, "speedup")), (4.0, 1.0), "two positions, two depths");
    // 0.05 s with 256 processors and a speedup of 101 are about a thousand nodes.
    let nodes = of(0, "sequential_nodes") / 4.0;
    assert!((300.0..4000.0).contains(&nodes), "{nodes}");
    assert!(of(3, "speedup") > of(1, "speedup"), "longer searches have more to share");
    let picture = std::fs::read_to_string(&plot).expect("the picture is there");
    assert!(picture.contains("0.05 s") && picture.contains("0.5 s"), "a curve for each");
}

#[cfg(target_os = "linux")]
#[test]
fn machines_for_which_there_is_no_memory_are_refused_before_they_are_made() {
    let folder = Folder::new("small");
    let keep = folder.file("kept");
    let sim = |arguments: &[&str]| {
        let whole = [&["sim", "--depth", "1", "--first", "2", "--quiet"], arguments].concat();
        support::limited("-v 1500000", &whole).output().expect("the shell starts")
    };
    let several = ["--strategy", "lazy", "--processors", "512", "--seeds", "4", "--threads", "4"];
    for arguments in
        [&["--processors", "4096"][..], &several, &["--compare", "--processors", "4096"]]
    {
        let output = sim(arguments);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains(" MB are asked for, but only ") && said.lines().count() == 1,
            "{said}"
        );
    }
    let output = sim(&[&several[..7], &["1", "--keep", &keep]].concat());
    assert!(output.status.success(), "one at a time: {}", errors(&output));
    let output = sim(&[&several[..7], &["4", "--keep", &keep]].concat());
    assert!(output.status.success(), "what is kept needs nothing: {}", errors(&output));
}
