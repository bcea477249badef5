//! JSON text: a borrowing reader, a writer, and the drivers for [`Message`](super::Message)s.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;
