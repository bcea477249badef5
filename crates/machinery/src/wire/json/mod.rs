//! JSON text: a borrowing reader, a writer, and the drivers for [`Message`](super::Message)s.

mod block;
mod brackets;
mod reader;
mod scan;
mod swar;
mod writer;

pub use reader::Reader;
pub(crate) use scan::{Scan, Scanner};
pub use writer::Writer;
