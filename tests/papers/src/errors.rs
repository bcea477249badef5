//! Error types whose text repeats their source.

use crate::TextFile;

/// Finds error types whose text is not `transparent` and that have a source as well: the text already contains the
/// cause, so a printed chain contains it twice. A `ServerAnswer` is fine: its text differs.
pub fn said_twice(file: &TextFile) -> Vec<String> {
    let text = file.text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut parts = text.split("#[error(");
    let mut line = parts.next().map_or(1, lines);
    let mut problems = Vec::new();
    for part in parts {
        let body = part.split("\n}\n").next().unwrap_or_default();
        let has_source = body.contains("#[source]") || body.contains("#[from]") || has_source_field(body);
        if has_source && !part.starts_with("transparent") && !body.contains("ServerAnswer") {
            problems
                .push(format!("{}:{line}: the text has the cause, so that it is not a source", file.path));
        }
        line += lines(part) - 1;
    }
    problems
}

fn lines(text: &str) -> usize {
    text.matches('\n').count() + 1
}

/// A field of this name is a source without an attribute.
fn has_source_field(body: &str) -> bool {
    body.lines()
        .map(str::trim_start)
        .any(|line| line.starts_with("source: ") || line.starts_with("pub source: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_sources_of_errors_whose_text_has_the_cause() {
        let text = "
#[derive(thiserror::Error)]
enum E {
    #[error(transparent)]
    Fine(#[from] io::Error),
    #[error(\"a: {0}\")]
    AlsoFine(io::Error),
    #[error(\"{}\", .0.0)]
    Answer(#[source] ServerAnswer),
    #[error(\"b: {0}\")]
    Bad(#[from] io::Error),
    #[error(\"c\")]
    Field {
        source: io::Error,
    },
}
";
        let file = TextFile { path: "a.rs".to_owned(), text: text.to_owned() };
        let found: Vec<_> = said_twice(&file).iter().map(|problem| problem[..7].to_owned()).collect();
        assert_eq!(found, ["a.rs:10", "a.rs:12"]);
    }
}
