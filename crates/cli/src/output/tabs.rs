//! Columns that are as wide as they need to be: Go's `tabwriter`.

/// How wide columns are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    /// The least width of a column, its padding included.
    pub(crate) least: usize,
    /// Between a cell and the next column.
    pub(crate) padding: usize,
}

impl Widths {
    /// Those of tables.
    pub(crate) const TABLE: Self = Self { least: 6, padding: 3 };
    /// Those of descriptions.
    pub(crate) const DESCRIPTION: Self = Self { least: 0, padding: 2 };
}

/// Lines of cells, aligned. The last cell of a line is not padded and makes no column. A column is a run of lines that have
/// it; it ends with a line that does not.
///
/// `remembered` are the widths of earlier lines, below which no column falls.
pub(crate) fn align(lines: &[Vec<String>], widths: Widths, remembered: Option<&mut Vec<usize>>) -> String {
    let mut writer = Writer { lines, widths, remembered, stack: Vec::new(), out: String::new() };
    writer.format(0, lines.len());
    writer.out
}

struct Writer<'l> {
    lines: &'l [Vec<String>],
    widths: Widths,
    remembered: Option<&'l mut Vec<usize>>,
    /// The widths of the columns that the current lines have.
    stack: Vec<usize>,
    out: String,
}

impl Writer<'_> {
    fn format(&mut self, from: usize, to: usize) {
        let column = self.stack.len();
        let has_column = |lines: &[Vec<String>], at: usize| column + 1 < lines[at].len();
        let mut written = from;
        let mut at = from;
        while at < to {
            if !has_column(self.lines, at) {
                at += 1;
                continue;
            }
            self.write(written, at);
            let begin = at;
            let mut width = self.widths.least;
            while at < to && has_column(self.lines, at) {
                width = width.max(self.lines[at][column].chars().count() + self.widths.padding);
                at += 1;
            }
            if let Some(remembered) = &mut self.remembered {
                if remembered.len() <= column {
                    remembered.resize(column + 1, 0);
                }
                width = width.max(remembered[column]);
                remembered[column] = width;
            }
            self.stack.push(width);
            self.format(begin, at);
            self.stack.pop();
            written = at;
        }
        self.write(written, to);
    }

    fn write(&mut self, from: usize, to: usize) {
        for line in &self.lines[from..to] {
            for (at, cell) in line.iter().enumerate() {
                self.out.push_str(cell);
                if let Some(width) = self.stack.get(at) {
                    let missing = width.saturating_sub(cell.chars().count());
                    self.out.extend(std::iter::repeat_n(' ', missing));
                }
            }
            self.out.push('\n');
        }
    }
}

/// A text whose cells are divided by tabs, aligned as a description.
pub(crate) fn description(text: &str) -> String {
    let lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    align(&lines, Widths::DESCRIPTION, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_ends_with_a_line_that_does_not_have_it() {
        let text =
            "Name:\tweb\nLabels:\ta=b\n\tc=d\nConditions:\n  Type\tStatus\n  Ready\tTrue\nEvents:\t<none>\n";
        let expected = "Name:    web\nLabels:  a=b\n         c=d\nConditions:\n  Type   Status\n  Ready  True\nEvents:  <none>\n";
        assert_eq!(description(text), expected);
    }

    #[test]
    fn widths_are_remembered_between_pages() {
        let mut widths = Vec::new();
        let line = |cells: [&str; 2]| vec![cells.map(str::to_owned).to_vec()];
        assert_eq!(align(&line(["abcdefgh", "x"]), Widths::TABLE, Some(&mut widths)), "abcdefgh   x\n");
        assert_eq!(align(&line(["a", "ü"]), Widths::TABLE, Some(&mut widths)), "a          ü\n");
        assert_eq!(align(&line(["", "y"]), Widths::TABLE, None), "      y\n");
    }
}
