//! `rookery timeline`: a real search and a simulated one, in numbers, as a picture and as a file.

mod support;

use support::{Folder, json, refused, well};

#[test]
fn both_searches_are_shown_with_all_their_time() {
    let folder = Folder::new("both");
    let (picture, table) = (folder.file("both.svg"), folder.file("both.csv"));
    for strategy in ["ybw", "lazy"] {
        let search = ["timeline", "--threads", "3", "--depth", "8", "--strategy", strategy];
        let files = ["--hash", "1", "--plot", &picture, "--csv", &table, "--json"];
        let report = json(&[&search[..], &files].concat());
        assert_eq!((&report["depth"], &report["forgotten"]), (&8.into(), &0.into()));
        for (real, side) in [(true, &report["real"]), (false, &report["simulated"])] {
            let shares = side["shares"].as_object().expect("shares").values();
            let sum: f64 = shares.filter_map(serde_json::Value::as_f64).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{side}");
            let last = side["iterations"].as_array().and_then(|all| all.last());
            // Another real thread may finish the last iteration while the first is at an earlier one, or has
            // not begun any.
            let is_whole = last.is_some_and(|last| last["depth"] == 8);
            assert!(is_whole || real && strategy == "lazy", "{side}");
            assert!(side["nodes"].as_u64() > Some(100), "{side}");
        }
        let drawn = std::fs::read_to_string(&picture).expect("the picture is there");
        assert!(drawn.contains("Real: ") && drawn.contains("Simulated: "), "both are drawn");
        let listed = std::fs::read_to_string(&table).expect("the file is there");
        let mut lines = listed.lines();
        let head = "machine,what,processor,begin_ns,end_ns,to,task,depth,ply,move";
        assert_eq!(lines.next(), Some(head));
        assert!(lines.all(|line| line.matches(',').count() == head.matches(',').count()));
        for begin in ["real,search,0,", "simulated,search,0,", "simulated,search,2,"] {
            assert!(listed.contains(&format!("\n{begin}")), "{strategy}: {begin}");
        }
    }
    let shown = well(&["timeline", "--threads", "2", "--time", "0.02", "--hash", "1"]);
    assert!(
        shown.contains("real   simulated\n") && shown.contains("iteration 1 begins"),
        "{shown}"
    );
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = Folder::new("same");
    let same = folder.file("same.svg");
    for (arguments, reason) in [
        (&["--threads", "1"][..], "1 is not in 2..=1024"),
        (&["--machine", "abacus"], "--machine abacus: neither one of"),
        (&["--plot", &same, "--csv", &same], "--plot and --csv are the same file"),
        (&["--depth", "3", "--time", "1"], "cannot be used with"),
        (&["7k/5Q2/8/8/8/8/8/K7 b - - 0 1"], "there is nothing to choose"),
    ] {
        refused(&[&["timeline"], arguments].concat(), 2, reason);
    }
}
