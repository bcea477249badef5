//! Tables as `kubectl get` prints them.

use std::io::{self, Write};

use client_rs_machinery::{GroupKind, Json};

use super::server_table::{Column, Row, Table, cell_text};
use super::tabs::{self, Widths};
use super::{printable, printable_line};

/// The parts of a table to print.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct TableOptions {
    pub(crate) no_headers: bool,
    pub(crate) wide: bool,
    pub(crate) with_namespace: bool,
    /// Names are printed with this before them: `pod/web`.
    pub(crate) with_kind: Option<GroupKind>,
    pub(crate) show_labels: bool,
    /// Labels that have a column of their own.
    pub(crate) label_columns: Vec<String>,
}

/// So many rows of a table are aligned together.
const TOGETHER: usize = 100;

/// Prints the tables of one resource, one after the other: headers stand above the first only, and columns do not become
/// narrower.
#[derive(Debug, Default)]
pub(crate) struct TablePrinter {
    options: TableOptions,
    columns: Vec<Column>,
    printed_headers: bool,
    widths: Vec<usize>,
    /// Rows that are not printed yet.
    lines: Vec<Vec<String>>,
}

impl TablePrinter {
    pub(crate) fn new(options: TableOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Adds a table; one without rows is ignored. `event` is the type of change, for its own column.
    ///
    /// Some of it may be printed; the rest is when [`flush`](Self::flush) is called.
    pub(crate) fn add(
        &mut self,
        table: &Table,
        event: Option<&str>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let same = table.columns.is_empty() || table.columns == self.columns;
        let headers = !(self.options.no_headers || (self.printed_headers && same));
        if !same {
            self.columns.clone_from(&table.columns);
            self.printed_headers = false;
        }
        if table.rows.is_empty() {
            return Ok(());
        }
        self.printed_headers = true;
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|&at| self.options.wide || !self.columns[at].is_wide).collect();
        let cells: Vec<Vec<String>> = table.rows.iter().map(|row| self.cells(row, &shown, event)).collect();
        // The width of a column is the number of bytes of its longest cell, even if the line is cut. The first line sets it.
        let columns = cells.first().map_or(0, Vec::len);
        let widest =
            |at: usize| cells.iter().filter_map(|row| row.get(at)).map(String::len).max().unwrap_or(0);
        let mut first: Vec<usize> = (0..columns.saturating_sub(1)).map(widest).collect();
        if headers {
            self.lines.push(padded(self.headers(&shown, event), &std::mem::take(&mut first)));
        }
        for (at, row) in cells.iter().enumerate() {
            let row: Vec<String> = row.iter().map(|cell| one_line(cell)).collect();
            self.lines.push(padded(row, &std::mem::take(&mut first)));
            if (at + 1) % TOGETHER == 0 {
                self.flush(out)?;
            }
        }
        Ok(())
    }

    /// Prints the buffered rows.
    pub(crate) fn flush(&mut self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let lines = std::mem::take(&mut self.lines);
        out.write_all(tabs::align(&lines, Widths::TABLE, Some(&mut self.widths)).as_bytes())
    }

    /// [`add`](Self::add), and all of it is printed.
    pub(crate) fn print(
        &mut self,
        table: &Table,
        event: Option<&str>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        self.add(table, event, out)?;
        self.flush(out)
    }

    fn headers(&self, shown: &[usize], event: Option<&str>) -> Vec<String> {
        let mut headers = Vec::new();
        headers.extend(event.map(|_| "EVENT".to_owned()));
        if self.options.with_namespace {
            headers.push("NAMESPACE".to_owned());
        }
        let name = |&at: &usize| printable_line(&self.columns[at].name.to_uppercase()).into_owned();
        headers.extend(shown.iter().map(name));
        let last = |label: &String| label.rsplit('/').next().unwrap_or_default().to_uppercase();
        headers.extend(self.options.label_columns.iter().map(last));
        if self.options.show_labels {
            headers.push("LABELS".to_owned());
        }
        headers
    }

