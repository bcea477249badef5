//! The part of Go's templates that stages use: fields, variables, pipelines, `if`, `range`, `with`, and a list of functions.
//!
//! A template is parsed when it is read: a function or a keyword that is not supported is an error then, and not when a pod reaches
//! the stage.

use client_rs_machinery::Json;

use super::functions::{self, Values};
use super::lexer::{Lexer, Piece, Token};

/// A parsed template.
#[derive(Debug)]
pub(super) struct Template(Vec<Node>);

#[derive(Debug)]
enum Node {
    Text(String),
    Print(Pipeline),
    /// `$x := …` declares, `$x = …` sets.
    Assign {
        variable: String,
        declares: bool,
        pipeline: Pipeline,
    },
    If {
        condition: Pipeline,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    With {
        pipeline: Pipeline,
        then: Vec<Node>,
        other: Vec<Node>,
    },
    /// The variables are those of the index and the element.
    Range {
        variables: Vec<String>,
        pipeline: Pipeline,
        each: Vec<Node>,
        none: Vec<Node>,
    },
}

/// Commands that are joined by `|`: the result of one is the last argument of the next.
type Pipeline = Vec<Command>;

#[derive(Debug)]
enum Command {
    Call { function: String, arguments: Vec<Operand> },
    Value(Operand),
}

#[derive(Debug)]
enum Operand {
    Literal(Json),
    /// `.a.b`; without names it is the dot itself.
    Field(Vec<String>),
    /// `$x.a.b`; `$` is the variable without a name.
    Variable(String, Vec<String>),
    Group(Pipeline, Vec<String>),
    /// A function without arguments.
    Function(String),
}

/// The most text that a template may render: a `range` in a `range` can multiply.
const LIMIT: usize = 1 << 20;

impl Template {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { pieces: Lexer::new(text.trim()).pieces()?.into(), depth: 0 };
        let (nodes, end) = parser.nodes()?;
        match end {
            None => Ok(Self(nodes)),
            Some(end) => Err(format!("{{{{ {end} }}}} has no beginning")),
        }
    }

    /// The text of the template for an object.
    pub(super) fn render(&self, object: &Json, values: &dyn Values) -> Result<String, String> {
        let variables = vec![(String::new(), object.clone())];
        let mut run = Run { out: String::new(), variables, values };
        run.all(&self.0, object)?;
        Ok(run.out)
    }
}

struct Parser {
    pieces: std::collections::VecDeque<Piece>,
    depth: usize,
}

/// How deep blocks and parentheses may be nested.
const DEPTH: usize = 64;

