//! A network as its file gives it: read, checked, and never changed.

use super::inputs::INPUTS;
use super::simd::{Block, Clip, LANES};
use files::crc32;

/// The newest format. The first one is read as well; its scales were always these.
const VERSION: u32 = 2;
const FIRST_SCALES: [usize; 2] = [255, 64];
/// Outputs, of which the number of men chooses one.
pub const BUCKETS: usize = 8;
/// Centipawns of an output of 1.
const CENTIPAWNS: i64 = 400;
/// The widest hidden layer.
const WIDEST: usize = 2_048;
/// The longest description, in bytes.
const LONGEST_DESCRIPTION: usize = 4_096;
/// Men on a board but for the kings, at most.
const MEN: usize = 30;

/// The weights of a network.
#[derive(Debug)]
pub struct Network {
    description: String,
    checksum: u32,
    /// Blocks of the hidden layer.
    blocks: usize,
    clip: Clip,
    /// An output weight of 1.
    output_scale: i64,
    /// A row for each input, in the order of [`View::input`](super::inputs::View::input).
    weights: Vec<Block>,
    biases: Vec<Block>,
    /// For each output the row of the side to move and that of the other.
    output_weights: Vec<Block>,
    output_biases: [i32; BUCKETS],
}

impl Network {
    /// The first bytes of a network's file.
    pub const MAGIC: [u8; 8] = *b"ROOKNNUE";

    /// Reads a network; or says in one line what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<Network, String> {
        if bytes.is_empty() {
            return Err("it is empty".to_owned());
        }
        if !bytes.starts_with(&Network::MAGIC) {
            return Err("it is no network of Rookery's".to_owned());
        }
        let cut = || "it is cut off".to_owned();
        let mut rest = Bytes(&bytes[Network::MAGIC.len()..]);
        let version = rest.number().ok_or_else(cut)?;
        if !(1..=VERSION).contains(&version) {
            return Err(format!("it has the format {version}; this program reads up to {VERSION}"));
        }
        let mut shape = [0; 6];
        for number in &mut shape {
            *number = rest.number().ok_or_else(cut)? as usize;
        }
        let [inputs, hidden, buckets, hidden_scale, output_scale, centipawns] = shape;
        if version == 1 && [hidden_scale, output_scale] != FIRST_SCALES {
            let [hidden, output] = FIRST_SCALES;
            return Err(format!(
                "it has the format 1, whose scales are {hidden} and {output}, not {hidden_scale} and \
                 {output_scale}"
            ));
        }
        let fixed = (inputs, buckets, centipawns) == (INPUTS, BUCKETS, CENTIPAWNS as usize);
        let width = hidden.is_multiple_of(LANES) && (LANES..=WIDEST).contains(&hidden);
        let scale = (1..=i16::MAX as usize).contains(&output_scale);
        let clip = Clip::new(hidden_scale).filter(|_| fixed && width && scale);
        let unknown = || format!("its shape {shape:?} is not one that this program knows");
        let clip = clip.ok_or_else(unknown)?;
        let length = rest.number().ok_or_else(cut)? as usize;
        if length > LONGEST_DESCRIPTION {
            return Err("it is damaged: its description has no end".to_owned());
        }
        let content = length + 2 * hidden * (INPUTS + 1 + 2 * BUCKETS) + 4 * BUCKETS;
        match rest.0.len().cmp(&(content + 4)) {
            std::cmp::Ordering::Less => return Err(cut()),
            std::cmp::Ordering::Equal => (),
            std::cmp::Ordering::Greater => {
                return Err("it is damaged: bytes follow its end".to_owned());
            }
        }
        let damaged = || "it is damaged: its checksum is wrong".to_owned();
        let (checked, sum) = bytes.split_last_chunk::<4>().ok_or_else(cut)?;
        if crc32(0, checked) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let description = rest.take(length).and_then(|text| String::from_utf8(text.to_vec()).ok());
        let description = description.filter(|text| !text.contains(char::is_control));
        let blocks = hidden / LANES;
        let network = Network {
            description: description.ok_or("its description is no line of text")?,
            checksum: u32::from_le_bytes(*sum),
            blocks,
            clip,
            output_scale: output_scale as i64,
            weights: rest.blocks(INPUTS * blocks).map(by_kind).ok_or_else(cut)?,
            biases: rest.blocks(blocks).ok_or_else(cut)?,
            output_weights: rest.blocks(2 * BUCKETS * blocks).ok_or_else(cut)?,
            output_biases: rest.biases().ok_or_else(cut)?,
        };
        network.check_sums()?;
        Ok(network)
    }

    /// That no sum leaves its integers, whatever stands on the board.
    fn check_sums(&self) -> Result<(), String> {
        for block in 0..self.blocks {
            for lane in 0..LANES {
                let bias = i32::from(self.biases[block].0[lane]);
                let weight = |input: usize| i32::from(self.row(input)[block].0[lane]);
                let most = bias + largest_sum(weight);
                let least = bias - largest_sum(|input| -weight(input));
                if most > i32::from(i16::MAX) || least < i32::from(i16::MIN) {
                    return Err("a hidden value could leave its 16 bits".to_owned());
                }
            }
        }
        for row in self.output_weights.chunks_exact(2 * self.blocks) {
            let weights = row.iter().flat_map(|block| block.0);
            let total: i64 = weights.map(|weight| i64::from(weight).abs()).sum();
            if total * self.clip.largest_square() > i64::from(i32::MAX) {
                return Err("an output could leave its 32 bits".to_owned());
            }
        }
        Ok(())
    }

    /// The line that its maker gave it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The checksum of its file: what tells it from others.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The width of the hidden layer.
    pub fn hidden(&self) -> usize {
        self.blocks * LANES
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The rows of all inputs, one after the other.
    #[inline(always)]
    pub(super) fn weights(&self) -> &[Block] {
        &self.weights
    }

    /// The weights of an input.
    #[inline(always)]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        &self.weights[input * self.blocks..(input + 1) * self.blocks]
    }

    /// How its hidden values are clipped.
    #[inline(always)]
    pub(super) fn clip(&self) -> Clip {
        self.clip
    }

    pub(super) fn biases(&self) -> &[Block] {
        &self.biases
    }

    /// The weights of an output: of the side to move and of the other.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> (&[Block], &[Block]) {
        let first = 2 * self.blocks * bucket.min(BUCKETS - 1);
        self.output_weights[first..first + 2 * self.blocks].split_at(self.blocks)
    }

    /// An output's products as centipawns.
    #[inline(always)]
    pub(super) fn centipawns(&self, products: i32, bucket: usize) -> i32 {
        let bias = i64::from(self.output_biases[bucket.min(BUCKETS - 1)]);
        let one = self.clip.scale();
        let sum = (i64::from(products) << self.clip.lost_bits()) + bias * one;
        let value = sum * CENTIPAWNS / (one * one * self.output_scale);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }
}