    fn cells(&self, row: &Row, shown: &[usize], event: Option<&str>) -> Vec<String> {
        let mut cells = Vec::new();
        cells.extend(event.map(|event| format!("{event:<8}")));
        let metadata = &row.object["metadata"];
        if self.options.with_namespace {
            cells.push(metadata["namespace"].as_str().unwrap_or_default().to_owned());
        }
        let named = self.columns.iter().position(|column| column.is_name);
        for &at in shown {
            let cell = row.cells.get(at).map(cell_text).unwrap_or_default();
            cells.push(match &self.options.with_kind {
                Some(kind) if named == Some(at) => format!("{}/{cell}", kind.to_string().to_lowercase()),
                _ => cell,
            });
        }
        let labels = &metadata["labels"];
        let label = |name: &String| labels[name.as_str()].as_str().unwrap_or_default().to_owned();
        cells.extend(self.options.label_columns.iter().map(label));
        if self.options.show_labels {
            cells.push(pairs(labels));
        }
        cells
    }
}

/// Labels as `a=b,c=d`, or `<none>`.
pub(crate) fn pairs(labels: &Json) -> String {
    let pairs: Vec<String> = labels
        .as_map()
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    if pairs.is_empty() { "<none>".to_owned() } else { pairs.join(",") }
}

/// Cells that have at least these widths.
fn padded(mut cells: Vec<String>, widths: &[usize]) -> Vec<String> {
    for (cell, width) in cells.iter_mut().zip(widths) {
        let missing = width.saturating_sub(cell.len());
        cell.extend(std::iter::repeat_n(' ', missing));
    }
    cells
}

/// The first line, and nothing that a terminal would take for an order.
fn one_line(cell: &str) -> String {
    let (cell, cut) = match cell.find(['\u{c}', '\n', '\r']) {
        Some(at) => (&cell[..at], "..."),
        None => (cell, ""),
    };
    format!("{}{cut}", printable(cell))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn table(rows: &[(&str, &str)]) -> Table {
        let column = |name: &str, is_name, is_wide| Column { name: name.to_owned(), is_name, is_wide };
        let row = |(name, status): &(&str, &str)| Row {
            cells: vec![(*name).into(), (*status).into(), 5.into()],
            object: json!({"metadata": {"namespace": "ns", "labels": {"a/app": *name, "b": "c"}}}),
        };
        Table {
            columns: vec![
                column("Name", true, false),
                column("Status", false, false),
                column("Hidden", false, true),
            ],
            rows: rows.iter().map(row).collect(),
            ..Table::default()
        }
    }

    fn printed(options: TableOptions, tables: &[Table]) -> String {
        let (mut printer, mut out) = (TablePrinter::new(options), Vec::new());
        for table in tables {
            printer.add(table, None, &mut out).unwrap();
        }
        printer.flush(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn headers_stand_once_and_columns_keep_their_width() {
        let pages = [table(&[("name", "Ready")]), table(&[("longer-name", "No\nmore")]), table(&[])];
        let expected = "NAME          STATUS\nname          Ready\nlonger-name   No...\n";
        assert_eq!(printed(TableOptions::default(), &pages), expected);
        let (mut printer, mut out) = (TablePrinter::default(), Vec::new());
        printer.print(&pages[0], None, &mut out).unwrap();
        printer.print(&pages[1], None, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "NAME   STATUS\nname   Ready\nlonger-name   No...\n");
        let options = TableOptions { no_headers: true, ..TableOptions::default() };
        assert_eq!(printed(options, &pages[..1]), "name   Ready\n");
        assert_eq!(printed(TableOptions::default(), &pages[2..]), "");
    }

    #[test]
    fn columns_are_added_as_asked_for() {
        let options = TableOptions {
            wide: true,
            with_namespace: true,
            with_kind: Some(GroupKind::new("apps", "Deployment")),
            show_labels: true,
            label_columns: vec!["a/app".to_owned(), "none".to_owned()],
            ..TableOptions::default()
        };
        let expected = "NAMESPACE   NAME                STATUS   HIDDEN   APP   NONE   LABELS\n\
                        ns          deployment.apps/x   Ready    5        x            a/app=x,b=c\n";
        assert_eq!(printed(options, &[table(&[("x", "Ready")])]), expected);
    }

    #[test]
    fn an_event_stands_before_all() {
        let (mut printer, mut out) = (TablePrinter::default(), Vec::new());
        printer.print(&table(&[("x", "Ready")]), Some("ADDED"), &mut out).unwrap();
        printer.print(&table(&[("x", "Gone")]), Some("DELETED"), &mut out).unwrap();
        let expected = "EVENT      NAME   STATUS\nADDED      x      Ready\nDELETED    x      Gone\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
