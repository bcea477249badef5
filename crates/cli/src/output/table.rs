//! Plain tables.

use std::io::{self, Write};

use super::printable_line;
use super::tabs::{self, Widths};

/// Prints rows of as many cells each, each cell on one line.
pub(crate) fn print(rows: &[Vec<String>], out: &mut (dyn Write + Send)) -> io::Result<()> {
    let cells = |row: &Vec<String>| row.iter().map(|cell| printable_line(cell).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    out.write_all(tabs::align(&rows, Widths::TABLE, None).as_bytes())
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
