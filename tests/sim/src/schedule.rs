//! How the steps of a history are chosen.

/// The way in which steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// By weight.
    Random,
    /// By priorities of the actors that change at a few random places: finds orders that need few preemptions.
    Pct,
    /// All steps up to a depth.
    Exhaustive,
}
