//! Ways of searching in parallel, written without I/O, and the machines that carry them.
//!
//! A [`Strategy`] decides who searches which child when. It is a state machine: messages, finished tasks
//! and timeouts go in, [`Action`]s come out. It reads no clock and draws chance from a seed, so that the
//! same code runs on threads, on hosts, and in virtual time. What it steers is a walk over the one
//! node's phases, which it sees as a [`search::walk::Walker`].
//!
//! [`sim`] is the machine in virtual time: any number of processors on a network of choice, the same
//! trace for the same seed, and faults on request. [`threads`] is the machine of real ones. What a processor
//! does on both stands in `processor.rs`.

/// An enum whose values users name.
macro_rules! named {
    ($(#[$about:meta])* $type:ident, $what:literal { $($(#[$meaning:meta])* $value:ident $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type {
            $($(#[$meaning])* $value,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$value),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                $type::ALL.into_iter().find(|value| value.name() == text).ok_or_else(|| {
                    let names = $type::ALL.map($type::name).join(", ");
                    format!("no {} is called {text:?}; there are {names}", $what)
                })
            }
        }
    };
}

pub mod accounting;
mod chance;
mod dewey;
mod message;
mod processor;
mod sharing;
pub mod sim;
pub mod strategy;
pub mod threads;
pub mod timeline;
pub mod wire;

pub use chance::Chance;
pub use dewey::Dewey;
pub use message::{Member, Message, Peer, StateResult, Time};
pub use search::walk::{RootSearch, TaskId};
pub use sharing::{TableKind, TableSettings};
pub use strategy::{Action, Answer, Context, Strategy, StrategyKind};
