//! The clauses of `text.format([…])`: the text behind each `%`.

/// A piece of a format.
pub(crate) enum Clause<'a> {
    /// Literal text.
    #[cfg_attr(not(feature = "evaluate"), allow(dead_code, reason = "who only checks does not write"))]
    Plain(&'a str),
    /// An argument and its verb.
    Argument { index: usize, verb: Verb },
}

/// The notation of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Text,
    Decimal,
    Fixed(usize),
    Scientific,
    Binary,
    /// Whether in upper case.
    Hex(bool),
    Octal,
}

/// The default number of digits behind the point.
const PRECISION: usize = 6;
/// The maximum number of digits behind the point.
const MAX_PRECISION: usize = 1_000;

impl Verb {
    /// Returns the description of the types that the verb accepts.
    pub(crate) fn refusal(self) -> &'static str {
        match self {
            Self::Text => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, \
                 and timestamps"
            }
            Self::Decimal => "decimal clause can only be used on integers",
            Self::Fixed(_) => "fixed-point clause can only be used on doubles",
            Self::Scientific => "scientific clause can only be used on doubles",
            Self::Binary => "only integers and bools can be formatted as binary",
            Self::Hex(_) => "only integers, byte buffers, and strings can be formatted as hex",
            Self::Octal => "octal clause can only be used on integers",
        }
    }
}

/// Splits a format into clauses, and returns the number of used arguments.
pub(crate) fn clauses(
    text: &str,
    args: usize,
    each: &mut dyn FnMut(Clause<'_>) -> Result<(), String>,
) -> Result<usize, String> {
    let (mut rest, mut index) = (text, 0);
    while let Some((before, after)) = rest.split_once('%') {
        each(Clause::Plain(before))?;
        if let Some(after) = after.strip_prefix('%') {
            each(Clause::Plain("%"))?;
            rest = after;
            continue;
        }
        // The argument is taken before the clause is parsed, except if the clause is empty.
        if after.is_empty() && index < args {
            return Err("unexpected end of string".to_owned());
        }
        if index >= args {
            return Err(format!("index {index} out of range"));
        }
        let (verb, length) =
            verb(after).map_err(|why| format!("could not parse formatting clause: {why}"))?;
        each(Clause::Argument { index, verb })?;
        index += 1;
        rest = &after[length..];
    }
    each(Clause::Plain(rest))?;
    Ok(index)
}

fn verb(text: &str) -> Result<(Verb, usize), String> {
    let mut at = 0;
    let mut precision = PRECISION;
    if let Some(after) = text.strip_prefix('.') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits == after.len() {
            return Err("error while parsing precision: could not find end of precision specifier".to_owned());
        }
        precision = after[..digits].parse::<usize>().map_err(|_| {
            let why = if digits == 0 { "invalid syntax" } else { "value out of range" };
            let shown = &after[..digits];
            format!(
                "error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing \
                 \"{shown}\": {why}"
            )
        })?;
        at = digits + 1;
    }
    let precision = precision.min(MAX_PRECISION);
    let letter = text[at..].chars().next().unwrap_or_default();
    let verb = match letter {
        's' => Verb::Text,
        'd' => Verb::Decimal,
        'f' => Verb::Fixed(precision),
        'e' => Verb::Scientific,
        'b' => Verb::Binary,
        'x' => Verb::Hex(false),
        'X' => Verb::Hex(true),
        'o' => Verb::Octal,
        other => return Err(format!("unrecognized formatting clause \"{other}\"")),
    };
    Ok((verb, at + 1))
}
