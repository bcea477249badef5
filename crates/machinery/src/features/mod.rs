//! Feature gates: client-go's switches, with the same names and defaults.
//!
//! A [`Feature`] is one gate. A [`FeatureGates`] value holds which gates are on; components take one in their
//! options. Options default to the gates of the process, [`FeatureGates::global`], which is the only hidden state.
//!
//! ```
//! use client_rs_machinery::features::{Feature, FeatureError, FeatureGates};
//!
//! // `KUBE_FEATURE_WatchListClient=false` in the environment, as with client-go.
//! let gates = FeatureGates::with_env(|name| (name == "KUBE_FEATURE_WatchListClient").then(|| "false".into()));
//! assert!(!gates.enabled(Feature::WatchListClient));
//!
//! // A set value takes precedence over the environment.
//! gates.set(Feature::WatchListClient, true)?;
//! assert!(gates.enabled(Feature::WatchListClient));
//!
//! assert_eq!(gates.set_by_name("NoSuchFeature", true), Err(FeatureError::Unknown("NoSuchFeature".into())));
//! # Ok::<(), FeatureError>(())
//! ```
//!
//! client-go names gates by strings and panics on an unknown one. Here the compiler refuses it; the functions that
//! take a name return [`FeatureError::Unknown`].

use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc, LazyLock, OnceLock, PoisonError, RwLock,
        atomic::{AtomicU8, Ordering},
    },
};

/// A feature gate of client-go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// An informer's queue takes a whole list or resync as one entry.
    AtomicFifo,
    /// The client rereads CA files while it runs.
    ClientsAllowCaRotation,
    /// The client may request and send CBOR.
    ClientsAllowCbor,
    /// The transport cache drops unused connections.
    ClientsAllowTlsCacheGc,
    /// The client sends CBOR by default; also needs [`ClientsAllowCbor`](Self::ClientsAllowCbor).
    ClientsPreferCbor,
    /// Informers deliver events in the order of the watch.
    InOrderInformers,
    /// Informers take several events off their queue at a time.
    InOrderInformersBatchProcess,
    /// An informer reports the resource version that it has reached.
    InformerResourceVersion,
    /// An informer's queue accepts new events while one is processed; needs [`AtomicFifo`](Self::AtomicFifo).
    UnlockWhileProcessingFifo,
    /// Lists arrive as a stream of watch events, if the server supports it.
    WatchListClient,
}

/// The default and the stage of a feature since one version of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FeatureSpec {
    /// The first version to which this applies; `None` if versions do not matter.
    pub since: Option<KubeVersion>,
    /// Whether the feature is on by default.
    pub default: bool,
    /// Whether the feature is fixed at its default.
    pub locked: bool,
    /// The maturity of the feature.
    pub stage: Stage,
}

/// A version of Kubernetes, such as 1.36.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KubeVersion {
    /// The number before the dot.
    pub major: u16,
    /// The number after the dot.
    pub minor: u16,
}

/// The maturity of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// May change or be removed.
    Alpha,
    /// Will stay, but details may change.
    Beta,
    /// Generally available: stable.
    Ga,
    /// Will be removed.
    Deprecated,
}

/// A feature that cannot be set or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// No feature has this name.
    #[error("feature {0:?} is not registered")]
    Unknown(String),
    /// The feature is fixed at its default.
    #[error("cannot set feature gate \"{feature}\" to {}, feature is locked to {locked_to}", !locked_to)]
    Locked {
        /// The feature.
        feature: Feature,
        /// Its default.
        locked_to: bool,
    },
    /// The gates come from a [`Gates`] provider: set them there.
    #[error("these feature gates are set by their provider")]
    Provided,
}

/// A provider of gates with other rules than the environment, such as command-line flags.
///
/// ```
/// use client_rs_machinery::features::{Feature, FeatureGates, Gates};
///
/// struct Flags { watch_list: bool }
///
/// impl Gates for Flags {
///     fn enabled(&self, feature: Feature) -> bool {
///         match feature {
///             Feature::WatchListClient => self.watch_list,
///             other => other.spec().default,
///         }
///     }
/// }
///
/// let gates = FeatureGates::provided_by(Flags { watch_list: false });
/// assert!(!gates.enabled(Feature::WatchListClient));
/// ```
pub trait Gates: Send + Sync + 'static {
    /// Whether the feature is on. It is called often: it must be cheap and must not block.
    fn enabled(&self, feature: Feature) -> bool;
}

/// A set of gates: the features that are on. A clone is a handle to the same gates.
///
/// A value from [`set`](Self::set) counts first, then the environment, then the default. Each feature has an
/// environment variable, `KUBE_FEATURE_` and its name, with a boolean in Go's syntax (`1`, `t`, `true`, …). All
/// variables are read once, when a feature is first queried. A value that is not a boolean, or that contradicts a
/// locked feature, is logged and ignored.
#[derive(Clone)]
pub struct FeatureGates(Source);