/// The rows of a file, which has those of all own men before those of all enemies, kind by kind.
fn by_kind(rows: Vec<Block>) -> Vec<Block> {
    let (own, enemies) = rows.split_at(rows.len() / 2);
    let kinds = own.chunks(own.len() / 6).zip(enemies.chunks(own.len() / 6));
    kinds.flat_map(|(own, enemies)| [own, enemies].concat()).collect()
}

/// The largest sum of a board's men: a king of each side, and one other man at most on a square.
fn largest_sum(weight: impl Fn(usize) -> i32) -> i32 {
    let kings = [10, 11].map(|man| (0..64).map(|square| weight(64 * man + square)).max());
    let best = |square| (0..10usize).map(|man| weight(64 * man + square)).max();
    let mut squares: Vec<i32> = (0..64).filter_map(best).filter(|best| *best > 0).collect();
    squares.sort_unstable_by(|a, b| b.cmp(a));
    kings.into_iter().flatten().sum::<i32>() + squares.iter().take(MEN).sum::<i32>()
}

/// Bytes that are taken from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn blocks(&mut self, count: usize) -> Option<Vec<Block>> {
        let bytes = self.take(count * LANES * 2)?;
        let (numbers, _) = bytes.as_chunks::<2>();
        let block = |numbers: &[[u8; 2]]| {
            let mut block = Block([0; LANES]);
            for (lane, number) in block.0.iter_mut().zip(numbers) {
                *lane = i16::from_le_bytes(*number);
            }
            block
        };
        Some(numbers.chunks_exact(LANES).map(block).collect())
    }

    fn biases(&mut self) -> Option<[i32; BUCKETS]> {
        let mut biases = [0; BUCKETS];
        for bias in &mut biases {
            *bias = self.number()? as i32;
        }
        Some(biases)
    }
}
