//! Objects as the server holds them, and what everything above may use: the lowest layer but for the store.

mod client_config;
mod clock;
mod info;
mod selectors;
mod stored;

pub(crate) use client_config::{ClientConfig, ServiceRef};
pub(crate) use clock::Clock;
pub(crate) use info::{Info, SubInfo};
pub(crate) use selectors::label_selector;
pub(crate) use stored::{Stored, typed};

use client_rs_machinery::{ApiError, ErrorStatus, Str};

/// An error that is only a sentence, as the real server gives where no reason fits.
pub(crate) fn internal(message: impl Into<Str>) -> ApiError {
    ApiError::new(ErrorStatus { code: 500, message: message.into(), ..ErrorStatus::default() })
}
