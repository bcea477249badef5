//! For tests: the arguments of a command, from its words.

use clap::Parser;

#[derive(Parser)]
struct Cli<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

/// Parses the arguments of a command.
pub(super) fn try_parsed<A: clap::Args>(words: &[&str]) -> Result<A, clap::Error> {
    Ok(Cli::try_parse_from([&["krs"], words].concat())?.args)
}

/// The same, of words that are right.
pub(super) fn parsed<A: clap::Args>(words: &[&str]) -> A {
    try_parsed(words).unwrap_or_else(|error| panic!("{error}"))
}
