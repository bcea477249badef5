//! Options: one program compiles with a release and with the next, which has one option more.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::{Map, ObjectKey, Str, options};

mod first {
    use std::time::Duration;

    client_rs_machinery::options! {
        /// As it was published first.
        #[derive(Debug, Default)]
        pub struct PollOptions {
            /// How often. Default: zero.
            pub interval: Duration => with_interval,
        }
    }
}

mod next {
    use std::time::Duration;

    client_rs_machinery::options! {
        /// With one option more.
        #[derive(Debug, Default)]
        pub struct PollOptions {
            /// How often. Default: zero.
            pub interval: Duration => with_interval,
            /// How long. Default: no limit.
            pub timeout: Option<Duration> => with_timeout,
        }
    }
}

macro_rules! program {
    ($release:ident) => {{
        let options = $release::PollOptions::default().with_interval(Duration::from_secs(2));
        let $release::PollOptions { interval, .. } = options;
        interval
    }};
}

#[test]
fn a_new_option_breaks_no_program() {
    assert_eq!(program!(first), program!(next));
    assert_eq!(
        next::PollOptions::default().with_timeout(Duration::from_secs(9)).timeout.unwrap().as_secs(),
        9
    );
}

trait Sink: Send + Sync {}

impl Sink for u8 {}

options! {
    /// Every shape of a field.
    #[derive(Default)]
    pub struct ShapeOptions<'a, K> {
        /// Text.
        pub name: String => with_name,
        /// Text that may be missing.
        pub label: Option<Str> => with_label,
        /// A file.
        pub file: Option<PathBuf> => with_file,
        /// A key.
        pub key: ObjectKey => with_key,
        /// A number that may be missing.
        pub limit: Option<u32> => with_limit,
        /// An address that may be missing.
        pub listen: Option<SocketAddr> => with_listen,
        /// A trait object that may be missing.
        pub sink: Option<Arc<dyn Sink>> => with_sink,
        /// A function that may be missing.
        pub function: Option<Arc<dyn Fn(&K) -> u8>> => with_function,
        /// Texts.
        pub names: Vec<String> => with_names,
        /// Values.
        pub values: Vec<Arc<u8>> => with_values,
        /// Pairs.
        pub pairs: BTreeMap<String, u8> => with_pairs,
        /// Pairs of texts.
        pub labels: Map<Str> => with_labels,
        /// A borrowed slice.
        pub borrowed: &'a [u8] => with_borrowed,
        /// A switch.
        pub on: bool => with_on,
    }
}

#[test]
fn setters_convert_their_arguments() {
    let options: ShapeOptions<'_, u8> = ShapeOptions::default()
        .with_name("a")
        .with_label("b")
        .with_file("c")
        .with_key(("ns", "d"))
        .with_limit(5)
        .with_listen(SocketAddr::from(([127, 0, 0, 1], 80)))
        .with_sink(Arc::new(1_u8))
        .with_function(Arc::new(|key| *key))
        .with_names(["x", "y"])
        .with_values([Arc::new(1)])
        .with_pairs([("k".to_owned(), 1)])
        .with_labels([("app", Str::from("web"))])
        .with_borrowed(&[1, 2])
        .with_on(true);
    assert_eq!((options.name.as_str(), options.label.as_deref()), ("a", Some("b")));
    assert_eq!((options.file.as_deref(), options.key.name.as_str()), (Some("c".as_ref()), "d"));
    assert!(options.listen.is_some() && options.sink.is_some() && options.on);
    assert_eq!(options.function.as_ref().unwrap()(&7), 7);
    assert_eq!((options.names.len(), options.values.len(), options.pairs["k"]), (2, 1, 1));
    assert_eq!((options.labels.get("app").map(Str::as_str), options.borrowed), (Some("web"), &[1, 2][..]));
    assert_eq!((options.limit, options.with_limit(None).limit), (Some(5), None));
}
