//! Names that an API server accepts.

/// A DNS label that begins with a letter: plural names, short names, versions.
pub(crate) fn label(text: &str) -> Result<(), String> {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.chars().all(inner);
    match (fits, text.len() <= 63) {
        (true, true) => Ok(()),
        (true, false) => Err(format!("{text:?} is longer than 63 characters")),
        (false, _) => Err(format!(
            "{text:?} is not a valid name: use lower-case letters, digits and '-', begin with a letter, and do not end with '-'"
        )),
    }
}

/// An API group: labels with dots between, at least one.
pub(crate) fn group(text: &str) -> Result<(), String> {
    if !text.contains('.') {
        return Err(format!("{text:?} is not an API group: use a domain of yours, such as \"example.com\""));
    }
    if text.len() > 253 {
        return Err(format!("{text:?} is longer than 253 characters"));
    }
    let part = |part: &str| {
        let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        part.len() <= 63
            && part.starts_with(edge)
            && part.ends_with(edge)
            && part.chars().all(|c| edge(c) || c == '-')
    };
    if text.split('.').all(part) {
        return Ok(());
    }
    Err(format!("{text:?} is not an API group: use lower-case letters, digits, '-' and '.'"))
}

/// Checks a kind: the name of a Rust type that a server accepts.
pub(crate) fn kind(text: &str) -> Result<(), String> {
    if !text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Err(format!("{text:?} is not a kind: begin with a capital letter"));
    }
    label(&text.to_lowercase())
        .map_err(|_| format!("{text:?} is not a kind: use letters and digits, at most 63"))
}

/// The usual plural of a kind.
pub(crate) fn plural(kind: &str) -> String {
    let word = kind.to_lowercase();
    let vowel = |at: usize| word.chars().rev().nth(at).is_some_and(|c| "aeiou".contains(c));
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    if word.ends_with('y') && !vowel(1) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    format!("{word}s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_server_takes() {
        assert!(label("widgets").is_ok() && label("v1beta1").is_ok() && label("a-b").is_ok());
        for bad in ["", "Widgets", "1a", "a_b", "a-", &"a".repeat(64)] {
            assert!(label(bad).is_err(), "{bad}");
        }
        assert!(group("example.com").is_ok() && group("1.example.com").is_ok());
        for bad in ["example", "Example.com", "a..b", "-a.b", &format!("{}.b", "a".repeat(64))] {
            assert!(group(bad).is_err(), "{bad}");
        }
        assert!(kind("Widget").is_ok() && kind("widget").is_err() && kind("Wid_get").is_err());
    }

    #[test]
    fn plurals() {
        for (kind, expected) in [
            ("Widget", "widgets"),
            ("Policy", "policies"),
            ("Gateway", "gateways"),
            ("Ingress", "ingresses"),
            ("Box", "boxes"),
            ("Mesh", "meshes"),
        ] {
            assert_eq!(plural(kind), expected);
        }
    }
}