impl Parser {
    /// The nodes up to an `end` or `else`, which is returned with its tokens.
    fn nodes(&mut self) -> Result<(Vec<Node>, Option<String>), String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("blocks are nested more than {DEPTH} deep"));
        }
        let mut nodes = Vec::new();
        while let Some(piece) = self.pieces.pop_front() {
            match piece {
                Piece::Text(text) => nodes.push(Node::Text(text)),
                Piece::Action(tokens) => match tokens.first() {
                    None => {}
                    Some(Token::Word(word)) if word == "end" => {
                        self.depth -= 1;
                        return Ok((nodes, Some("end".to_owned())));
                    }
                    Some(Token::Word(word)) if word == "else" => {
                        self.depth -= 1;
                        if tokens.len() > 1 {
                            // `else if` is an `if` within `else`, with the same end.
                            self.pieces.push_front(Piece::Action(tokens[1..].to_vec()));
                            return Ok((nodes, Some("else if".to_owned())));
                        }
                        return Ok((nodes, Some("else".to_owned())));
                    }
                    Some(Token::Word(word)) if ["if", "with", "range"].contains(&word.as_str()) => {
                        let node = self.block(word, &tokens[1..])?;
                        nodes.push(node);
                    }
                    Some(Token::Word(word))
                        if ["define", "template", "block", "break", "continue"].contains(&word.as_str()) =>
                    {
                        return Err(format!("the keyword {word} of templates is not supported"));
                    }
                    Some(Token::Variable(name))
                        if matches!(tokens.get(1), Some(Token::Declare | Token::Set)) =>
                    {
                        let declares = tokens[1] == Token::Declare;
                        let pipeline = whole(&tokens[2..])?;
                        nodes.push(Node::Assign { variable: name.clone(), declares, pipeline });
                    }
                    Some(_) => nodes.push(Node::Print(whole(&tokens)?)),
                },
            }
        }
        self.depth -= 1;
        Ok((nodes, None))
    }

    fn block(&mut self, word: &str, tokens: &[Token]) -> Result<Node, String> {
        let mut variables = Vec::new();
        let mut tokens = tokens;
        if word == "range" {
            let mut rest = tokens;
            while let [Token::Variable(name), Token::Comma, more @ ..] = rest {
                variables.push(name.clone());
                rest = more;
            }
            if let [Token::Variable(name), Token::Declare, more @ ..] = rest {
                variables.push(name.clone());
                tokens = more;
            } else if !variables.is_empty() {
                return Err("`range` declares variables with :=".to_owned());
            }
        }
        let pipeline = whole(tokens)?;
        let (then, end) = self.nodes()?;
        let other = match end.as_deref() {
            Some("end") => Vec::new(),
            Some("else") => {
                let (other, end) = self.nodes()?;
                if end.as_deref() != Some("end") {
                    return Err(format!("{{{{ {word} }}}} has no end"));
                }
                other
            }
            Some("else if") => match self.pieces.pop_front() {
                Some(Piece::Action(tokens)) => match tokens.split_first() {
                    Some((Token::Word(inner), rest)) if inner == "if" || inner == "with" => {
                        vec![self.block(inner, rest)?]
                    }
                    _ => return Err("`else` is followed by `if`, or by nothing".to_owned()),
                },
                _ => return Err(format!("{{{{ {word} }}}} has no end")),
            },
            _ => return Err(format!("{{{{ {word} }}}} has no end")),
        };
        Ok(match word {
            "if" => Node::If { condition: pipeline, then, other },
            "with" => Node::With { pipeline, then, other },
            _ => Node::Range { variables, pipeline, each: then, none: other },
        })
    }
}

/// The pipeline that all tokens are.
fn whole(tokens: &[Token]) -> Result<Pipeline, String> {
    let mut rest = tokens;
    let found = pipeline(&mut rest, 0)?;
    match rest.first() {
        None => Ok(found),
        Some(token) => Err(format!("{token} is not expected in a template's action")),
    }
}

fn pipeline(tokens: &mut &[Token], depth: usize) -> Result<Pipeline, String> {
    if depth > DEPTH {
        return Err(format!("parentheses are nested more than {DEPTH} deep"));
    }
    let mut commands = vec![command(tokens, depth)?];
    while let [Token::Pipe, rest @ ..] = *tokens {
        *tokens = rest;
        commands.push(command(tokens, depth)?);
    }
    if let Some(Command::Value(_)) = commands.iter().skip(1).find(|one| matches!(one, Command::Value(_))) {
        return Err("only functions follow a |".to_owned());
    }
    Ok(commands)
}

fn command(tokens: &mut &[Token], depth: usize) -> Result<Command, String> {
    let mut operands = Vec::new();
    while let Some(one) = operand(tokens, depth)? {
        operands.push(one);
    }
    let mut operands = operands.into_iter();
    match (operands.next(), operands.len()) {
        (None, _) => Err("an action without a value".to_owned()),
        (Some(Operand::Function(function)), _) => {
            Ok(Command::Call { function, arguments: operands.collect() })
        }
        (Some(value), 0) => Ok(Command::Value(value)),
        (Some(_), _) => Err("only functions have arguments".to_owned()),
    }
}

