//! Points in time and spans of time, in the forms of the Kubernetes API.
//!
//! [`Time`] has second precision on the wire, [`MicroTime`] has microsecond precision. Both keep nanoseconds in
//! memory, hold any instant of the years 1 to 9999, and are 16 bytes, also inside an `Option`. [`Duration`] is a
//! signed count of nanoseconds, written in Go's notation (`1h30m0.5s`).
//!
//! Parsing and printing are written by hand: every object carries several times, and they lie on the decode path. The
//! cargo features `jiff` and `chrono` add conversions to and from the types of these crates.

mod age;
mod duration;
mod rfc3339;
mod stamp;
#[cfg(any(feature = "chrono", test))]
mod with_chrono;
#[cfg(any(feature = "jiff", test))]
mod with_jiff;

pub use age::age;
pub use duration::{Duration, DurationError};
pub use stamp::{MicroTime, Time, TimeError};
