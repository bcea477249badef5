//! The variables that an expression uses.

use std::collections::BTreeSet;

use crate::Expr;

/// Whether an expression uses a variable.
pub(super) fn mentions(expr: &Expr, variable: &str) -> bool {
    match expr {
        Expr::Ident(name) => name == variable,
        other => children(other).into_iter().any(|child| mentions(child, variable)),
    }
}

/// Collects the fields that an expression selects from a variable.
pub(super) fn selected<'e>(expr: &'e Expr, variable: &str, fields: &mut BTreeSet<&'e str>) {
    if let Expr::Select { operand, field, .. } = expr
        && matches!(&**operand, Expr::Ident(name) if name.trim_start_matches('.') == variable)
    {
        fields.insert(field);
    }
    for child in children(expr) {
        selected(child, variable, fields);
    }
}

fn children(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Select { operand, .. } => vec![&**operand],
        Expr::Call { target, args, .. } => target.as_deref().into_iter().chain(args).collect(),
        Expr::List(items) => items.iter().map(|(item, _)| item).collect(),
        Expr::Map(entries) => entries.iter().flat_map(|(key, value, _)| [key, value]).collect(),
        Expr::Struct { fields, .. } => fields.iter().map(|(_, value, _)| value).collect(),
        _ => Vec::new(),
    }
}
