//! A recognizable secret, and a record of everything that is logged while it is in use.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::error::Error;
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Takes the place of a secret. Its length is a multiple of three, so that its base64 is a prefix of the base64 of
/// any text that begins with it.
pub(crate) const MARKER: &str = "hunter2hunter2x";
const IN_BASE64: &str = "aHVudGVyMmh1bnRlcjJ4";
const AS_BYTES: &str = "104, 117, 110, 116";

/// The marker in base64.
pub(crate) fn in_base64() -> String {
    IN_BASE64.to_owned()
}

/// Fails if a text shows the marker, in whatever form.
#[track_caller]
pub(crate) fn hidden(place: &str, shown: &str) {
    for form in [MARKER, IN_BASE64, AS_BYTES] {
        assert!(!shown.contains(form), "{place} shows a secret:\n{shown}");
    }
}

/// Fails if `Debug`, in either form, shows the marker.
#[track_caller]
pub(crate) fn debug_hides(place: &str, value: &dyn fmt::Debug) {
    hidden(place, &format!("{value:?}\n{value:#?}"));
}

/// Fails if an error, or one that it stems from, shows the marker.
#[track_caller]
pub(crate) fn error_hides(place: &str, error: &(dyn Error + 'static)) {
    debug_hides(place, &error);
    let mut next = Some(error);
    while let Some(error) = next {
        hidden(place, &format!("{error} {error:#} {error:?}"));
        next = error.source();
    }
}

/// Records every event and every span, with all their fields, at all levels.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<String>>);

impl Log {
    /// Returns the log so far.
    pub(crate) fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    /// Records everything that this thread logs until the guard is dropped.
    pub(crate) fn listen(&self) -> tracing::subscriber::DefaultGuard {
        tracing::subscriber::set_default(self.clone())
    }

    fn write(&self, metadata: &Metadata<'_>, record: impl FnOnce(&mut dyn Visit)) {
        let mut fields = Fields(format!("{} {}", metadata.level(), metadata.target()));
        record(&mut fields);
        let mut text = self.0.lock().unwrap();
        text.push_str(&fields.0);
        text.push('\n');
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        self.write(attributes.metadata(), |fields| attributes.record(fields));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, record: &Record<'_>) {
        let mut fields = Fields("later:".to_owned());
        record.record(&mut fields);
        let mut text = self.0.lock().unwrap();
        text.push_str(&fields.0);
        text.push('\n');
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.write(event.metadata(), |fields| event.record(fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
