//! Texts as Go's libraries read them, with Go's words for what is wrong: the real server's rules and schemas are built on
//! them, and clients get to see the words.

mod address;
mod formats;
mod pattern;
mod url;

pub(crate) use address::{address, is_mapped, masked, network};
pub use formats::{is_base64, is_date, is_date_time, is_uuid};
pub use pattern::pattern;
pub(crate) use pattern::pattern_steps;
pub(crate) use url::url;
pub use url::{Url, request_uri};
