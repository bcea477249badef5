//! The functions and their types.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::types::{RESOURCE_CHECK, Type, fits, joined};

/// One line per function and its types: `m` for a method, whose target is the first type, then the types and the
/// result. A capital letter is any type, the same at each place.
const TABLE: &str = "\
g _==_ A A bool\ng _!=_ A A bool\n\
g _+_ int int int\ng _+_ uint uint uint\ng _+_ double double double\ng _+_ string string string\n\
g _+_ bytes bytes bytes\ng _+_ list<A> list<A> list<A>\ng _+_ timestamp duration timestamp\n\
g _+_ duration timestamp timestamp\ng _+_ duration duration duration\n\
g _-_ int int int\ng _-_ uint uint uint\ng _-_ double double double\ng _-_ timestamp timestamp duration\n\
g _-_ timestamp duration timestamp\ng _-_ duration duration duration\n\
g _*_ int int int\ng _*_ uint uint uint\ng _*_ double double double\n\
g _/_ int int int\ng _/_ uint uint uint\ng _/_ double double double\n\
g _%_ int int int\ng _%_ uint uint uint\n\
g !_ bool bool\ng -_ int int\ng -_ double double\n\
g _[_] list<A> int A\ng _[_] map<A,B> A B\n\
g _[?_] list<A> int optional<A>\ng _[?_] map<A,B> A optional<B>\n\
g _[_] optional<list<A>> int optional<A>\ng _[_] optional<map<A,B>> A optional<B>\n\
g _[?_] optional<list<A>> int optional<A>\ng _[?_] optional<map<A,B>> A optional<B>\n\
g @in A list<A> bool\ng @in A map<A,B> bool\n\
g _?_:_ bool A A A\n\
g size string int\ng size bytes int\ng size list<A> int\ng size map<A,B> int\n\
m size string int\nm size bytes int\nm size list<A> int\nm size map<A,B> int\n\
g type A type\ng dyn A dyn\n\
g int int int\ng int uint int\ng int double int\ng int string int\ng int timestamp int\ng int duration int\n\
g uint uint uint\ng uint int uint\ng uint double uint\ng uint string uint\n\
g double double double\ng double int double\ng double uint double\ng double string double\n\
g bool bool bool\ng bool string bool\n\
g string string string\ng string bool string\ng string int string\ng string uint string\ng string double string\n\
g string bytes string\ng string timestamp string\ng string duration string\n\
g string net.IP string\ng string net.CIDR string\n\
g bytes bytes bytes\ng bytes string bytes\n\
g timestamp timestamp timestamp\ng timestamp string timestamp\ng timestamp int timestamp\n\
g duration duration duration\ng duration string duration\n\
m contains string string bool\nm startsWith string string bool\nm endsWith string string bool\n\
m matches string string bool\ng matches string string bool\n\
m getFullYear timestamp int\nm getMonth timestamp int\nm getDayOfYear timestamp int\nm getDayOfMonth timestamp int\n\
m getDate timestamp int\nm getDayOfWeek timestamp int\nm getHours timestamp int\nm getMinutes timestamp int\n\
m getSeconds timestamp int\nm getMilliseconds timestamp int\n\
m getFullYear timestamp string int\nm getMonth timestamp string int\nm getDayOfYear timestamp string int\n\
m getDayOfMonth timestamp string int\nm getDate timestamp string int\nm getDayOfWeek timestamp string int\n\
m getHours timestamp string int\nm getMinutes timestamp string int\nm getSeconds timestamp string int\n\
m getMilliseconds timestamp string int\n\
m getHours duration int\nm getMinutes duration int\nm getSeconds duration int\nm getMilliseconds duration int\n\
m charAt string int string\nm indexOf string string int\nm indexOf string string int int\n\
m lastIndexOf string string int\nm lastIndexOf string string int int\nm lowerAscii string string\n\
m upperAscii string string\nm trim string string\nm replace string string string string\n\
m replace string string string int string\nm split string string list<string>\n\
m split string string int list<string>\nm substring string int string\nm substring string int int string\n\
m join list<string> string\nm join list<string> string string\nm format string list<dyn> string\n\
g strings.quote string string\n\
m find string string string\nm findAll string string list<string>\nm findAll string string int list<string>\n\
m isSorted list<C> bool\nm min list<C> C\nm max list<C> C\n\
m sum list<int> int\nm sum list<uint> uint\nm sum list<double> double\nm sum list<duration> duration\n\
m indexOf list<A> A int\nm lastIndexOf list<A> A int\n\
m slice list<A> int int list<A>\nm flatten list<list<A>> list<A>\nm flatten list<dyn> int list<dyn>\n\
m sort list<C> list<C>\nm distinct list<A> list<A>\nm reverse list<A> list<A>\ng lists.range int list<int>\n\
m first list<A> optional<A>\nm last list<A> optional<A>\n\
g sets.contains list<A> list<A> bool\ng sets.equivalent list<A> list<A> bool\ng sets.intersects list<A> list<A> bool\n\
g url string url\ng isURL string bool\nm getScheme url string\nm getHost url string\nm getHostname url string\n\
m getPort url string\nm getEscapedPath url string\nm getQuery url map<string,list<string>>\n\
g quantity string quantity\ng isQuantity string bool\nm isInteger quantity bool\nm asInteger quantity int\n\
m asApproximateFloat quantity double\ng sign quantity int\nm add quantity quantity quantity\n\
m add quantity int quantity\nm sub quantity quantity quantity\nm sub quantity int quantity\n\
m compareTo quantity quantity int\nm isGreaterThan quantity quantity bool\nm isLessThan quantity quantity bool\n\
g ip string net.IP\ng isIP string bool\ng ip.isCanonical string bool\nm family net.IP int\n\
m isUnspecified net.IP bool\nm isLoopback net.IP bool\nm isLinkLocalMulticast net.IP bool\n\
m isLinkLocalUnicast net.IP bool\nm isGlobalUnicast net.IP bool\n\
g cidr string net.CIDR\ng isCIDR string bool\nm containsIP net.CIDR string bool\nm containsIP net.CIDR net.IP bool\n\
m containsCIDR net.CIDR string bool\nm containsCIDR net.CIDR net.CIDR bool\nm ip net.CIDR net.IP\n\
m masked net.CIDR net.CIDR\nm prefixLength net.CIDR int\n\
g format.named string optional<format>\nm validate format string optional<list<string>>\n\
g format.dns1123Label format\ng format.dns1123Subdomain format\ng format.dns1035Label format\n\
g format.qualifiedName format\ng format.dns1123LabelPrefix format\ng format.dns1123SubdomainPrefix format\n\
g format.dns1035LabelPrefix format\ng format.labelValue format\ng format.uri format\ng format.uuid format\n\
g format.byte format\ng format.date format\ng format.datetime format\n\
g semver string semver\ng semver string bool semver\ng isSemver string bool\ng isSemver string bool bool\n\
m major semver int\nm minor semver int\nm patch semver int\nm compareTo semver semver int\n\
m isGreaterThan semver semver bool\nm isLessThan semver semver bool\n\
g optional.of A optional<A>\ng optional.ofNonZeroValue A optional<A>\ng optional.none optional<dyn>\n\
m path authorizer string pathcheck\nm group authorizer string groupcheck\n\
m serviceAccount authorizer string string authorizer\nm resource groupcheck string resourcecheck\n\
m subresource resourcecheck string resourcecheck\nm namespace resourcecheck string resourcecheck\n\
m name resourcecheck string resourcecheck\nm fieldSelector resourcecheck string resourcecheck\n\
m labelSelector resourcecheck string resourcecheck\nm check pathcheck string decision\n\
m check resourcecheck string decision\nm errored decision bool\nm error decision string\n\
m allowed decision bool\nm reason decision string\n\
g jsonpatch.escapeKey string string\n\
m hasValue optional<A> bool\nm value optional<A> A\nm or optional<A> optional<A> optional<A>\nm orValue optional<A> A A\n";