#[derive(Clone)]
enum Source {
    Own(Arc<OwnGates>),
    Provided(Arc<dyn Gates>),
}

impl Feature {
    /// All features, in the order of their names.
    pub const ALL: [Self; 10] = [
        Self::AtomicFifo,
        Self::ClientsAllowCaRotation,
        Self::ClientsAllowCbor,
        Self::ClientsAllowTlsCacheGc,
        Self::ClientsPreferCbor,
        Self::InOrderInformers,
        Self::InOrderInformersBatchProcess,
        Self::InformerResourceVersion,
        Self::UnlockWhileProcessingFifo,
        Self::WatchListClient,
    ];

    /// client-go's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtomicFifo => "AtomicFIFO",
            Self::ClientsAllowCaRotation => "ClientsAllowCARotation",
            Self::ClientsAllowCbor => "ClientsAllowCBOR",
            Self::ClientsAllowTlsCacheGc => "ClientsAllowTLSCacheGC",
            Self::ClientsPreferCbor => "ClientsPreferCBOR",
            Self::InOrderInformers => "InOrderInformers",
            Self::InOrderInformersBatchProcess => "InOrderInformersBatchProcess",
            Self::InformerResourceVersion => "InformerResourceVersion",
            Self::UnlockWhileProcessingFifo => "UnlockWhileProcessingFIFO",
            Self::WatchListClient => "WatchListClient",
        }
    }

    /// Returns its defaults and stages from version to version, the latest last. Never empty.
    pub const fn history(self) -> &'static [FeatureSpec] {
        const BETA_ON_1_35: &[FeatureSpec] = &[since(35, true, Stage::Beta)];
        const BETA_ON_1_36: &[FeatureSpec] = &[since(36, true, Stage::Beta)];
        const ALPHA_OFF_1_32: &[FeatureSpec] = &[since(32, false, Stage::Alpha)];
        match self {
            Self::AtomicFifo
            | Self::ClientsAllowCaRotation
            | Self::ClientsAllowTlsCacheGc
            | Self::UnlockWhileProcessingFifo => BETA_ON_1_36,
            Self::InOrderInformersBatchProcess => BETA_ON_1_35,
            Self::ClientsAllowCbor | Self::ClientsPreferCbor => ALPHA_OFF_1_32,
            Self::InOrderInformers => {
                const {
                    &[
                        since(33, true, Stage::Beta),
                        FeatureSpec { locked: true, ..since(36, true, Stage::Ga) },
                    ]
                }
            }
            Self::InformerResourceVersion => {
                const { &[since(30, false, Stage::Alpha), since(35, true, Stage::Ga)] }
            }
            Self::WatchListClient => const { &[since(30, false, Stage::Beta), since(35, true, Stage::Beta)] },
        }
    }

    /// Returns its current default and stage: the last of its [`history`](Self::history), without the version.
    pub const fn spec(self) -> FeatureSpec {
        let history = self.history();
        FeatureSpec { since: None, ..history[history.len() - 1] }
    }
}

const fn since(minor: u16, default: bool, stage: Stage) -> FeatureSpec {
    FeatureSpec { since: Some(KubeVersion { major: 1, minor }), default, locked: false, stage }
}

