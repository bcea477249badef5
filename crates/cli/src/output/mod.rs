//! Objects as text: tables, JSON, YAML, names, and what a template picks.

mod custom_columns;
mod format;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod objects;
mod printable;
mod server_table;
pub(crate) mod sort;
pub(crate) mod table;
mod table_printer;
pub(crate) mod tabs;

pub(crate) use format::Format;
pub use printable::{Output, Printable};
pub(crate) use printable::{printable, printable_line};
pub(crate) use server_table::Table;
pub(crate) use table_printer::{TableOptions, TablePrinter, pairs};
