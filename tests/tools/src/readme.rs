//! The command and the program that README.md begins with, for checks that do what a newcomer does.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Where a project takes the crates of this workspace from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A checkout.
    Checkout(&'a Path),
    /// A registry that has this version of them.
    Version(&'a str),
}

/// The text of a README.
#[derive(Clone, Debug)]
pub struct Readme {
    text: String,
}

impl Readme {
    /// That of this workspace.
    pub fn here() -> Result<Self> {
        let path = workspace::root().join("README.md");
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Self { text })
    }

    /// The words of the first `cargo run` that it shows.
    pub fn first_command(&self) -> Result<Vec<&str>> {
        let lines = self.blocks("sh").flat_map(str::lines).map(str::trim);
        let line = lines.map(without_comment).find(|line| line.starts_with("cargo run"));
        Ok(line.context("README.md shows no `cargo run`")?.split_whitespace().collect())
    }

    /// The program of the section "A controller".
    pub fn controller(&self) -> Result<&str> {
        let mut programs = self.blocks("rust");
        let controller = programs.find(|code| code.contains("fn main") && code.contains("Controller"));
        controller.context("README.md shows no program with a `Controller`")
    }

    /// The manifest of a project of this name with the dependencies that README.md shows for its controller.
    pub fn manifest(&self, name: &str, source: Source<'_>) -> Result<String> {
        let is_ours = |line: &str| line.trim_start().starts_with("client-rs");
        let block = self.blocks("toml").find(|block| block.lines().any(is_ours));
        let block = block.context("README.md shows no `[dependencies]` with client-rs")?;
        let mut manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n"
        );
        ensure!(block.contains("[dependencies]"), "README.md's dependencies have no `[dependencies]` line");
        for line in block.lines() {
            let line = if is_ours(line) { redirected(line, source)? } else { line.to_owned() };
            manifest.push_str(&line);
            manifest.push('\n');
        }
        Ok(manifest)
    }

    /// The code blocks of a language, in order.
    fn blocks<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a str> {
        let mut parts = self.text.split("```");
        let _ = parts.next();
        // Every other part is inside of a block.
        let blocks = std::iter::from_fn(move || {
            let block = parts.next()?;
            let _ = parts.next();
            Some(block)
        });
        blocks.filter_map(move |block| {
            let (head, code) = block.split_once('\n')?;
            (head.split(',').next() == Some(language)).then_some(code)
        })
    }
}

fn without_comment(line: &str) -> &str {
    line.split(" #").next().unwrap_or(line).trim_end()
}

/// A dependency with the same features from elsewhere.
fn redirected(line: &str, source: Source<'_>) -> Result<String> {
    let (name, value) = line.split_once('=').with_context(|| format!("`{line}` is not a dependency"))?;
    let (name, value) = (name.trim(), without_comment(value).trim());
    let mut fields = vec![match source {
        Source::Checkout(root) => {
            let folder = name.strip_prefix("client-rs-").unwrap_or(name);
            format!("path = {:?}", root.join("crates").join(folder).display().to_string())
        }
        Source::Version(version) => format!("version = \"{version}\""),
    }];
    if let Some(table) = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let is_source = |field: &str| {
            let key = field.split('=').next().unwrap_or_default().trim();
            ["branch", "git", "path", "rev", "tag", "version"].contains(&key)
        };
        fields.extend(split(table).into_iter().filter(|field| !is_source(field)));
    } else {
        ensure!(value.starts_with('"'), "`{line}` is neither a version nor a table in one line");
    }
    Ok(format!("{name} = {{ {} }}", fields.join(", ")))
}

/// The fields of an inline table.
fn split(table: &str) -> Vec<String> {
    let (mut fields, mut field, mut depth) = (Vec::new(), String::new(), 0_usize);
    for character in table.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                fields.push(std::mem::take(&mut field));
                continue;
            }
            _ => (),
        }
        field.push(character);
    }
    fields.push(field);
    let fields = fields.into_iter().map(|field| field.trim().to_owned());
    fields.filter(|field| !field.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# R\n```text\nx\n```\n```sh\ncargo run --release   # a demo\n```\n\n```toml\n[dependencies]\n\
        client-rs = { git = \"https://host/x\", features = [\"apps\", \"core\"] }\ntokio = \"1\"\n```\n\
        ```rust,no_run\nfn main() { Controller }\n```\n";

    #[test]
    fn command_and_program_are_found() {
        let readme = Readme { text: TEXT.to_owned() };
        assert_eq!(readme.first_command().unwrap(), ["cargo", "run", "--release"]);
        assert_eq!(readme.controller().unwrap(), "fn main() { Controller }\n");
    }

    #[test]
    fn features_are_kept_and_the_source_is_replaced() {
        let readme = Readme { text: TEXT.to_owned() };
        let manifest = readme.manifest("x", Source::Version("0.1")).unwrap();
        assert!(manifest.ends_with(
            "[dependencies]\nclient-rs = { version = \"0.1\", features = [\"apps\", \"core\"] }\ntokio = \"1\"\n"
        ));
        let of = |line| redirected(line, Source::Checkout(Path::new("/r"))).unwrap();
        assert_eq!(of("client-rs-api = \"0.1\""), "client-rs-api = { path = \"/r/crates/api\" }");
        assert_eq!(of("client-rs = { path = \"x\" } # y"), "client-rs = { path = \"/r/crates/client-rs\" }");
        assert!(redirected("client-rs = true", Source::Version("1")).is_err());
    }

    #[test]
    fn missing_parts_are_reported() {
        let readme = Readme { text: "# R\n".to_owned() };
        assert!(readme.first_command().unwrap_err().to_string().contains("cargo run"));
        assert!(readme.controller().is_err());
        assert!(readme.manifest("x", Source::Version("1")).is_err());
    }
}
