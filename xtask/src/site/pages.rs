//! The reference pages: documents outside of the guide.

/// The configuration of their book.
pub(super) const BOOK: &str = r#"[book]
title = "client-rs reference"
language = "en"
src = "."

[output.html]
git-repository-url = "https://github.com/client-rs/client-rs"

[output.html.playground]
runnable = false
"#;

/// In the order of the book.
pub(super) const PAGES: [&str; 8] = [
    "docs/benchmarks.md",
    "docs/differences-from-client-go.md",
    "docs/krs.md",
    "docs/examples.md",
    "docs/fidelity.md",
    "docs/support.md",
    "docs/upgrading.md",
    "CHANGELOG.md",
];

/// The folders of their pictures, in `docs`.
pub(super) const PICTURES: [&str; 1] = ["benchmarks"];

const FORGE: &str = "https://github.com/client-rs/client-rs/blob/main/";

/// The name of a page in the book.
pub(super) fn name(page: &str) -> &str {
    page.rsplit('/').next().unwrap_or(page)
}

/// The page with links that work on the site.
pub(super) fn rewritten(text: &str, page: &str) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        rewritten.push_str(before);
        rewritten.push_str("](");
        let Some((target, after)) = after.split_once(')') else {
            rest = after;
            break;
        };
        rewritten.push_str(&moved(target, page));
        rewritten.push(')');
        rest = after;
    }
    rewritten.push_str(rest);
    rewritten
}

/// The target of a link, seen from the site.
fn moved(target: &str, page: &str) -> String {
    if target.contains("://") || target.starts_with('#') {
        return target.to_owned();
    }
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, format!("#{anchor}")),
        None => (target, String::new()),
    };
    let full = from_root(page, path);
    if PAGES.contains(&full.as_str()) {
        return format!("{}{anchor}", name(&full));
    }
    if let Some(chapter) = full.strip_prefix("docs/guide/").and_then(|chapter| chapter.strip_suffix(".md")) {
        let chapter = if chapter == "README" { "index" } else { chapter };
        return format!("../guide/{chapter}.html{anchor}");
    }
    let picture = full
        .strip_prefix("docs/")
        .filter(|rest| rest.split_once('/').is_some_and(|(folder, _)| PICTURES.contains(&folder)));
    match picture {
        Some(picture) => picture.to_owned(),
        None => format!("{FORGE}{full}{anchor}"),
    }
}

/// A relative path, seen from a file, as one from the root of the repository.
fn from_root(file: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_site_or_to_the_forge() {
        let page = "docs/support.md";
        for (target, expected) in [
            ("krs.md", "krs.md"),
            ("benchmarks.md#informer", "benchmarks.md#informer"),
            ("../CHANGELOG.md", "CHANGELOG.md"),
            ("guide/security.md#run-it", "../guide/security.html#run-it"),
            ("guide/README.md", "../guide/index.html"),
            ("benchmarks/informer.svg", "benchmarks/informer.svg"),
            ("design/http.md", "https://github.com/client-rs/client-rs/blob/main/docs/design/http.md"),
            ("../SECURITY.md", "https://github.com/client-rs/client-rs/blob/main/SECURITY.md"),
            ("https://example.com/a#b", "https://example.com/a#b"),
            ("#here", "#here"),
        ] {
            assert_eq!(rewritten(&format!("a [b]({target}) c"), page), format!("a [b]({expected}) c"));
        }
        assert_eq!(rewritten("no link, [one](krs.md), broken](", page), "no link, [one](krs.md), broken](");
    }
}
