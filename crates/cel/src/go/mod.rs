//! Texts parsed by the rules of Go's libraries, with Go's error messages. The real server's rules and schemas build
//! on these libraries, and clients see the messages.

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