impl FeatureGates {
    /// Creates gates without set values, on top of the environment of the process.
    pub fn new() -> Self {
        // A value that is not Unicode is not a boolean either, and is logged as such.
        Self::with_env(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// Creates gates on top of another environment. `lookup` is called once per feature, when a feature is first
    /// queried.
    pub fn with_env(lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Source::Own(Arc::new(OwnGates {
            lookup: Box::new(lookup),
            from_env: OnceLock::new(),
            set: Default::default(),
        })))
    }

    /// Creates gates that a provider decides.
    pub fn provided_by(gates: impl Gates) -> Self {
        Self(Source::Provided(Arc::new(gates)))
    }

    /// Returns the gates of the process, which options use by default.
    pub fn global() -> Self {
        GLOBAL.get()
    }

    /// Makes these the gates of the process, from the next [`global`](Self::global) on. Call it before any component
    /// starts: if the old gates have already been queried, some component may follow them. Then this logs an error
    /// and returns true.
    pub fn replace_global(self) -> bool {
        GLOBAL.replace(self)
    }

    /// Whether the feature is on.
    pub fn enabled(&self, feature: Feature) -> bool {
        match &self.0 {
            Source::Own(gates) => gates.enabled(feature),
            Source::Provided(gates) => gates.enabled(feature),
        }
    }

    /// Whether the feature of this name is on.
    pub fn enabled_by_name(&self, name: &str) -> Result<bool, FeatureError> {
        Ok(self.enabled(name.parse()?))
    }

    /// Turns a feature on or off, regardless of the environment.
    ///
    /// # Errors
    ///
    /// [`FeatureError::Locked`] for another value than the default of a locked feature, and
    /// [`FeatureError::Provided`] for gates of a provider.
    pub fn set(&self, feature: Feature, on: bool) -> Result<(), FeatureError> {
        let spec = feature.spec();
        if spec.locked && spec.default != on {
            return Err(FeatureError::Locked { feature, locked_to: spec.default });
        }
        self.set_ignoring_lock(feature, on)
    }

    /// Turns the feature of this name on or off, like [`set`](Self::set).
    pub fn set_by_name(&self, name: &str, on: bool) -> Result<(), FeatureError> {
        self.set(name.parse()?, on)
    }

    /// Like [`set`](Self::set), but also sets a locked feature. For tests of the other value.
    pub fn set_ignoring_lock(&self, feature: Feature, on: bool) -> Result<(), FeatureError> {
        let Source::Own(gates) = &self.0 else { return Err(FeatureError::Provided) };
        gates.set[feature as usize].store(if on { ON } else { OFF }, Ordering::Release);
        Ok(())
    }

    /// Whether the environment has been read. The first query reads it; `set` does not.
    pub fn has_read_env(&self) -> bool {
        match &self.0 {
            Source::Own(gates) => gates.from_env.get().is_some(),
            Source::Provided(_) => false,
        }
    }
}

/// The same as [`FeatureGates::global`].
impl Default for FeatureGates {
    fn default() -> Self {
        Self::global()
    }
}

/// Shows the set values, and does not read the environment.
impl fmt::Debug for FeatureGates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::Own(gates) => {
                let set = Feature::ALL.iter().filter_map(|&feature| Some((feature, gates.was_set(feature)?)));
                f.debug_map().entries(set).finish()
            }
            Source::Provided(_) => f.write_str("FeatureGates(provided)"),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Feature {
    type Err = FeatureError;

    fn from_str(name: &str) -> Result<Self, FeatureError> {
        let found = Self::ALL.into_iter().find(|feature| feature.name() == name);
        found.ok_or_else(|| FeatureError::Unknown(name.into()))
    }
}

impl fmt::Display for KubeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

type PerFeature<T> = [T; Feature::ALL.len()];

const OFF: u8 = 1;
const ON: u8 = 2;

type Lookup = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

struct OwnGates {
    lookup: Lookup,
    from_env: OnceLock<PerFeature<Option<bool>>>,
    /// `OFF`, `ON`, or 0 if no value was set.
    set: PerFeature<AtomicU8>,
}

impl OwnGates {
    fn enabled(&self, feature: Feature) -> bool {
        // Read the environment even if a set value makes it irrelevant: it records that these gates have been
        // queried.
        let from_env = self.from_env.get_or_init(|| Feature::ALL.map(|feature| self.read_env(feature)));
        self.was_set(feature).or(from_env[feature as usize]).unwrap_or(feature.spec().default)
    }

    fn was_set(&self, feature: Feature) -> Option<bool> {
        match self.set[feature as usize].load(Ordering::Acquire) {
            OFF => Some(false),
            ON => Some(true),
            _ => None,
        }
    }

    fn read_env(&self, feature: Feature) -> Option<bool> {
        let text = (self.lookup)(&format!("KUBE_FEATURE_{feature}"))?;
        let spec = feature.spec();
        let Some(on) = parse_bool(&text) else {
            tracing::error!(%feature, value = text, "could not set feature gate: not a boolean");
            return None;
        };
        if spec.locked && on != spec.default {
            tracing::error!(%feature, value = on, locked_to = spec.default, "could not set feature gate: it is locked");
            return None;
        }
        tracing::debug!(%feature, enabled = on, "feature gate set by the environment");
        Some(on)
    }
}

/// Go's booleans.
fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

static GLOBAL: LazyLock<Slot> = LazyLock::new(|| Slot(RwLock::new(FeatureGates::new())));

/// Gates that can be swapped.
struct Slot(RwLock<FeatureGates>);

impl Slot {
    fn get(&self) -> FeatureGates {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, gates: FeatureGates) -> bool {
        let old = std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), gates);
        let already_used = old.has_read_env();
        if already_used {
            tracing::error!(
                "the default feature gates are replaced after they have been used; components started before may \
                 follow the old ones: check the order of initialization"
            );
        }
        already_used
    }
}

#[cfg(test)]
mod tests;