/// The types that `<` and similar operators compare, each with itself; numbers also with each other.
const COMPARED: [&str; 8] = ["bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"];

#[derive(Debug)]
pub(super) struct Overload {
    method: bool,
    /// The type of the target comes first, if it is a method.
    pub(super) params: Vec<Pattern>,
    result: Pattern,
}

#[derive(Debug)]
pub(super) enum Pattern {
    Exact(Type),
    /// Any type; `C` is a type whose values can be compared.
    Any(char),
    List(Box<Pattern>),
    Map(Box<Pattern>, Box<Pattern>),
    Optional(Box<Pattern>),
}

/// The reason why a call has no type.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoType {
    /// No function has this name.
    Undeclared,
    /// No function of this name has these types.
    NoOverload,
}

/// Whether values of a type are ordered.
pub(super) fn is_compared(of: &Type) -> bool {
    COMPARED.contains(&of.to_string().as_str())
}

/// Whether a function has this name.
pub(super) fn is_known(name: &str, method: bool) -> bool {
    of(name, method).next().is_some()
}

/// Returns the type of the result of a call, and the candidates among the functions of that name.
pub(super) fn resolve(
    name: &str,
    method: bool,
    args: &[Type],
) -> Result<(Type, Vec<&'static Overload>), NoType> {
    // As in cel-go, a name is declared if a method or a function has it.
    if !is_known(name, method) && !is_known(name, !method) {
        return Err(NoType::Undeclared);
    }
    let mut found: Option<Type> = None;
    let mut fitting = Vec::new();
    for overload in of(name, method) {
        let mut bound = HashMap::new();
        if overload.params.len() != args.len()
            || !overload.params.iter().zip(args).all(|(param, arg)| matches(param, arg, &mut bound))
        {
            continue;
        }
        fitting.push(overload);
        let result = made(&overload.result, &bound);
        found = Some(match found {
            None => result,
            Some(other) if other == result => result,
            // It depends on a type that is known only during an evaluation.
            Some(_) => Type::Dyn,
        });
    }
    found.map(|found| (found, fitting)).ok_or(NoType::NoOverload)
}

