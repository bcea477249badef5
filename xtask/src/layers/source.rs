//! The modules of a crate, and which of them names which: read from the sources as tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A path in the sources that leads to another module, or to the same one.
pub(super) struct Import {
    /// The file, from the root of the workspace.
    pub(super) file: String,
    pub(super) line: usize,
    /// The module that the path is in, as `a::b`; empty for the crate's root.
    pub(super) from: String,
    /// The path from the crate's root, with re-exports of the root replaced by their origin.
    pub(super) to: String,
}

/// The modules of a crate and their imports, as found in its sources.
#[derive(Default)]
pub(super) struct Source {
    /// The modules that the crate's root declares.
    pub(super) top_level: Vec<String>,
    /// All modules, as `a::b`.
    pub(super) modules: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    /// Paths that could not be resolved.
    pub(super) unresolved: Vec<String>,
}

/// Reads the crate whose sources are in `folder`, beginning with its `lib.rs`.
pub(super) fn read(root: &Path, folder: &str) -> Result<Source> {
    let mut reader = Reader { root: root.to_owned(), ..Reader::default() };
    reader.file(&root.join(folder).join("lib.rs"), &[])?;
    Ok(reader.resolve())
}

/// A path as it was written, from the crate's root.
struct Written {
    file: String,
    line: usize,
    from: String,
    to: Vec<String>,
    /// `use name::…`: of a child of the module, or of another crate.
    relative: bool,
}

#[derive(Default)]
struct Reader {
    root: PathBuf,
    source: Source,
    written: Vec<Written>,
    /// Names that the crate's root re-exports, with their origin.
    exported: BTreeMap<String, Vec<String>>,
    /// Modules that the root re-exports with a glob.
    globs: Vec<Vec<String>>,
    /// `#[macro_export]` macros, with the module of each.
    macros: BTreeMap<String, String>,
}

impl Reader {
    fn file(&mut self, path: &Path, module: &[String]) -> Result<()> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let tokens = tokens(&text);
        let shown = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let mut walk =
            Walk { tokens: &tokens, at: 0, module: module.to_vec(), blocks: Vec::new(), file: shown };
        while walk.at < tokens.len() {
            self.step(&mut walk, path, module.len())?;
        }
        Ok(())
    }

    /// Reads on by a token, or by an item that is of no interest.
    fn step(&mut self, walk: &mut Walk<'_>, path: &Path, depth_of_file: usize) -> Result<()> {
        let at = walk.at;
        match walk.text(at) {
            "#" => {
                if walk.skip_attributes(&mut self.macros) {
                    walk.skip_item();
                }
                return Ok(());
            }
            "{" => walk.blocks.push(false),
            "}" => walk.close(),
            "mod" if matches!(walk.text(at + 2), ";" | "{") => {
                let name = walk.text(at + 1).to_owned();
                if walk.module.is_empty() {
                    self.source.top_level.push(name.clone());
                }
                walk.module.push(name);
                self.source.modules.insert(walk.module.join("::"));
                if walk.text(at + 2) == "{" {
                    walk.blocks.push(true);
                } else {
                    let below = &walk.module[depth_of_file..];
                    self.file(&file_of(path, below, walk.module.len() == 1)?, &walk.module)?;
                    walk.module.pop();
                }
                walk.at += 3;
                return Ok(());
            }
            "use" => {
                walk.at += 1;
                let is_public = at > 0 && matches!(walk.text(at - 1), "pub" | ")");
                let found = walk.tree(walk.at, &walk.module.clone(), true);
                for (to, name, line, relative) in found {
                    if is_public && walk.module.is_empty() {
                        match name {
                            Some(name) => drop(self.exported.insert(name, to.clone())),
                            None => self.globs.push(to.clone()),
                        }
                    }
                    self.note(walk, to, line, relative);
                }
                walk.skip_to_semicolon();
                return Ok(());
            }
            "crate" | "super" | "self"
                if walk.text(at + 1) == "::" && (at == 0 || walk.text(at - 1) != "::") =>
            {
                for (to, _, line, relative) in walk.tree(at, &walk.module.clone(), false) {
                    self.note(walk, to, line, relative);
                }
            }
            _ => {}
        }
        walk.at += 1;
        Ok(())
    }

    fn note(&mut self, walk: &Walk<'_>, to: Vec<String>, line: usize, relative: bool) {
        let from = walk.module.join("::");
        self.written.push(Written { file: walk.file.clone(), line, from, to, relative });
    }

    /// Now that all modules are known, where each path leads.
    fn resolve(mut self) -> Source {
        for written in std::mem::take(&mut self.written) {
            let Some(first) = written.to.first() else { continue };
            let is_module = |path: &[String]| self.source.modules.contains(&path.join("::"));
            let to = if written.relative {
                let depth = if written.from.is_empty() { 1 } else { written.from.split("::").count() + 1 };
                if written.to.len() < depth || !is_module(&written.to[..depth]) {
                    continue;
                }
                written.to.join("::")
            } else if is_module(std::slice::from_ref(first)) {
                written.to.join("::")
            } else if let Some(origin) = self.exported.get(first) {
                origin.join("::")
            } else if let Some(module) = self.macros.get(first) {
                module.clone()
            } else if let [glob] = self.globs.as_slice() {
                glob.join("::")
            } else {
                self.source.unresolved.push(format!(
                    "{}:{}: can't resolve `crate::{first}` to a module: name the module",
                    written.file, written.line
                ));
                continue;
            };
            let Written { file, line, from, .. } = written;
            self.source.imports.push(Import { file, line, from, to });
        }
        self.source
    }
}

