//! `cargo xtask picture`: the demo's output as the picture that README.md shows.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::{self, cargo};

/// Record the demo as docs/demo.svg.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Lines of informers and queues that the picture shows in a row. The rest of such a row becomes one line with their number.
const IN_A_ROW: usize = 4;

/// Characters per line.
const WIDTH: usize = 104;

pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    let command = ["run", "--quiet", "--locked", "--package", "client-rs-demo"];
    let output = cargo().args(command).output().context("can't run the demo")?;
    ensure!(output.status.success(), "the demo failed: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).context("the demo's output is not UTF-8")?;
    let path = workspace::root().join("docs/demo.svg");
    std::fs::write(&path, svg(&shortened(&text)))
        .with_context(|| format!("can't write {}", path.display()))?;
    println!("{} shows {} lines of the demo", path.display(), text.lines().count());
    Ok(ExitCode::SUCCESS)
}

/// The speaker of a line: `you` in `  0.09s  you  create …`. Lines of the summary have none.
fn speaker(line: &str) -> Option<&str> {
    let (time, rest) = line.trim_start().split_once("s  ")?;
    time.parse::<f64>().ok()?;
    rest.split_whitespace().next()
}

/// The lines, with long rows of informers and queues shortened.
fn shortened(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut row, mut hidden) = (0, 0);
    let end_of_row = |lines: &mut Vec<String>, hidden: &mut usize| {
        if *hidden > 0 {
            lines.push(format!("{:21}… {hidden} more lines", ""));
            *hidden = 0;
        }
    };
    for line in text.lines() {
        if matches!(speaker(line), Some("informer" | "queue")) {
            row += 1;
            if row > IN_A_ROW {
                hidden += 1;
                continue;
            }
        } else {
            end_of_row(&mut lines, &mut hidden);
            row = 0;
        }
        lines.push(cut(line));
    }
    end_of_row(&mut lines, &mut hidden);
    lines
}

fn cut(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    line.chars().take(WIDTH - 1).chain(['…']).collect()
}

/// A terminal with these lines. Its colours have the same contrast on light and dark pages, because the background is its own.
fn svg(lines: &[String]) -> String {
    const LINE: usize = 18;
    let (width, height) = (WIDTH * 8 + 32, (lines.len() + 2) * LINE + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <title>krs demo, recorded</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#161b22\"/>\n"
    );
    let mut add = |number: usize, colour: &str, text: &str| {
        let y = 28 + number * LINE;
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ =
            writeln!(svg, "<text x=\"16\" y=\"{y}\" fill=\"{colour}\" xml:space=\"preserve\">{text}</text>");
    };
    add(0, "#e6edf3", "$ krs demo");
    for (number, line) in lines.iter().enumerate() {
        let colour = match speaker(line) {
            Some("you") => "#ffffff",
            Some("informer") => "#56d4dd",
            Some("queue") => "#e3b341",
            Some("reconcile") => "#56d364",
            _ if line.trim_start().starts_with("yes ") => "#56d364",
            _ => "#9da7b3",
        };
        add(number + 1, colour, line);
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_informers_and_queues_are_shortened_and_nothing_else() {
        let text = "   0.01s  you        begin\n   0.02s  informer   a\n   0.02s  queue      b\n   0.02s  informer   c\n   0.02s  informer   d\n\
                    \x20  0.02s  informer   e\n   0.03s  queue      f\n   0.04s  reconcile  g\n\n  yes  it holds\n";
        let lines = shortened(text);
        let ends: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        assert_eq!(
            ends,
            [
                "0.01s  you        begin",
                "0.02s  informer   a",
                "0.02s  queue      b",
                "0.02s  informer   c",
                "0.02s  informer   d",
                "… 2 more lines",
                "0.04s  reconcile  g",
                "",
                "yes  it holds"
            ]
        );
    }

    #[test]
    fn text_is_escaped_and_long_lines_are_cut() {
        let long = "x".repeat(200);
        let picture = svg(&shortened(&format!("<a & b>\n{long}\n")));
        assert!(picture.contains("&lt;a &amp; b&gt;") && !picture.contains(&long));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
