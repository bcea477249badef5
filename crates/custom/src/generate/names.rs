//! Rust names.

const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Whether a name is a Rust keyword, in use or reserved.
///
/// ```
/// use client_rs_custom::generate::is_keyword;
///
/// assert!(is_keyword("type") && is_keyword("yield"));
/// assert!(!is_keyword("kind"));
/// ```
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The words of a name: `podCIDRs` is `pod`, `cidrs`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        // A word begins at a capital after a lower-case letter, and at the last capital of a row: `URLPath`.
        let begins = letter.is_ascii_uppercase()
            && (before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit())
                || (before.is_some_and(|before| before.is_ascii_uppercase())
                    && after.is_some_and(char::is_ascii_lowercase)
                    && letters.get(at + 2).is_some_and(char::is_ascii_lowercase)));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter.to_ascii_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The name of a field.
pub(crate) fn field(name: &str) -> String {
    let name = words(name).join("_");
    match name.as_str() {
        "" => "field".to_owned(),
        "self" | "super" | "crate" => format!("{name}_"),
        word if is_keyword(word) => format!("r#{word}"),
        word if word.starts_with(|c: char| c.is_ascii_digit()) => format!("_{word}"),
        _ => name,
    }
}

/// The name of a module or a method, joined from several parts.
pub(crate) fn joined(parts: &[&str]) -> String {
    field(&parts.join("-"))
}

/// The name of a type.
pub(crate) fn type_name(name: &str) -> String {
    let mut out = String::new();
    for word in words(name) {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("T{out}") } else { out }
}

/// The JSON name of a field according to serde's `camelCase`.
pub(crate) fn camel(field: &str) -> String {
    let mut out = String::new();
    for (at, word) in field.trim_start_matches("r#").split('_').enumerate() {
        let mut letters = word.chars();
        if at > 0 {
            out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        }
        out.push_str(letters.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_rusts_conventions() {
        for (name, expected) in [
            ("replicas", "replicas"),
            ("minReadySeconds", "min_ready_seconds"),
            ("clusterIP", "cluster_ip"),
            ("podCIDRs", "pod_cidrs"),
            ("tlsURLPath", "tls_url_path"),
            ("type", "r#type"),
            ("self", "self_"),
            ("a-b.c", "a_b_c"),
            ("2fa", "_2fa"),
            ("$ref", "r#ref"),
        ] {
            assert_eq!(field(name), expected);
        }
        assert_eq!(
            (type_name("httpRoute").as_str(), type_name("parentRefs").as_str()),
            ("HttpRoute", "ParentRefs")
        );
        assert_eq!(
            (camel("min_ready_seconds").as_str(), camel("r#type").as_str()),
            ("minReadySeconds", "type")
        );
    }
}
