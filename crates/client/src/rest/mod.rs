//! The REST client: sends requests and decodes responses.

mod body;
mod client;
mod deadline;
mod execute;
mod from_config;
mod gather;
mod last_applies;
mod list;
mod log;
mod pending_write;
mod policy;
mod response;
mod unchanged;
#[cfg(feature = "streams")]
mod upgrade;
mod url_backoff;
mod watch;

pub use client::{RestClient, RestClientOptions};
pub(crate) use execute::Answer;
pub use list::{ListItem, ListStream, Listed};
pub use response::RawResponse;
pub(crate) use response::{content_type, failure, is_status, is_success};
pub(crate) use unchanged::SendUnchanged;
#[cfg(feature = "streams")]
pub(crate) use upgrade::Upgraded;
pub use url_backoff::UrlBackoff;
pub use watch::{BadEvent, DecodeOptions, Watch, WatchEnd};

#[cfg(test)]
mod tests;
