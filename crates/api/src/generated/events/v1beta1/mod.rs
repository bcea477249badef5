// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/events/v1beta1`.

mod event;
mod event_list;
mod event_series;

pub use event::Event;
pub use event_list::EventList;
pub use event_series::EventSeries;
