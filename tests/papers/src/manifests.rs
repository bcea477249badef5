//! The manifests of packages: what a registry shows of those that are published, and that no other one is.

use crate::{Repository, TextFile};

/// Our categories, as crates.io spells them. It refuses a package with more than five, and ignores unknown ones.
const CATEGORIES: [&str; 15] = [
    "api-bindings",
    "asynchronous",
    "authentication",
    "caching",
    "command-line-utilities",
    "concurrency",
    "data-structures",
    "development-tools",
    "development-tools::procedural-macro-helpers",
    "development-tools::testing",
    "encoding",
    "network-programming",
    "parser-implementations",
    "text-processing",
    "web-programming",
];

/// Fields that every published package takes from the workspace.
const INHERITED: [&str; 6] = ["edition", "include", "license", "repository", "rust-version", "version"];

/// Returns the problems of the packages of the repository.
pub fn problems(repository: &Repository) -> Vec<String> {
    let manifests = repository.files("", "Cargo.toml");
    manifests.iter().filter(|file| is_package(file)).flat_map(|file| of(repository, file)).collect()
}

fn is_package(file: &TextFile) -> bool {
    file.text.lines().any(|line| line == "[package]")
}

fn of(repository: &Repository, file: &TextFile) -> Vec<String> {
    let folder = file.path.trim_end_matches("/Cargo.toml");
    let published = folder.starts_with("crates/");
    if !published {
        let is_private = field(&file.text, "publish").as_deref() == Some("false");
        let problem = || format!("{}: a package outside of crates/ has `publish = false`", file.path);
        return if is_private { Vec::new() } else { vec![problem()] };
    }
    let mut problems = published_problems(&file.text);
    let read = |name: &str| {
        let path = format!("{folder}/{name}");
        repository.has(&path).then(|| repository.read(&path))
    };
    match read("README.md") {
        Some(readme) => problems.extend(readme_problems(&readme)),
        None => problems.push("there is no README.md".to_owned()),
    }
    if read("LICENSE").as_deref().map(str::trim) != Some(repository.read("LICENSE").trim()) {
        problems.push("there is no LICENSE that is the repository's: `ln -s ../../LICENSE`".to_owned());
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", file.path)).collect()
}

/// Returns the fields that a registry would miss in a manifest.
fn published_problems(manifest: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let name = field(manifest, "name").unwrap_or_default();
    if field(manifest, "publish").is_some() {
        problems.push("crates/ has what is published".to_owned());
    }
    if field(manifest, "description").is_none_or(|text| text.len() < 20) {
        problems.push("the description is missing or short".to_owned());
    }
    let documentation = format!("https://docs.rs/{name}");
    if field(manifest, "documentation").as_deref() != Some(&*documentation) {
        problems.push(format!("documentation = \"{documentation}\""));
    }
    let keywords = list(manifest, "keywords");
    let is_word = |word: &String| {
        word.len() <= 20 && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    if !(1..=5).contains(&keywords.len()) || !keywords.iter().all(is_word) {
        problems.push(format!("keywords are one to five words of at most 20 letters: {keywords:?}"));
    }
    let categories = list(manifest, "categories");
    if !(1..=5).contains(&categories.len()) {
        problems.push("categories are one to five".to_owned());
    }
    let unknown = categories.iter().filter(|category| !CATEGORIES.contains(&category.as_str()));
    problems.extend(unknown.map(|category| format!("{category} is not one of our categories")));
    let missing = INHERITED.iter().filter(|name| field(manifest, &format!("{name}.workspace")).is_none());
    problems.extend(missing.map(|name| format!("{name}.workspace = true")));
    problems
}

fn readme_problems(readme: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = readme.lines().count();
    if !(15..=30).contains(&lines) {
        problems.push(format!("README.md has {lines} lines; 15 to 30 say what it is and when to use it"));
    }
    for link in ["https://docs.rs/client-rs", "https://github.com/client-rs/client-rs"] {
        if !readme.contains(link) {
            problems.push(format!("README.md has no link to {link}"));
        }
    }
    // On the registry's page there is nothing for it to lead to.
    if readme.split("](").skip(1).any(|rest| !rest.starts_with("https://")) {
        problems.push("README.md has a link without https://".to_owned());
    }
    problems
}

/// A field of `[package]`, without its quotes.
fn field(manifest: &str, name: &str) -> Option<String> {
    let section = manifest.split("[package]\n").nth(1)?.split("\n[").next()?;
    let value = section.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// A list of texts in one line.
fn list(manifest: &str, name: &str) -> Vec<String> {
    let value = field(manifest, name).unwrap_or_default();
    let items = value.trim_start_matches('[').trim_end_matches(']').split(',');
    items.map(|item| item.trim().trim_matches('"').to_owned()).filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[package]\nname = \"x\"\ndescription = \"Something that is of use\"\nversion.workspace = true\n\
        edition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\nrepository.workspace = true\n\
        documentation = \"https://docs.rs/x\"\nkeywords = [\"a\", \"b-c\"]\ncategories = [\"caching\"]\n\
        include.workspace = true\n\n[dependencies]\nname = \"y\"\n";

    #[test]
    fn a_complete_manifest_has_no_problems() {
        assert_eq!(published_problems(GOOD), Vec::<String>::new());
    }

    #[test]
    fn missing_parts_are_reported() {
        let without = GOOD.replace("keywords = [\"a\", \"b-c\"]\n", "").replace("caching", "cashing");
        let without = without.replace("include.workspace = true\n", "publish = false\n");
        assert_eq!(
            published_problems(&without),
            [
                "crates/ has what is published",
                "keywords are one to five words of at most 20 letters: []",
                "cashing is not one of our categories",
                "include.workspace = true",
            ]
        );
    }

    #[test]
    fn a_readme_leads_to_the_documentation() {
        let readme = format!(
            "# x\n{}[a](https://docs.rs/client-rs)\n[b](https://github.com/client-rs/client-rs)\n",
            "\n".repeat(14)
        );
        assert_eq!(readme_problems(&readme), Vec::<String>::new());
        assert_eq!(readme_problems("[a](docs/x.md)\n").len(), 4);
    }
}