/// Returns the functions of a name.
fn of(name: &str, method: bool) -> impl Iterator<Item = &'static Overload> {
    table().get(name).into_iter().flatten().filter(move |overload| overload.method == method)
}

fn table() -> &'static HashMap<&'static str, Vec<Overload>> {
    static PARSED: OnceLock<HashMap<&'static str, Vec<Overload>>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let mut table: HashMap<&'static str, Vec<Overload>> = HashMap::new();
        for line in TABLE.lines() {
            let mut words = line.split(' ');
            let (Some(sort), Some(name)) = (words.next(), words.next()) else { continue };
            let mut types: Vec<Pattern> = words.map(pattern).collect();
            let Some(result) = types.pop() else { continue };
            let overload = Overload { method: sort == "m", params: types, result };
            table.entry(name).or_default().push(overload);
        }
        let numbers = ["int", "uint", "double"];
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            let mixed = numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b)));
            let same = COMPARED.iter().map(|of| (*of, *of)).filter(|(of, _)| !numbers.contains(of));
            for (a, b) in mixed.chain(same) {
                let params = vec![pattern(a), pattern(b)];
                let overload = Overload { method: false, params, result: Pattern::Exact(Type::Bool) };
                table.entry(operator).or_default().push(overload);
            }
        }
        table
    })
}

fn pattern(word: &'static str) -> Pattern {
    if let Some((outer, rest)) = word.split_once('<') {
        let inner = rest.strip_suffix('>').unwrap_or(rest);
        return match outer {
            "list" => Pattern::List(Box::new(pattern(inner))),
            "optional" => Pattern::Optional(Box::new(pattern(inner))),
            _ => {
                let (key, value) = inner.split_once(',').unwrap_or((inner, "dyn"));
                Pattern::Map(Box::new(pattern(key)), Box::new(pattern(value)))
            }
        };
    }
    Pattern::Exact(match word {
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::Text,
        "bytes" => Type::Bytes,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        "type" => Type::Type,
        "url" => Type::Library("kubernetes.URL"),
        "quantity" => Type::Library("kubernetes.Quantity"),
        "format" => Type::Library("kubernetes.NamedFormat"),
        "semver" => Type::Library("kubernetes.Semver"),
        "authorizer" => Type::authorizer(),
        "pathcheck" => Type::Library("kubernetes.authorization.PathCheck"),
        "groupcheck" => Type::Library("kubernetes.authorization.GroupCheck"),
        "resourcecheck" => Type::Library(RESOURCE_CHECK),
        "decision" => Type::Library("kubernetes.authorization.Decision"),
        "net.IP" => Type::Library("net.IP"),
        "net.CIDR" => Type::Library("net.CIDR"),
        word => return Pattern::Any(word.chars().next().unwrap_or('A')),
    })
}

fn matches(pattern: &Pattern, arg: &Type, bound: &mut HashMap<char, Type>) -> bool {
    match (pattern, arg) {
        (Pattern::Exact(wanted), arg) => fits(wanted, arg),
        (Pattern::Any(letter), arg) => {
            if *letter == 'C' && *arg != Type::Dyn && !is_compared(arg) {
                return false;
            }
            match bound.get(letter) {
                None => {
                    bound.insert(*letter, arg.clone());
                    true
                }
                Some(known) if fits(known, arg) => {
                    let joined = joined(known, arg);
                    bound.insert(*letter, joined);
                    true
                }
                Some(_) => false,
            }
        }
        (_, Type::Dyn) => true,
        (Pattern::List(of), Type::List(arg)) | (Pattern::Optional(of), Type::Optional(arg)) => {
            matches(of, arg, bound)
        }
        (Pattern::Map(key, value), Type::Map(arg)) => {
            matches(key, &arg.0, bound) && matches(value, &arg.1, bound)
        }
        _ => false,
    }
}

fn made(pattern: &Pattern, bound: &HashMap<char, Type>) -> Type {
    match pattern {
        Pattern::Exact(of) => of.clone(),
        Pattern::Any(letter) => bound.get(letter).cloned().unwrap_or(Type::Dyn),
        Pattern::List(of) => Type::list(made(of, bound)),
        Pattern::Optional(of) => Type::optional(made(of, bound)),
        Pattern::Map(key, value) => Type::Map(Arc::new((made(key, bound), made(value, bound)))),
    }
}
