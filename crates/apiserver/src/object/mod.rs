//! Stored objects and basic types for all other layers. Only the store is below it.

mod client_config;
mod clock;
pub(crate) mod definitions;
mod info;
mod selectors;
mod stored;

pub(crate) use client_config::{ClientConfig, ServiceRef};
pub(crate) use clock::Clock;
pub(crate) use info::{Info, SubInfo};
pub(crate) use selectors::label_selector;
pub(crate) use stored::{Stored, typed};

use client_rs_machinery::{ApiError, ErrorStatus, Str};

/// An error with only a message, as the real server returns if no reason fits.
pub(crate) fn internal(message: impl Into<Str>) -> ApiError {
    ApiError::new(ErrorStatus { code: 500, message: message.into(), ..ErrorStatus::default() })
}
