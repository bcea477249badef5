//! Requests out, objects in.

mod client;
mod execute;
mod from_config;
mod gather;
mod list;
mod log;
mod pass_on;
mod policy;
mod progress;
mod response;
mod upgrade;
mod url_backoff;
mod watch;

pub use client::{RestClient, RestClientOptions};
pub use list::{ListItem, ListStream, Listed};
pub(crate) use policy::MAX_RETRY_AFTER;
pub use response::RawResponse;
pub(crate) use response::{api_error, content_type, failure, is_status};
pub(crate) use upgrade::Upgraded;
pub use url_backoff::UrlBackoff;
pub use watch::{BadEvent, DecodeOptions, Watch, WatchEnd};

#[cfg(test)]
mod tests;