fn operand(tokens: &mut &[Token], depth: usize) -> Result<Option<Operand>, String> {
    let Some((token, rest)) = tokens.split_first() else { return Ok(None) };
    let found = match token {
        Token::Literal(value) => Operand::Literal(value.clone()),
        Token::Field(names) => Operand::Field(names.clone()),
        Token::Variable(name) => Operand::Variable(name.clone(), Vec::new()),
        Token::Word(word) => {
            if !functions::is_known(word) {
                return Err(format!("the template function {word} is not supported"));
            }
            Operand::Function(word.clone())
        }
        Token::Open => {
            let mut inner = rest;
            let group = pipeline(&mut inner, depth + 1)?;
            let [Token::Close, after @ ..] = inner else { return Err("a ( has no )".to_owned()) };
            *tokens = after;
            return Ok(Some(Operand::Group(group, fields(tokens))));
        }
        Token::Close | Token::Pipe => return Ok(None),
        Token::Declare | Token::Set | Token::Comma => {
            return Err(format!("{token} is not expected in a template's action"));
        }
    };
    *tokens = rest;
    Ok(Some(match found {
        Operand::Variable(name, _) => Operand::Variable(name, fields(tokens)),
        other => other,
    }))
}

/// The fields that directly follow a variable or a group. The lexer marks them.
fn fields(tokens: &mut &[Token]) -> Vec<String> {
    match *tokens {
        [Token::Field(names), rest @ ..] if names.first().is_some_and(String::is_empty) => {
            *tokens = rest;
            names[1..].to_vec()
        }
        _ => Vec::new(),
    }
}

/// One rendering.
struct Run<'r> {
    out: String,
    variables: Vec<(String, Json)>,
    values: &'r dyn Values,
}

impl Run<'_> {
    fn all(&mut self, nodes: &[Node], dot: &Json) -> Result<(), String> {
        let known = self.variables.len();
        for node in nodes {
            self.one(node, dot)?;
            if self.out.len() > LIMIT {
                return Err(format!("the template renders more than {LIMIT} bytes"));
            }
        }
        // Variables live as long as their block.
        self.variables.truncate(known);
        Ok(())
    }

    fn one(&mut self, node: &Node, dot: &Json) -> Result<(), String> {
        match node {
            Node::Text(text) => self.out.push_str(text),
            Node::Print(pipeline) => {
                let value = self.pipeline(pipeline, dot)?;
                self.out.push_str(&functions::printed(&value));
            }
            Node::Assign { variable, declares, pipeline } => {
                let value = self.pipeline(pipeline, dot)?;
                if *declares {
                    self.variables.push((variable.clone(), value));
                } else {
                    let known = self.variables.iter_mut().rev().find(|(name, _)| name == variable);
                    known.ok_or_else(|| format!("the variable ${variable} is not declared"))?.1 = value;
                }
            }
            Node::If { condition, then, other } => {
                let holds = functions::is_true(&self.pipeline(condition, dot)?);
                self.all(if holds { then } else { other }, dot)?;
            }
            Node::With { pipeline, then, other } => {
                let value = self.pipeline(pipeline, dot)?;
                if functions::is_true(&value) { self.all(then, &value)? } else { self.all(other, dot)? }
            }
            Node::Range { variables, pipeline, each, none } => {
                let value = self.pipeline(pipeline, dot)?;
                let elements: Vec<(Json, Json)> = match &value {
                    Json::List(list) => {
                        list.iter().enumerate().map(|(index, one)| (index.into(), one.clone())).collect()
                    }
                    Json::Map(map) => {
                        map.iter().map(|(key, one)| (Json::from(key.clone()), one.clone())).collect()
                    }
                    Json::Null => Vec::new(),
                    other => return Err(format!("range can't iterate over {other}")),
                };
                if elements.is_empty() {
                    return self.all(none, dot);
                }
                let known = self.variables.len();
                for (index, element) in elements {
                    match variables.as_slice() {
                        [] => {}
                        [one] => self.variables.push((one.clone(), element.clone())),
                        [first, second, ..] => {
                            self.variables.push((first.clone(), index));
                            self.variables.push((second.clone(), element.clone()));
                        }
                    }
                    self.all(each, &element)?;
                    self.variables.truncate(known);
                }
            }
        }
        Ok(())
    }

    fn pipeline(&self, commands: &[Command], dot: &Json) -> Result<Json, String> {
        let mut last: Option<Json> = None;
        for command in commands {
            last = Some(match command {
                Command::Value(operand) => self.operand(operand, dot)?,
                Command::Call { function, arguments } => self.call(function, arguments, last, dot)?,
            });
        }
        Ok(last.unwrap_or_default())
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Operand],
        last: Option<Json>,
        dot: &Json,
    ) -> Result<Json, String> {
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.operand(argument, dot)?;
            // `and` and `or` stop at the value that decides.
            let decides = (name == "or" && functions::is_true(&value))
                || (name == "and" && !functions::is_true(&value));
            values.push(value);
            if decides {
                return Ok(values.pop().unwrap_or_default());
            }
        }
        values.extend(last);
        functions::call(name, values, self.values)
    }

    fn operand(&self, operand: &Operand, dot: &Json) -> Result<Json, String> {
        match operand {
            Operand::Literal(value) => Ok(value.clone()),
            Operand::Field(names) => below(dot, names),
            Operand::Variable(name, names) => {
                let known = self.variables.iter().rev().find(|(known, _)| known == name);
                below(&known.ok_or_else(|| format!("the variable ${name} is not declared"))?.1, names)
            }
            Operand::Group(pipeline, names) => below(&self.pipeline(pipeline, dot)?, names),
            Operand::Function(name) => self.call(name, &[], None, dot),
        }
    }
}

