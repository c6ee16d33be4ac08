//! Which files are networks: what is damaged, foreign or could leave its integers is refused in one line.

#[path = "support/net.rs"]
mod net;

use board::random::SplitMix;
use eval::nnue::Network;
use net::{FINE, HEADER, bytes, random_bytes, seal};

#[test]
fn damaged_cut_empty_and_foreign_files_are_refused_in_one_line() {
    let good = random_bytes(32, FINE);
    let reason = |bytes: &[u8]| {
        let reason = Network::read(bytes).expect_err("it is refused");
        assert_eq!(reason.lines().count(), 1);
        reason
    };
    assert_eq!(reason(b""), "it is empty");
    assert_eq!(reason(b"PK\x03\x04 something else"), "it is no network of Rookery's");
    for cut in [8, 11, 20, 39, 45, 1_000, good.len() - 1] {
        assert_eq!(reason(&good[..cut]), "it is cut off", "{cut}");
    }
    let mut random = SplitMix(1);
    for at in (0..60).chain((0..300).map(|_| random.below(good.len() as u64) as usize)) {
        let mut damaged = good.clone();
        damaged[at] ^= 1 << (at % 8);
        reason(&damaged);
    }
    let with = |at: usize, number: u32| {
        let mut other = good[..good.len() - 4].to_vec();
        other[at..at + 4].copy_from_slice(&number.to_le_bytes());
        seal(other)
    };
    assert_eq!(reason(&with(8, 3)), "it has the format 3; this program reads up to 2");
    assert!(reason(&with(16, 48)).contains("its shape [768, 48, 8, 1023, 1000, 400] is not one"));
    for scale in [0, 63, 1_000, 1_024, 32_767, u32::MAX] {
        assert!(reason(&with(24, scale)).contains("its shape"), "{scale}");
    }
    for scale in [0, 32_768, u32::MAX] {
        assert!(reason(&with(28, scale)).contains("its shape"), "{scale}");
    }
    // A program that knows only the first format would evaluate it by other scales.
    let first = "it has the format 1, whose scales are 255 and 64, not 1023 and 1000";
    assert_eq!(reason(&with(8, 1)), first);
    assert!(reason(&with(36, 1 << 30)).contains("its description has no end"));
    assert_eq!(reason(&[&good[..], b"x"].concat()), "it is damaged: bytes follow its end");
    let mut text = good[..good.len() - 4].to_vec();
    text[HEADER] = b'\n';
    assert_eq!(reason(&seal(text)), "its description is no line of text");
}

#[test]
fn networks_whose_sums_could_leave_their_integers_are_refused() {
    // One lane: what each input gives it, and the bias, which comes last.
    let lane = |weight: fn(usize) -> i16| {
        let weight = move |index: usize| if index % 32 == 5 { weight(index / 32) } else { 0 };
        Network::read(&bytes(32, FINE, weight, |_| 0)).map(|_| ())
    };
    let refused = Err("a hidden value could leave its 16 bits".to_owned());
    // A king of each side and thirty other men, whatever they are.
    assert_eq!(lane(|input| if input < 768 { 1_023 } else { 31 }), Ok(()));
    assert_eq!(lane(|input| if input < 768 { 1_023 } else { 32 }), refused);
    assert_eq!(lane(|input| if input < 768 { -1_024 } else { 0 }), Ok(()));
    assert_eq!(lane(|input| if input < 768 { -1_024 } else { -1 }), refused);
    // One man stands on a square, and one king a side. The bias is as large as the weights.
    assert_eq!(lane(|input| if input % 64 < 8 { 2_900 } else { 0 }), Ok(()));
    assert_eq!(lane(|input| if input % 64 < 9 { 2_900 } else { 0 }), refused);
    assert_eq!(lane(|input| if input / 64 % 6 == 5 { 16_000 } else { 0 }), Ok(()));
    let outputs = |weight: i16| Network::read(&bytes(512, FINE, |_| 0, |_| weight)).map(|_| ());
    assert_eq!(outputs(128), Ok(()));
    assert_eq!(outputs(-129), Err("an output could leave its 32 bits".to_owned()));
}
