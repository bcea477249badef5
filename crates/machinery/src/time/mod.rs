//! Points in time and spans of time as the Kubernetes API writes them.
//!
//! [`Time`] has second precision on the wire, [`MicroTime`] microsecond precision; both keep nanoseconds in
//! memory, hold any instant of the years 1 to 9999 and are 16 bytes, also inside an `Option`.
//! [`Duration`] is a signed count of nanoseconds, written as Go writes it (`1h30m0.5s`).
//!
//! Parsing and printing are written by hand: every object carries several times, and they lie on the decode path.
//! Conversions to and from the `jiff` and `chrono` crates exist behind the cargo features of these names.

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
