//! Feature gates: client-go's switches, under their names, with their defaults.
//!
//! A gate is a [`Feature`]; whether it is on is for a [`FeatureGates`] to say, a value that components take among their
//! options. The one hidden state is the process default ([`FeatureGates::global`]), which is what those options
//! default to.
//!
//! Where client-go names gates by strings and panics on one it doesn't know, here the compiler refuses it; the
//! functions that take a name return [`FeatureError::Unknown`].

use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc, LazyLock, OnceLock, PoisonError, RwLock,
        atomic::{AtomicU8, Ordering},
    },
};

/// A switch of client-go's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// A whole list or resync is one entry of an informer's queue.
    AtomicFifo,
    /// CA files are read again while the client runs.
    ClientsAllowCaRotation,
    /// CBOR may be asked for and sent.
    ClientsAllowCbor,
    /// Connections that nobody uses are dropped from the transport cache.
    ClientsAllowTlsCacheGc,
    /// CBOR is what is sent by default; needs [`ClientsAllowCbor`](Self::ClientsAllowCbor) too.
    ClientsPreferCbor,
    /// Informers deliver events in the order of the watch.
    InOrderInformers,
    /// Informers take several events off their queue at once.
    InOrderInformersBatchProcess,
    /// An informer tells the resource version that it has reached.
    InformerResourceVersion,
    /// An informer's queue takes new events while one is processed; needs [`AtomicFifo`](Self::AtomicFifo).
    UnlockWhileProcessingFifo,
    /// Lists come as a stream of watch events, where the server can.
    WatchListClient,
}

/// What is said of a feature from one version of Kubernetes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FeatureSpec {
    /// Since which version this holds; `None` where versions don't matter.
    pub since: Option<KubeVersion>,
    /// Is the feature on unless something says otherwise?
    pub default: bool,
    /// Does nothing else count than the default?
    pub locked: bool,
    /// How ripe it is.
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

/// How ripe a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// May change or go.
    Alpha,
    /// Here to stay, in one form or another.
    Beta,
    /// Settled.
    Ga,
    /// On its way out.
    Deprecated,
}

/// Why a feature can't be set or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// There is no feature of this name.
    #[error("feature {0:?} is not registered")]
    Unknown(String),
    /// The feature stays at its default.
    #[error("cannot set feature gate \"{feature}\" to {}, feature is locked to {locked_to}", !locked_to)]
    Locked {
        /// The feature.
        feature: Feature,
        /// Its default.
        locked_to: bool,
    },
    /// The gates are someone else's: they are set where they come from.
    #[error("these feature gates are set by their provider")]
    Provided,
}

/// Says which features are on. For gates that follow other rules than the environment's, such as command-line flags.
pub trait Gates: Send + Sync + 'static {
    /// Is the feature on? Called often: must be cheap and must not block.
    fn enabled(&self, feature: Feature) -> bool;
}

/// Which features are on. A clone is a handle to the same gates.
///
/// What was [`set`](Self::set) counts first, then the environment, then the default. The environment has a variable
/// for each feature, `KUBE_FEATURE_` and its name, with a boolean as Go writes it (`1`, `t`, `true`, …). All are read
/// once, on the first question; what can't be understood and what goes against a lock is logged and ignored.
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

    /// What was said of it from version to version, the latest last. Never empty.
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

    /// What is said of it now: the last of its [`history`](Self::history), without the version.
    pub const fn spec(self) -> FeatureSpec {
        let history = self.history();
        FeatureSpec { since: None, ..history[history.len() - 1] }
    }
}

const fn since(minor: u16, default: bool, stage: Stage) -> FeatureSpec {
    FeatureSpec { since: Some(KubeVersion { major: 1, minor }), default, locked: false, stage }
}

impl FeatureGates {
    /// Gates that nothing has been set on, over the process's environment.
    pub fn new() -> Self {
        // What is not Unicode is no boolean either, and is to be logged as such.
        Self::with_env(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// Gates over another environment. `lookup` is called once for each feature, on the first question.
    pub fn with_env(lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Source::Own(Arc::new(OwnGates {
            lookup: Box::new(lookup),
            from_env: OnceLock::new(),
            set: Default::default(),
        })))
    }

    /// Gates that another provider answers for.
    pub fn provided_by(gates: impl Gates) -> Self {
        Self(Source::Provided(Arc::new(gates)))
    }

    /// The process default.
    pub fn global() -> Self {
        GLOBAL.get()
    }

    /// Makes these the process default, from the next [`global`](Self::global) on. To be done before anything asks: if
    /// the old one has been asked already, some component may have followed it; then this logs an error and
    /// returns true.
    pub fn replace_global(self) -> bool {
        GLOBAL.replace(self)
    }

    /// Is the feature on?
    pub fn enabled(&self, feature: Feature) -> bool {
        match &self.0 {
            Source::Own(gates) => gates.enabled(feature),
            Source::Provided(gates) => gates.enabled(feature),
        }
    }

    /// Is the feature of this name on?
    pub fn enabled_by_name(&self, name: &str) -> Result<bool, FeatureError> {
        Ok(self.enabled(name.parse()?))
    }

    /// Turns a feature on or off, whatever the environment says. A locked one only takes its default.
    pub fn set(&self, feature: Feature, on: bool) -> Result<(), FeatureError> {
        let spec = feature.spec();
        if spec.locked && spec.default != on {
            return Err(FeatureError::Locked { feature, locked_to: spec.default });
        }
        self.set_ignoring_lock(feature, on)
    }

    /// Turns the feature of this name on or off, as [`set`](Self::set).
    pub fn set_by_name(&self, name: &str, on: bool) -> Result<(), FeatureError> {
        self.set(name.parse()?, on)
    }

    /// As [`set`](Self::set), but a locked feature too. For tests of what the other value does.
    pub fn set_ignoring_lock(&self, feature: Feature, on: bool) -> Result<(), FeatureError> {
        let Source::Own(gates) = &self.0 else { return Err(FeatureError::Provided) };
        gates.set[feature as usize].store(if on { ON } else { OFF }, Ordering::Release);
        Ok(())
    }

    /// Has the environment been read? It is on the first question; setting reads nothing.
    pub fn has_read_env(&self) -> bool {
        match &self.0 {
            Source::Own(gates) => gates.from_env.get().is_some(),
            Source::Provided(_) => false,
        }
    }
}

/// As [`FeatureGates::global`].
impl Default for FeatureGates {
    fn default() -> Self {
        Self::global()
    }
}

/// Shows what is set, and reads nothing.
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
    /// `OFF`, `ON`, or 0 where nothing was set.
    set: PerFeature<AtomicU8>,
}

impl OwnGates {
    fn enabled(&self, feature: Feature) -> bool {
        // Read even where a set value makes it irrelevant: whoever asks has used these gates.
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
