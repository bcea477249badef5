//! The macro that defines option structs.

/// Defines a struct of options that can grow: `#[non_exhaustive]`, with public fields to read and one setter per
/// field.
///
/// Every field names its setter, so that a search finds it. The setter has the documentation of the field. The
/// argument of a setter follows from the field's type:
///
/// | field | setter takes |
/// |---|---|
/// | `String`, `Str`, `PathBuf`, `Secret`, or an `Option` of them; `ObjectKey`, `SocketAddr` | `impl Into` of it |
/// | `Option` of a number, `Duration` or `SocketAddr` | the value, or an `Option` of it |
/// | another `Option<T>` | `T` |
/// | `Vec<T>` | `impl IntoIterator<Item = T>`; for texts and paths, any type that converts into them |
/// | `BTreeMap`, `HashMap`, `VecMap`, `Map<Str>` | `impl Into` of it, such as an array of pairs |
/// | anything else | the type itself |
///
/// A type is recognized by its last path segment: import it. All fields are public. Their only attributes are
/// documentation and, after it, one `#[cfg(…)]`.
/// ```
/// use std::time::Duration;
///
/// client_rs_machinery::options! {
///     /// The options of a poll.
///     #[derive(Clone, Debug, Default)]
///     pub struct PollOptions {
///         /// The name in logs. Default: none.
///         pub name: Option<String> => with_name,
///         /// The maximum duration. Default: no limit.
///         pub timeout: Option<Duration> => with_timeout,
///         /// Whether the first poll comes before the first wait. Default: false.
///         pub immediate: bool => with_immediate,
///     }
/// }
///
/// let options = PollOptions::default().with_name("pods").with_timeout(Duration::from_secs(1)).with_immediate(true);
/// assert_eq!(options.name.as_deref(), Some("pods"));
/// assert_eq!(options.with_timeout(None).timeout, None);
/// ```
///
/// Code of another crate cannot construct the struct from its fields, so that a new field does not break it:
///
/// ```compile_fail,E0639
/// let options = client_rs_machinery::wire::WatchOptions { max_frame: 1024 };
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* pub struct $name:ident $(<$($generic:tt),+>)? { $($body:tt)* }) => {
        $crate::options! {
            @ [[$(#[$meta])* #[non_exhaustive] pub struct $name] [$(<$($generic),+>)?] $name [] []] $($body)*
        }
    };

    // All fields are read.
    (@ [[$($head:tt)*] [$($generics:tt)*] $name:ident [$($fields:tt)*] [$($setters:tt)*]]) => {
        $($head)* $($generics)* { $($fields)* }

        impl $($generics)* $name $($generics)* { $($setters)* }
    };

    // Texts, paths and other types that many types convert into.
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: String => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (String) (impl ::core::convert::Into<String>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Str => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Str) (impl ::core::convert::Into<Str>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: PathBuf => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (PathBuf) (impl ::core::convert::Into<PathBuf>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: ObjectKey => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (ObjectKey) (impl ::core::convert::Into<ObjectKey>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Secret => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Secret) (impl ::core::convert::Into<Secret>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: SocketAddr => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (SocketAddr) (impl ::core::convert::Into<SocketAddr>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<Secret> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<Secret>) (impl ::core::convert::Into<Secret>) (::core::option::Option::Some($field.into())) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<String> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<String>) (impl ::core::convert::Into<String>) (::core::option::Option::Some($field.into())) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<Str> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<Str>) (impl ::core::convert::Into<Str>) (::core::option::Option::Some($field.into())) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<PathBuf> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<PathBuf>) (impl ::core::convert::Into<PathBuf>) (::core::option::Option::Some($field.into())) $($rest)* }
    };

    // Optional values: the value, or an `Option` of it.
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<Duration> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<Duration>) (impl ::core::convert::Into<Option<Duration>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<SocketAddr> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<SocketAddr>) (impl ::core::convert::Into<Option<SocketAddr>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<usize> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<usize>) (impl ::core::convert::Into<Option<usize>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<u64> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<u64>) (impl ::core::convert::Into<Option<u64>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<u32> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<u32>) (impl ::core::convert::Into<Option<u32>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<u16> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<u16>) (impl ::core::convert::Into<Option<u16>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<i64> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<i64>) (impl ::core::convert::Into<Option<i64>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<i32> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<i32>) (impl ::core::convert::Into<Option<i32>>) ($field.into()) $($rest)* }
    };

    // Other optional values. Not `impl Into<Option<…>>`: an `Arc::new(…)` becomes an `Arc<dyn …>` only where that
    // type is expected.
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Option<$type:ty> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Option<$type>) ($type) (::core::option::Option::Some($field)) $($rest)* }
    };

    // Collections.
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Vec<String> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Vec<String>) (impl ::core::iter::IntoIterator<Item = impl ::core::convert::Into<String>>) ($field.into_iter().map(::core::convert::Into::into).collect()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Vec<Str> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Vec<Str>) (impl ::core::iter::IntoIterator<Item = impl ::core::convert::Into<Str>>) ($field.into_iter().map(::core::convert::Into::into).collect()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Vec<PathBuf> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Vec<PathBuf>) (impl ::core::iter::IntoIterator<Item = impl ::core::convert::Into<PathBuf>>) ($field.into_iter().map(::core::convert::Into::into).collect()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Vec<$type:ty> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Vec<$type>) (impl ::core::iter::IntoIterator<Item = $type>) ($field.into_iter().collect()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: BTreeMap<$key:ty, $value:ty> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (BTreeMap<$key, $value>) (impl ::core::convert::Into<BTreeMap<$key, $value>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: VecMap<$key:ty, $value:ty> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (VecMap<$key, $value>) (impl ::core::convert::Into<VecMap<$key, $value>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: HashMap<$key:ty, $value:ty> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (HashMap<$key, $value>) (impl ::core::convert::Into<HashMap<$key, $value>>) ($field.into()) $($rest)* }
    };
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: Map<Str> => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter (Map<Str>) (impl ::core::convert::Into<Map<Str>>) ($field.into()) $($rest)* }
    };

    // The type itself.
    (@ $so_far:tt $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? pub $field:ident: $type:ty => $setter:ident, $($rest:tt)*) => {
        $crate::options! { @add $so_far [$($doc)*] [$($cfg)?] $field $setter ($type) ($type) ($field) $($rest)* }
    };

    // One more field and its setter: what it takes, and what that makes of the field.
    (@add [$head:tt $generics:tt $name:ident [$($fields:tt)*] [$($setters:tt)*]] [$($doc:literal)*] [$($cfg:meta)?] $field:ident $setter:ident
        ($type:ty) ($takes:ty) ($value:expr) $($rest:tt)*) => {
        $crate::options! {
            @ [
                $head $generics $name
                [$($fields)* $(#[doc = $doc])* $(#[cfg($cfg)])? pub $field: $type,]
                [
                    $($setters)*
                    #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                    #[doc = ""]
                    $(#[doc = $doc])*
                    $(#[cfg($cfg)])?
                    #[must_use]
                    pub fn $setter(mut self, $field: $takes) -> Self {
                        self.$field = $value;
                        self
                    }
                ]
            ]
            $($rest)*
        }
    };
}
