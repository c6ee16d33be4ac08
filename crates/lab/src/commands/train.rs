//! `lab train`: a network from files of samples, without a GPU.

use clap::{Args, value_parser};
use lab::data::{Sample, samples};
use lab::files::{refuse_output, write_whole};
use lab::train::{Net, Plan, bytes, loss, train};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between two lines of progress.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// What to learn from, how, and where the network goes.
#[derive(Args)]
pub struct TrainArguments {
    /// Samples of the first stage (`rookery data static`)
    #[arg(long, value_name = "SAMPLES.rks", num_args = 1.., required_unless_present = "data")]
    pretrain: Vec<PathBuf>,
    /// Passes of the first stage
    #[arg(long, value_name = "N", default_value_t = 4.0, value_parser = epochs)]
    pretrain_epochs: f64,
    /// Samples of the second stage (`rookery data unpack`)
    #[arg(long, value_name = "SAMPLES.rks", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Passes of the second stage
    #[arg(long, value_name = "N", default_value_t = 8.0, value_parser = epochs)]
    epochs: f64,
    /// Samples of games that no stage sees, for the loss that counts
    #[arg(long, value_name = "SAMPLES.rks")]
    held_out: Option<PathBuf>,
    /// The width of the hidden layer, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = value_parser!(u16).range(32..=2048))]
    hidden: u16,
    /// The weight of the game's outcome in the second stage, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    outcome: f32,
    /// The learning rate at the beginning of a stage
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = share64)]
    rate: f64,
    /// Samples of a step
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = value_parser!(u32).range(1..=1 << 20))]
    batch: u32,
    /// Another seed, another network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads that share a batch, up to 16; by default all processors
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The file to write; its provenance lies beside it as .json
    #[arg(long, short, value_name = "FILE.net")]
    output: PathBuf,
}

fn number(text: &str, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number <= most => Ok(number),
        _ => Err(format!("a number from 0 to {most}")),
    }
}

fn epochs(text: &str) -> Result<f64, String> {
    number(text, 1e6)
}

fn share64(text: &str) -> Result<f64, String> {
    number(text, 1.0)
}

fn share(text: &str) -> Result<f32, String> {
    number(text, 1.0).map(|share| share as f32)
}

/// Trains in one stage or two, and writes the network.
pub fn run(arguments: &TrainArguments) -> Result<(), String> {
    let hidden = usize::from(arguments.hidden);
    if !hidden.is_multiple_of(32) {
        return Err(format!("--hidden {hidden} is no multiple of 32"));
    }
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(processors, usize::from);
    let inputs = || [&arguments.pretrain, &arguments.data].into_iter().flatten();
    for output in [&arguments.output, &arguments.output.with_extension("json")] {
        refuse_output("--output", output, inputs().chain(&arguments.held_out))?;
    }
    let first = read(&arguments.pretrain)?;
    let second = read(&arguments.data)?;
    let held_out = read(arguments.held_out.as_slice())?;
    let mut net = Net::new(hidden, arguments.seed);
    let mut stages = Vec::new();
    let plan = Plan {
        epochs: arguments.pretrain_epochs,
        rate: arguments.rate,
        outcome: 0.0,
        batch: arguments.batch as usize,
        seed: arguments.seed,
        threads,
    };
    let (epochs, outcome) = (arguments.epochs, arguments.outcome);
    let later = Plan { epochs, outcome, seed: arguments.seed ^ 1 << 63, ..plan.clone() };
    for (name, samples, plan) in [("pretrain", &first, &plan), ("train", &second, &later)] {
        if !samples.is_empty() {
            stages.push(stage(name, &mut net, samples, &held_out, plan));
        }
    }
    finish(&net, arguments, &stages)
}

/// All samples of some files.
fn read(files: &[PathBuf]) -> Result<Vec<Sample>, String> {
    let mut all = Vec::new();
    for path in files {
        let name = path.display();
        let file =
            ::files::open(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let count = samples::read(file, |sample| all.push(*sample));
        match count.map_err(|reason| format!("{name} {reason}"))? {
            0 => return Err(format!("{name} holds no samples")),
            count => println!("{name}: {count} samples"),
        }
    }
    Ok(all)
}

/// A stage of the training, with lines of progress; what came of it.
fn stage(name: &str, net: &mut Net, samples: &[Sample], held_out: &[Sample], plan: &Plan) -> Value {
    let begun = Instant::now();
    let mut told = begun;
    let work = plan.epochs * samples.len() as f64;
    train(net, samples, plan, &mut |share, loss| {
        if told.elapsed() >= BETWEEN_LINES || share >= 1.0 {
            told = Instant::now();
            let seconds = begun.elapsed().as_secs_f64();
            let (rate, left) = (share * work / seconds / 1e3, seconds / share - seconds);
            println!(
                "{name}: {:.1} %, loss {loss:.6}, {rate:.0} k samples/s, {left:.0} s left",
                share * 100.0
            );
        }
    });
    let mut result = json!({
        "stage": name, "samples": samples.len(), "epochs": plan.epochs, "rate": plan.rate,
        "outcome": plan.outcome, "batch": plan.batch, "seconds": begun.elapsed().as_secs(),
    });
    if !held_out.is_empty() {
        let loss = loss(net, held_out, 0.0, plan.threads);
        println!("{name}: loss of scores on held-out games {loss:.6}");
        result["held_out_score"] = json!(loss);
    }
    result
}

/// Writes a network and its provenance.
fn finish(net: &Net, arguments: &TrainArguments, stages: &[Value]) -> Result<(), String> {
    let TrainArguments { output, hidden, outcome, seed, .. } = arguments;
    let description = format!("{hidden} hidden, outcome {outcome}, seed {seed}, lab train");
    let bytes = bytes(net, &description)?;
    let error = |error| format!("{}: {error}", output.display());
    ::files::write(output, &bytes).map_err(error)?;
    let names = |files: &[PathBuf]| -> Vec<String> {
        files.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    };
    let provenance = json!({
        "network": output.file_name().and_then(|name| name.to_str()), "description": description,
        "hidden": hidden, "seed": seed, "pretrain": names(&arguments.pretrain),
        "data": names(&arguments.data), "stages": stages,
    });
    let text = serde_json::to_string_pretty(&provenance).map_err(|error| error.to_string())?;
    write_whole(&output.with_extension("json"), format!("{text}\n"))?;
    println!("{}: {} bytes", output.display(), bytes.len());
    Ok(())
}
