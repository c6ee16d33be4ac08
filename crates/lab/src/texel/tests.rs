//! The tuner's arithmetic is the engine's, and its gradient is the slope.

use super::model::{Model, Parameters};
use super::{Plan, Samples, tune};
use board::Epd;
use eval::weights::{COUNT, GROUPS};

fn samples() -> (Samples, Vec<i32>) {
    let path = format!("{}/../../testdata/epd/wacnew.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the test data is readable");
    let (mut samples, mut values) = (Samples::default(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let Ok(record) = line.parse::<Epd>() else { continue };
        let position = record.position().with_clocks(0, 1);
        let before = samples.samples.len();
        samples.add(&position, [0.0, 0.5, 1.0][number % 3]);
        if samples.samples.len() > before {
            values.extend(eval::trace(&position).map(|trace| trace.value));
        }
    }
    (samples, values)
}

#[test]
fn the_arithmetic_gives_the_engines_values() {
    let (samples, values) = samples();
    let (model, parameters) = (Model::new(&samples, 1), Parameters::current());
    assert!(values.len() > 250);
    for (number, &value) in values.iter().enumerate() {
        // The engine rounds towards zero at four places.
        let difference = model.value(&parameters, number) - f64::from(value);
        assert!(difference.abs() < 4.0, "{number}: {difference}");
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let (samples, _) = samples();
    let (model, mut parameters) = (Model::new(&samples, 2), Parameters::current());
    let (numbers, _) = samples.split();
    let gradient = model.gradient(&parameters, &numbers);
    let of = |name: &str| GROUPS.iter().find(|group| group.name == name).expect("known").begin;
    let weights = ["MATERIAL", "HANGING", "DANGER_RING", "DANGER_WEAK", "WINNABLE", "TEMPO"];
    for at in weights.into_iter().flat_map(|name| [of(name), of(name) + COUNT]) {
        let middle = parameters.values[at];
        let [above, below] = [0.01, -0.01].map(|step| {
            parameters.values[at] = middle + step;
            model.loss(&parameters, &numbers)
        });
        parameters.values[at] = middle;
        let slope = (above - below) / 0.02;
        assert!((slope - gradient[at]).abs() <= 1e-8 + slope.abs() * 0.02, "{at}: {slope}");
    }
}

#[test]
fn a_few_epochs_lower_the_loss_on_what_was_learned() {
    let (samples, _) = samples();
    let mut lines = 0;
    let tuned = tune(&samples, &Plan { epochs: 3, threads: 2 }, &mut |_| lines += 1);
    let tuned = tuned.expect("enough positions");
    assert_eq!((lines, tuned.weights.len()), (4, COUNT));
    assert!(tuned.loss_after.is_finite() && tuned.loss_before.is_finite());
    assert!(tune(&Samples::default(), &Plan { epochs: 1, threads: 1 }, &mut |_| ()).is_err());
}
