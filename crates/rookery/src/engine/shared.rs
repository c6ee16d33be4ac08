//! An engine that searches together with those of other processes: the first gives commands, the others follow
//! them.

use super::{Engine, PROCESS_STRATEGY, touch};
use crate::hosts::ProcessCommand;
use crate::memory;
use cluster::{Link, SearchAssignment, Traffic};
use parallel::TableKind;
use parallel::threads::{ThreadReport, Uplink};
use search::Profile;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use table::AnyTable;

impl Engine {
    /// Searches with the engines of other processes from now on.
    pub fn connect(&mut self, link: &Arc<Link>) -> Result<(), String> {
        self.link = Some(Arc::clone(link));
        self.set_strategy(PROCESS_STRATEGY);
        if let Some(pool) = &mut self.pool {
            pool.connect(Some(Arc::clone(link) as _));
        }
        if link.is_first() {
            let (profile, hash_mb, table) = (self.profile(), self.hash_mb(), link.next_table());
            self.renew_table(profile, hash_mb, table)?;
            // Others may have another idea of the rules and the size than we have.
            self.tell_others(&ProcessCommand::Begin { profile, hash_mb, table });
        }
        self.set_threads(self.threads())
    }

    /// How many processes search together.
    pub fn processes(&self) -> u32 {
        self.link.as_ref().map_or(1, |link| link.place().processes)
    }

    /// Shares the table with other processes in this way from now on, if there are any.
    pub fn set_cluster_table(&mut self, kind: TableKind) -> Result<(), String> {
        self.settle();
        let Some(link) = self.link.clone() else { return Ok(()) };
        let before = link.table();
        link.share_table(kind);
        // One's own and one in common are different tables.
        match link.is_first() && (before == TableKind::Shared) != (kind == TableKind::Shared) {
            true => self.resize(self.hash_mb()),
            false => Ok(()),
        }
    }

    /// A number for the next table, the same for all processes.
    pub(super) fn next_table(&self) -> u32 {
        self.link.as_ref().map_or(0, |link| link.next_table())
    }

    /// Another table of this number; the old one stays where there is none to be had. A process that can borrow
    /// none, as the lender is lost or has made another one already, has its own until the next.
    pub(super) fn renew_table(
        &mut self,
        profile: Profile,
        hash_mb: u64,
        number: u32,
    ) -> Result<(), String> {
        // No thread may use the old table any more.
        self.table_alone()?;
        let borrows = self.link.as_ref().is_some_and(|link| link.borrows());
        let more = match &self.link {
            Some(_) if borrows => 0,
            // It is there, in huge pages, before the old one is let go.
            Some(link) if link.is_in_common() => hash_mb,
            _ => hash_mb.saturating_sub(self.hash_mb()),
        };
        memory::check_free(more)?;
        let policy = profile.policy();
        let table = match &self.link {
            Some(link) => link.make_table(policy, hash_mb, number),
            None => AnyTable::new(policy, hash_mb),
        };
        let table = match table {
            Err(_) if borrows => {
                memory::check_free(hash_mb)?;
                AnyTable::new(policy, hash_mb)
            }
            table => table,
        };
        self.table = Arc::new(table.map_err(|error| error.to_string())?);
        touch(&self.table, self.numa);
        Ok(())
    }

    /// Puts what was loaded from a file, into memory of its own, where the other processes of this host see
    /// it too.
    pub(super) fn share_loaded_table(&mut self) -> Result<(), String> {
        let Some(link) = self.link.clone() else { return Ok(()) };
        if !link.is_in_common() || !link.is_first() || self.table.is_in_common() {
            return Ok(());
        }
        let loaded = Arc::clone(&self.table);
        let (hash_mb, number) = (self.hash_mb(), link.next_table());
        let table = link.make_table(self.profile.policy(), hash_mb, number);
        let table = table.map_err(|error| error.to_string())?;
        table.copy_from(&loaded);
        self.table = Arc::new(table);
        self.tell_others(&ProcessCommand::Hash { hash_mb, table: number });
        Ok(())
    }

    /// How the processes share their tables, and what all have sent so far; nothing where there is one.
    pub fn cluster_traffic(&self) -> Option<(TableKind, Traffic)> {
        let link = self.link.as_ref()?;
        Some((link.table(), link.traffic_of_all()))
    }

    /// Tells the others to do the same, if it is for us to say.
    pub(super) fn tell_others(&self, command: &ProcessCommand) {
        if let Some(link) = self.link.as_ref().filter(|link| link.is_first()) {
            link.command(command);
        }
    }

    /// Does as the first process says; what is not for an engine is an error.
    pub fn follow(&mut self, command: ProcessCommand) -> Result<(), String> {
        match command {
            ProcessCommand::Hash { hash_mb, table } => return self.resize_with(hash_mb, table),
            ProcessCommand::Threads(count) => return self.set_threads(count),
            ProcessCommand::ClearTable => self.clear_table(),
            ProcessCommand::NewGame => self.new_game(),
            ProcessCommand::Profile { profile, table } => {
                return self.set_profile_with(profile, table);
            }
            ProcessCommand::Begin { profile, hash_mb, table } => {
                self.renew_table(profile, hash_mb, table)?;
                return self.change_rules(profile);
            }
            other => return Err(format!("no command for an engine: {other:?}")),
        }
        Ok(())
    }

    /// Takes part in a search of the first process; what each thread did.
    pub fn take_part(&mut self, search: &SearchAssignment) -> Result<Vec<ThreadReport>, String> {
        self.set_threads(search.threads)?;
        self.set_strategy(search.strategy);
        let Engine { pool, table, .. } = self;
        let Some(pool) = pool else { return Ok(Vec::new()) };
        let serve = AssertUnwindSafe(|| pool.serve(table, search.root.clone(), search.grain));
        panic::catch_unwind(serve).map_err(|_| {
            self.new_game();
            format!("the search of {} failed: please report it", search.root.position.fen())
        })
    }
}
