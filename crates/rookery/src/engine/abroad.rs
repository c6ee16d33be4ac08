//! An engine among those of other processes: the first gives the orders, the others follow them.

use super::Engine;
use cluster::{Link, SearchOrder, Traffic};
use parallel::TableKind;
use parallel::threads::{ThreadReport, Uplink};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

impl Engine {
    /// Searches with the engines of other processes from now on.
    pub fn connect(&mut self, link: &Arc<Link>) -> Result<(), String> {
        self.link = Some(Arc::clone(link));
        // Others may have another idea of the size than we have.
        self.tell_others(&format!("hash {}", self.hash_mb()));
        self.tell_others(&format!("profile {}", self.profile()));
        self.tell_others("newgame");
        self.set_threads(self.threads())
    }

    /// How many processes search together.
    pub fn processes(&self) -> u32 {
        self.link.as_ref().map_or(1, |link| link.place().processes)
    }

    /// Shares the table with other processes in this way from now on, if there are any.
    pub fn set_cluster_table(&mut self, kind: TableKind) {
        self.settle();
        if let Some(link) = &self.link {
            link.share_table(kind);
        }
    }

    /// How the processes share their tables, and what all have sent so far; nothing where there is one.
    pub fn cluster_traffic(&self) -> Option<(TableKind, Traffic)> {
        let link = self.link.as_ref()?;
        Some((link.table(), link.traffic_of_all()))
    }

    /// Tells the others to do the same, if it is for us to say.
    pub(super) fn tell_others(&self, order: &str) {
        if let Some(link) = self.link.as_ref().filter(|link| link.is_first()) {
            link.order(order);
        }
    }

    /// Does as the first process says; what is not understood is an error.
    pub fn follow(&mut self, order: &str) -> Result<(), String> {
        let (word, value) = order.split_once(' ').unwrap_or((order, ""));
        match (word, value.parse::<u64>()) {
            ("hash", Ok(megabytes)) => self.resize(megabytes),
            ("clear", _) => {
                self.clear_table();
                Ok(())
            }
            ("newgame", _) => {
                self.new_game();
                Ok(())
            }
            ("profile", _) => self.set_profile(value.parse()?),
            _ => Err(format!("an order that nobody knows: {order:?}")),
        }
    }

    /// Takes part in a search of the first process; what each thread did.
    pub fn take_part(&mut self, order: &SearchOrder) -> Result<Vec<ThreadReport>, String> {
        self.set_threads(order.threads)?;
        self.set_strategy(order.strategy);
        let Engine { team, table, .. } = self;
        let Some(team) = team else { return Ok(Vec::new()) };
        let serve = AssertUnwindSafe(|| team.serve(table, order.root.clone(), order.grain));
        panic::catch_unwind(serve).map_err(|_| {
            self.new_game();
            format!("the search of {} failed: please report it", order.root.position.fen())
        })
    }
}
