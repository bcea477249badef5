//! Tables as kubectl prints them.

use std::io::{self, Write};

/// The least width of a column but the last, its padding included.
const LEAST: usize = 6;
/// Between a column's widest cell and the next column.
const PADDING: usize = 3;

/// Prints rows of as many cells each. Every column but the last is as wide as its widest cell, and padded.
pub(crate) fn print(rows: &[Vec<String>], out: &mut (dyn Write + Send)) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let widest = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        (widest.unwrap_or(0) + PADDING).max(LEAST)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            if column + 1 == row.len() {
                write!(out, "{cell}")?;
            } else {
                write!(out, "{cell:<width$}", width = widths[column])?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded_but_the_last() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let mut out = Vec::new();
        print(&[row(["NAME", "A", "KIND"]), row(["bindings", "", "Ü"]), row(["ü", "b", ""])], &mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "NAME       A     KIND\nbindings         Ü\nü          b     \n");
        let mut out = Vec::new();
        print(&[], &mut out).unwrap();
        assert!(out.is_empty());
    }
}
