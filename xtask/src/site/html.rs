//! The links of the built pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Returns how many pages were checked, and one line for each link that leads nowhere. Pages of rustdoc are targets only: rustdoc checks its own
/// links. Without them, links into `api` are not checked.
pub(super) fn problems(site: &Path, with_api: bool) -> Result<(usize, Vec<String>)> {
    let mut files = vec![site.join("index.html")];
    for book in ["guide", "reference"] {
        find(&site.join(book), &mut files)?;
    }
    let mut pages = BTreeMap::new();
    for file in files {
        let html =
            std::fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))?;
        pages.insert(file, html);
    }
    let mut problems = Vec::new();
    for (file, html) in &pages {
        let (own, shown) = (anchors(html), file.strip_prefix(site).unwrap_or(file).display());
        for link in links(html) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = target(file, path);
            if !with_api && target.starts_with(site.join("api")) {
                continue;
            }
            let found = if path.is_empty() {
                own.contains(anchor)
            } else if anchor.is_empty() {
                target.exists()
            } else {
                match pages.get(&target) {
                    Some(html) => anchors(html).contains(anchor),
                    None => {
                        std::fs::read_to_string(&target).is_ok_and(|html| anchors(&html).contains(anchor))
                    }
                }
            };
            if !found {
                problems.push(format!("{shown}: {link} leads nowhere"));
            }
        }
    }
    problems.sort();
    problems.dedup();
    Ok((pages.len(), problems))
}

/// The pages of a book, except those that repeat all others or have no place of their own.
fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "html")
            && !["print.html", "404.html", "toc.html"].iter().any(|other| name == *other)
        {
            found.push(path);
        }
    }
    Ok(())
}

/// The targets of links and pictures on the same site. `#` alone leads to the top.
fn links(html: &str) -> impl Iterator<Item = &str> {
    ["href=\"", "src=\""]
        .into_iter()
        .flat_map(move |attribute| html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()))
        .filter(|link| !link.contains("://") && !link.starts_with("mailto:") && !link.starts_with("data:"))
        .filter(|link| !link.is_empty() && *link != "#")
}

fn anchors(html: &str) -> BTreeSet<&str> {
    html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The file of a relative link. A folder means its index.
fn target(page: &Path, link: &str) -> PathBuf {
    let mut target = page.parent().unwrap_or(page).to_owned();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = target.pop(),
            part => target.push(part),
        }
    }
    if target.is_dir() { target.join("index.html") } else { target }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_without_a_target_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "index.html",
            r#"<a href="guide/">g</a> <a href="guide/a.html#top">a</a> <img src="gone.svg">"#,
        );
        let links = r##"<h1 id="top">A</h1> <a href="#top">t</a> <a href="#none">n</a> <a href="https://x.example/">x</a>"##;
        write("guide/a.html", links);
        write("guide/index.html", r#"<a href="b.html">b</a> <a href="../reference/c.html#no">c</a>"#);
        write("guide/print.html", r#"<a href="ignored.html">i</a>"#);
        write("reference/c.html", r#"<a href="../api/x/index.html">x</a>"#);
        let (pages, broken) = problems(folder.path(), false).unwrap();
        assert_eq!(pages, 4);
        assert_eq!(
            broken,
            [
                "guide/a.html: #none leads nowhere",
                "guide/index.html: ../reference/c.html#no leads nowhere",
                "guide/index.html: b.html leads nowhere",
                "index.html: gone.svg leads nowhere",
            ]
        );
        assert_eq!(problems(folder.path(), true).unwrap().1.len(), 5);
    }
}
