//! Telling handlers.
mod notification;
mod pending;

pub use notification::Notification;