/// A field of a field. Fields of missing values are missing.
fn below(value: &Json, names: &[String]) -> Result<Json, String> {
    let mut value = value;
    for name in names {
        value = match value {
            Json::Map(map) => map.get(name.as_str()).unwrap_or(&Json::Null),
            Json::Null => &Json::Null,
            other => return Err(format!("{other} has no field {name}")),
        };
    }
    Ok(value.clone())
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::super::functions::tests::Fixed;
    use super::*;

    fn rendered(template: &str, object: &Json) -> Result<String, String> {
        Template::parse(template)?.render(object, &Fixed)
    }

    #[test]
    fn fields_variables_and_blocks_render_as_in_go() {
        let pod = json!({
            "metadata": {"name": "web", "annotations": {"a/b": "x"}},
            "spec": {"containers": [{"name": "one"}, {"name": "two"}], "nodeName": "n"},
        });
        for (template, expected) in [
            ("name: {{ .metadata.name }}", "name: web"),
            ("{{ .metadata.name | Quote }}", "\"web\""),
            ("{{ $now := Now }}{{ $now | Quote }}", "\"2026-01-01T00:00:00Z\""),
            ("{{ range .spec.containers }}[{{ .name }}]{{ end }}", "[one][two]"),
            (
                "{{ range $index, $item := .spec.containers }}{{ $index }}={{ $item.name }};{{ end }}",
                "0=one;1=two;",
            ),
            ("{{ range .spec.missing }}x{{ else }}none{{ end }}", "none"),
            ("{{ range .spec.missing }}x{{ end }}", ""),
            ("{{ if .spec.hostNetwork }}a{{ else if eq .spec.nodeName \"n\" }}b{{ else }}c{{ end }}", "b"),
            ("{{ with .spec.nodeName }}{{ . }}{{ end }}", "n"),
            ("{{ with .spec.none }}{{ . }}{{ else }}-{{ end }}", "-"),
            ("{{ $a := false }}{{ range .spec.containers }}{{ $a = true }}{{ end }}{{ $a }}", "true"),
            ("{{ $root := . }}{{ range .spec.containers }}{{ $root.metadata.name }}{{ end }}", "webweb"),
            ("{{ range .spec.containers }}{{ $.metadata.name }}{{ end }}", "webweb"),
            ("{{ or ( index .metadata.annotations \"a/b\" ) \"d\" }}", "x"),
            ("{{ $n := or .metadata.labels dict }}{{ or ( index $n \"a\" ) \"d\" }}", "d"),
            ("{{ $info := .status.nodeInfo }}{{ or $info.bootID `\"\"` }}", "\"\""),
            ("{{ (index .spec.containers 1).name }}", "two"),
            ("{{ index .spec.containers 0 | Quote }}", "\"{\\\"name\\\":\\\"one\\\"}\""),
            ("{{ printf \"kwok-%s\" Version }}", "kwok-v0"),
            ("a  {{- /* a comment */ -}}  b", "ab"),
            ("a {{- .spec.nodeName }} b", "an b"),
            ("{{ .spec.none }}", "<no value>"),
            ("{{ not .spec.none }} {{ and true .spec.nodeName }} {{ len .spec.containers }}", "true n 2"),
            (
                "{{ NodeIPWith .spec.nodeName }} {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) \"u\" \"\" \"\" }}",
                "ip-n pod-u",
            ),
            ("{{ PodIPWith .spec.nodeName true \"u\" \"\" \"\" }}", "ip-n"),
        ] {
            assert_eq!(rendered(template, &pod).as_deref(), Ok(expected), "{template}");
        }
    }

    #[test]
    fn yaml_is_indented_by_levels() {
        let object = json!({"status": {"capacity": {"cpu": "1", "pods": "9"}}});
        let text =
            rendered("capacity:\n{{ with .status.capacity }}\n{{ YAML . 1 }}\n{{ end }}", &object).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["capacity:", "  cpu: \"1\"", "  pods: \"9\""]);
    }

    #[test]
    fn unsupported_parts_are_refused_by_name_when_the_template_is_read() {
        for (template, why) in [
            ("{{ upper .a }}", "the template function upper is not supported"),
            ("{{ .a | b64enc }}", "the template function b64enc is not supported"),
            ("{{ define \"x\" }}{{ end }}", "the keyword define of templates is not supported"),
            ("{{ if .a }}", "{{ if }} has no end"),
            ("{{ range .a }}{{ else }}", "{{ range }} has no end"),
            ("{{ end }}", "{{ end }} has no beginning"),
            ("{{ .a", "{{ has no }}"),
            ("{{ ( .a }}", "a ( has no )"),
            ("{{ .a | .b }}", "only functions follow a |"),
            ("{{ .a .b }}", "only functions have arguments"),
        ] {
            assert_eq!(Template::parse(template).unwrap_err(), why, "{template}");
        }
        let deep = format!("{{{{ {}.a{} }}}}", "(".repeat(100), ")".repeat(100));
        assert!(Template::parse(&deep).unwrap_err().contains("nested"));
    }

    #[test]
    fn a_rendering_that_fails_says_why() {
        for (template, why) in [
            ("{{ .a.b }}", "\"text\" has no field b"),
            ("{{ $x }}", "the variable $x is not declared"),
            ("{{ range .a }}{{ end }}", "range can't iterate over \"text\""),
            ("{{ index .list 3 }}", "index 3 is out of range"),
            ("{{ printf \"%x\" 1 }}", "the verb %x of printf is not supported"),
        ] {
            let object = json!({"a": "text", "list": [1]});
            assert_eq!(rendered(template, &object).unwrap_err(), why, "{template}");
        }
        let many: Vec<Json> = (0..2000).map(Json::from).collect();
        let object = json!({"list": many});
        let squared = "{{ range .list }}{{ range $.list }}text{{ end }}{{ end }}";
        assert!(rendered(squared, &object).unwrap_err().contains("more than 1048576 bytes"));
    }
}
