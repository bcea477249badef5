//! Unknown arguments of attributes, with a suggestion.

use syn::meta::ParseNestedMeta;

/// The error for an argument that is not one of `words`. It suggests the most similar one, or lists all.
pub(crate) fn word(meta: &ParseNestedMeta<'_>, of: &str, words: &[&str]) -> syn::Error {
    let given = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
    meta.error(message(&given, of, words))
}

fn message(given: &str, of: &str, words: &[&str]) -> String {
    match nearest(given, words) {
        Some(meant) => format!("{of} has no `{given}`; did you mean `{meant}`?"),
        None => format!("{of} has no `{given}`; it has `{}`", words.join("`, `")),
    }
}

fn nearest<'w>(given: &str, words: &[&'w str]) -> Option<&'w str> {
    let distances = words.iter().map(|word| (distance(given, word), *word));
    let (distance, word) = distances.min()?;
    // A third of the letters may differ.
    (distance * 3 <= word.len()).then_some(word)
}

/// The number of letters to change, add or remove.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_was_meant_or_all_there_is() {
        let words = ["minimum", "maximum", "min_length"];
        for (given, meant) in [("minimun", "minimum"), ("maxmum", "maximum"), ("minLength", "min_length")] {
            assert_eq!(
                message(given, "a schema", &words),
                format!("a schema has no `{given}`; did you mean `{meant}`?")
            );
        }
        assert_eq!(
            message("colour", "a schema", &words),
            "a schema has no `colour`; it has `minimum`, `maximum`, `min_length`"
        );
        assert_eq!((distance("", "abc"), distance("abc", "abc"), distance("abc", "axcd")), (3, 0, 2));
    }
}
