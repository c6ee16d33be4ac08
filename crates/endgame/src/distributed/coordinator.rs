//! What the first processor does beside its own part: it names the levels, and packs the files.

use super::message::{Message, Processor};
use super::outbox::Outbox;
use super::share::{Share, UNIT};
use super::{Action, Packed};
use crate::file::{Header, Packer, Seen, Side, block_size};
use crate::layout::Layout;
use crate::value::{Metric, cell};
use std::collections::BTreeMap;

/// What a processor said of a round.
#[derive(Clone, Copy)]
struct Done {
    news: bool,
    next: Option<u16>,
}

/// The memory of the coordinator.
pub struct Coordinator {
    layout: Layout,
    share: Share,
    round: u32,
    level: Option<u16>,
    done: Vec<Option<Done>>,
    seen: Vec<Option<Box<[super::message::SeenBytes; 2]>>>,
    packing: Option<Packing>,
    files: Vec<Metric>,
    packed: Vec<Packed>,
}

/// A file while its cells come in.
struct Packing {
    metric: Metric,
    packers: [Packer; 2],
    side: usize,
    block: usize,
    /// The units of the block that have come.
    cells: BTreeMap<u32, Vec<u16>>,
    blocks: [Vec<Vec<u8>>; 2],
}

impl Coordinator {
    /// The coordinator of a build.
    pub fn new(layout: &Layout, files: &[Metric], share: Share) -> Coordinator {
        let processors = share.processors as usize;
        Coordinator {
            layout: layout.clone(),
            share,
            round: 0,
            level: None,
            done: vec![None; processors],
            seen: (0..processors).map(|_| None).collect(),
            packing: None,
            files: files.iter().rev().copied().collect(),
            packed: Vec::new(),
        }
    }

    /// A message for the coordinator.
    pub fn handle(&mut self, from: Processor, message: Message, outbox: &mut Outbox) {
        match message {
            Message::Done { round, news, next } if round == self.round => {
                if let Some(done) = self.done.get_mut(from as usize) {
                    *done = Some(Done { news, next });
                }
                self.next_round(outbox);
            }
            Message::Seen(sides) => {
                let all = self.seen.iter().all(Option::is_some);
                if let Some(seen) = self.seen.get_mut(from as usize) {
                    *seen = Some(sides);
                }
                if !all && self.seen.iter().all(Option::is_some) {
                    self.begin_file(outbox);
                }
            }
            Message::Cells { side, unit, cells } => self.take(side, unit, cells, outbox),
            _ => (),
        }
    }

    /// When all have finished a round: the lowest level that is left anywhere. News may have come to a
    /// processor after it had finished, so after a round with news the next level is looked at in any
    /// case.
    fn next_round(&mut self, outbox: &mut Outbox) {
        let done: Option<Vec<Done>> = self.done.iter().copied().collect();
        let Some(done) = done else { return };
        let following = self.level.map(|level| level + 1);
        let after_news = following.filter(|_| done.iter().any(|done| done.news));
        let next = done.iter().filter_map(|done| done.next).chain(after_news).min();
        match next {
            Some(level) if level > cell::HIGHEST => {
                let reason = format!("{}: wins of more than 127 moves", self.layout.ending);
                self.end(Err(reason), outbox);
            }
            Some(level) => {
                self.round += 1;
                self.level = Some(level);
                self.done.fill(None);
                let round = self.round;
                self.tell_all(Message::Level { round, level }, outbox);
            }
            None => self.tell_all(Message::Sum, outbox),
        }
    }

    fn tell_all(&self, message: Message, outbox: &mut Outbox) {
        (0..self.share.processors).for_each(|to| outbox.send(to, message.clone()));
    }

    fn end(&mut self, result: Result<Vec<Packed>, String>, outbox: &mut Outbox) {
        outbox.act(Action::Report(result));
        self.tell_all(Message::Stop, outbox);
    }

    /// Begins the next file, or ends.
    fn begin_file(&mut self, outbox: &mut Outbox) {
        let Some(metric) = self.files.pop() else {
            let packed = std::mem::take(&mut self.packed);
            return self.end(Ok(packed), outbox);
        };
        let packers = [0, 1].map(|side| {
            let mut all = Seen::new();
            self.seen.iter().flatten().for_each(|sides| all.join(&sides[side].0));
            Packer::new(metric, &all)
        });
        self.packing = Some(Packing {
            metric,
            packers,
            side: 0,
            block: 0,
            cells: BTreeMap::new(),
            blocks: [Vec::new(), Vec::new()],
        });
        self.ask(outbox);
    }

    /// The units of a block.
    fn units(&self, metric: Metric, block: usize) -> std::ops::Range<u32> {
        let begin = block * block_size(metric);
        let end = self.share.size.min(begin + block_size(metric));
        (begin / UNIT) as u32..end.div_ceil(UNIT) as u32
    }

    fn ask(&self, outbox: &mut Outbox) {
        let Some(Packing { metric, side, block, .. }) = &self.packing else { return };
        for unit in self.units(*metric, *block) {
            let home = self.share.home(unit as usize * UNIT);
            outbox.send(home, Message::Want { side: *side as u8, unit });
        }
    }

    /// Cells of the block that is being packed.
    fn take(&mut self, side: u8, unit: u32, cells: Vec<u16>, outbox: &mut Outbox) {
        let Some(metric) = self.packing.as_ref().map(|packing| packing.metric) else { return };
        let blocks = self.share.size.div_ceil(block_size(metric));
        let block = self.packing.as_ref().map_or(0, |packing| packing.block);
        let units = self.units(metric, block);
        let Some(packing) = &mut self.packing else { return };
        if usize::from(side) != packing.side || !units.contains(&unit) {
            return;
        }
        packing.cells.insert(unit, cells);
        if packing.cells.len() < units.len() {
            return;
        }
        let cells = std::mem::take(&mut packing.cells);
        let packed = packing.packers[packing.side].pack(cells.values().flatten().copied());
        packing.blocks[packing.side].push(packed);
        packing.block += 1;
        if packing.block == blocks {
            (packing.side, packing.block) = (packing.side + 1, 0);
        }
        if packing.side < 2 {
            return self.ask(outbox);
        }
        self.end_file(outbox);
    }

    fn end_file(&mut self, outbox: &mut Outbox) {
        let Some(Packing { metric, packers, blocks, .. }) = self.packing.take() else { return };
        let [white, black] = &blocks;
        let sides: [Side; 2] = [packers[0].side(white), packers[1].side(black)];
        let header = Header { ending: self.layout.ending.clone(), metric, sides };
        self.packed.push((header, blocks.concat()));
        self.begin_file(outbox);
    }
}
