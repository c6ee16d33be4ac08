//! The table as its users see it: policies, threads, sizes and files.

mod common;
mod concurrent;
mod files;
mod properties;
