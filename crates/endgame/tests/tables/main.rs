//! Tables as a whole: built, read, compared.

mod common;
mod distributed;
mod files;
mod oracles;
mod three_men;