/// The file of `mod name;`, with the inline modules between the file and the declaration.
fn file_of(declaring: &Path, below: &[String], is_top_level: bool) -> Result<PathBuf> {
    let folder = declaring.parent().unwrap_or(Path::new(""));
    let own = declaring.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut base =
        if is_top_level || own == "mod" || own == "lib" { folder.to_owned() } else { folder.join(own) };
    let (name, inline) = below.split_last().context("a module has a name")?;
    base.extend(inline);
    for file in [base.join(format!("{name}.rs")), base.join(name).join("mod.rs")] {
        if file.is_file() {
            return Ok(file);
        }
    }
    bail!("{}: there is no file for `mod {name};`", declaring.display())
}

/// A place in the tokens of one file.
struct Walk<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// The module that the place is in.
    module: Vec<String>,
    /// The braces that are open: whether each is an inline module's.
    blocks: Vec<bool>,
    file: String,
}

/// A path, the name that it brings into scope (none for `*`), its line, and whether it begins with a bare name.
type Leaf = (Vec<String>, Option<String>, usize, bool);

impl Walk<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// Behind a brace that closes, which may end an inline module.
    fn close(&mut self) {
        if self.blocks.pop() == Some(true) {
            self.module.pop();
        }
    }

    /// The paths of a tree such as `crate::{a::B, c::*}` that begins at `at`.
    fn tree(&self, at: usize, module: &[String], is_use: bool) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.branch(at, module.to_vec(), true, true, is_use, &mut leaves);
        leaves
    }

    /// Reads a branch of a tree, and returns the position after it.
    fn branch(
        &self,
        mut at: usize,
        mut path: Vec<String>,
        mut relative: bool,
        is_start: bool,
        is_use: bool,
        leaves: &mut Vec<Leaf>,
    ) -> usize {
        let line = self.tokens.get(at).map_or(0, |token| token.line);
        let mut is_start = is_start;
        loop {
            match self.text(at) {
                "crate" => {
                    path.clear();
                    relative = false;
                }
                "super" => {
                    path.pop();
                    relative = false;
                }
                "self" => relative &= !is_start,
                "*" => {
                    leaves.push((path, None, line, relative));
                    return at + 1;
                }
                "{" => {
                    at += 1;
                    while !matches!(self.text(at), "}" | "") {
                        at = self.branch(at, path.clone(), relative, is_start, is_use, leaves);
                        if self.text(at) == "," {
                            at += 1;
                        }
                    }
                    return at + 1;
                }
                name => path.push(name.to_owned()),
            }
            is_start = false;
            if self.text(at + 1) != "::" || (!is_use && !is_name(self.text(at + 2))) {
                break;
            }
            at += 2;
        }
        let mut name = path.last().cloned();
        at += 1;
        if is_use && self.text(at) == "as" {
            name = Some(self.text(at + 1).to_owned());
            at += 2;
        }
        leaves.push((path, name, line, relative));
        at
    }

    /// Skips attributes. Returns whether they limit the item to tests.
    fn skip_attributes(&mut self, macros: &mut BTreeMap<String, String>) -> bool {
        let mut is_test = false;
        let mut is_exported = false;
        while self.text(self.at) == "#" {
            let start = self.at + 1 + usize::from(self.text(self.at + 1) == "!");
            let end = self.closing(start);
            let words: Vec<_> = (start + 1..end).map(|at| self.text(at)).collect();
            is_test |=
                matches!(words.as_slice(), ["cfg", "(", "test", ..] | ["cfg", "(", "all", "(", "test", ..]);
            is_exported |= words == ["macro_export"];
            self.at = end + 1;
        }
        if is_exported && self.text(self.at) == "macro_rules" {
            macros.insert(self.text(self.at + 2).to_owned(), self.module.join("::"));
        }
        is_test
    }

    /// Where the bracket that opens at `at` closes.
    fn closing(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for place in at..self.tokens.len() {
            match self.text(place) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return place;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Skips an item, a field, an arm or a statement.
    fn skip_item(&mut self) {
        let is_use = (0..5).map(|n| self.text(self.at + n)).any(|word| word == "use");
        let is_item = matches!(
            self.text(self.at),
            "pub"
                | "fn"
                | "impl"
                | "struct"
                | "enum"
                | "trait"
                | "type"
                | "const"
                | "static"
                | "async"
                | "unsafe"
        );
        while self.at < self.tokens.len() {
            match self.text(self.at) {
                ";" => break,
                "," if !is_item && !is_use => break,
                "}" | ")" | "]" => return,
                "{" if !is_use => {
                    self.at = self.closing(self.at);
                    break;
                }
                "(" | "[" | "{" => self.at = self.closing(self.at),
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
    }

    fn skip_to_semicolon(&mut self) {
        while self.at < self.tokens.len() && self.text(self.at) != ";" {
            self.at += 1;
        }
    }
}

struct Token<'a> {
    text: &'a str,
    line: usize,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, `::` and single characters; without comments, strings and lifetimes.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = after_comment(bytes, at),
            b'"' => at = after_string(bytes, at),
            b'\'' => at = after_quote(text, at),
            first if first == b'_' || first.is_ascii_alphanumeric() || !first.is_ascii() => {
                let length = text[at..].find(|next: char| next != '_' && !next.is_alphanumeric());
                at = length.map_or(bytes.len(), |length| at + length.max(1));
                match (&text[start..at], bytes.get(at)) {
                    ("b" | "c", Some(b'"')) => at = after_string(bytes, at),
                    ("r" | "br" | "cr", Some(b'"' | b'#')) => at = after_raw_string(text, at),
                    (name, _) => tokens.push(Token { text: name, line }),
                }
            }
            b':' if bytes.get(at + 1) == Some(&b':') => {
                at += 2;
                tokens.push(Token { text: "::", line });
            }
            first => {
                at += 1;
                if !first.is_ascii_whitespace() {
                    tokens.push(Token { text: &text[start..at], line });
                }
            }
        }
        line += text[start..at].matches('\n').count();
    }
    tokens
}

fn after_comment(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                depth += 1;
                at += 2;
            }
            (b'*', Some(b'/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn after_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind `r"…"` or `r#"…"#`, from the mark behind the letters; a raw name `r#type` is left to be read as a name.
fn after_raw_string(text: &str, at: usize) -> usize {
    let marks = text[at..].bytes().take_while(|&byte| byte == b'#').count();
    if text.as_bytes().get(at + marks) != Some(&b'"') {
        return at + marks;
    }
    let end = format!("\"{}", "#".repeat(marks));
    text[at + marks + 1..].find(&end).map_or(text.len(), |length| at + marks + 1 + length + end.len())
}

/// Behind a character or a lifetime.
fn after_quote(text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    if rest.starts_with('\\') {
        return rest[2..].find('\'').map_or(text.len(), |length| at + 1 + 2 + length + 1);
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    if rest[first..].starts_with('\'') { at + 1 + first + 1 } else { at + 1 }
}
