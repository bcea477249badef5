//! Rust code from definitions that anybody may have written.

use client_rs_custom::generate::{GenerateOptions, check, generate as write};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

use super::{json, sections};

/// Attributes that generated code has.
const ATTRIBUTES: [&str; 7] = ["doc", "allow", "derive", "serde", "resource", "schema", "must_use"];

/// Code of a definition is Rust of the expected kinds of items, with the expected attributes, and its comments have no code
/// that rustdoc would run.
pub fn generate(data: &[u8]) {
    let definitions: Vec<_> = sections::<3>(data).into_iter().filter_map(json).collect();
    let options = GenerateOptions::default().with_accessors(true).with_apply(true).with_unserved(true);
    let good = definitions.iter().all(|definition| check(definition, &options).is_ok());
    let Ok(code) = write(&definitions, &options) else { return };
    assert!(good, "a definition is refused, and yet there is code of it");
    let file = syn::parse_file(&code).unwrap_or_else(|error| panic!("{error}:\n{code}"));
    let mut look = Look(&code);
    look.visit_file(&file);
    for item in &file.items {
        match item {
            Item::Mod(module) => module.content.iter().flat_map(|(_, items)| items).for_each(|item| {
                assert!(matches!(item, Item::Use(_) | Item::Struct(_)), "an item of another kind:\n{code}");
            }),
            Item::Use(_) | Item::Struct(_) | Item::Impl(_) => {}
            _ => panic!("an item of another kind:\n{code}"),
        }
    }
}

struct Look<'c>(&'c str);

impl<'ast> Visit<'ast> for Look<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.comments(&item.attrs);
        visit::visit_item_struct(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.comments(&field.attrs);
        visit::visit_field(self, field);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.comments(&module.attrs);
        visit::visit_item_mod(self, module);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.comments(&function.attrs);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let known = ATTRIBUTES.iter().any(|name| attribute.path().is_ident(name));
        assert!(known, "an attribute of another kind:\n{}", self.0);
    }

    fn visit_expr_unsafe(&mut self, _: &'ast syn::ExprUnsafe) {
        panic!("unsafe code:\n{}", self.0);
    }
}

impl Look<'_> {
    /// Every block of code in the comments of an item says that it is text.
    fn comments(&self, attributes: &[Attribute]) {
        let line = |attribute: &Attribute| match &attribute.meta {
            Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => panic!("a doc attribute is not a comment:\n{}", self.0),
            },
            _ => None,
        };
        let mut open: Option<String> = None;
        for line in attributes.iter().filter_map(line) {
            assert!(!line.contains(['\n', '\r']), "a comment of several lines:\n{}", self.0);
            let line = line.strip_prefix(' ').unwrap_or(&line);
            match &open {
                Some(fence) if line == fence => open = None,
                Some(fence) => {
                    assert!(!line.trim_start().starts_with(fence.as_str()), "{line:?} ends a block")
                }
                None => {
                    let fence = line.strip_suffix("text").unwrap_or_default();
                    if fence.len() >= 3 && fence.bytes().all(|byte| byte == b'`') {
                        open = Some(fence.to_owned());
                    } else if !line.starts_with("One of ") {
                        let runs = line.contains("```") || line.contains("~~~") || line.starts_with("    ");
                        assert!(!runs && !line.contains('\t'), "{line:?} may begin code:\n{}", self.0);
                    }
                }
            }
        }
        assert_eq!(open, None, "a block does not end:\n{}", self.0);
    }
}
