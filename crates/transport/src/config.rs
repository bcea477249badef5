//! Where the server is, who asks, and how: all that a client needs to begin.

use std::{env, fmt, str::FromStr, time::Duration};

use http::Uri;

use crate::{
    auth::config::{AuthOptions, Impersonate},
    tls_source::{Material, TlsOptions},
};

client_rs_machinery::options! {
    /// Everything a client needs to talk to one API server as one user. Plain data: building one opens nothing.
    ///
    /// `Debug` shows no secret. Two equal configs may share one connection.
    #[derive(Clone, PartialEq)]
    pub struct Config {
        /// The server's URL: scheme, host, port and, if the API lives below one, a path.
        ///
        /// If the scheme is not `https`, no credentials are sent (impersonation, which is no secret, still is).
        pub server: Uri => with_server,
        /// The namespace to use where the caller names none. Default: `default`.
        pub default_namespace: String => with_default_namespace,
        /// Certificates of both sides.
        pub tls: TlsOptions => with_tls,
        /// Who asks.
        pub auth: AuthOptions => with_auth,
        /// In whose name, if not in one's own. Default: none.
        pub impersonate: Option<Impersonate> => with_impersonate,
        /// The proxy to go through. Default: what the environment says (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`).
        pub proxy: Option<ProxyUrl> => with_proxy,
        /// The authorities that may sign the certificate of a proxy whose URL begins with `https`. The options in
        /// [`tls`](Self::tls) are about the server alone: such a proxy is always verified, and is shown no client
        /// certificate. Default: those of the system.
        pub proxy_ca: Option<Material> => with_proxy_ca,
        /// Don't ask for compressed answers: saves CPU on both sides where the network is fast. Default: false.
        pub disable_compression: bool => with_disable_compression,
        /// Requests a second that the client allows itself in the long run. Zero means the default, and so does a negative
        /// number. Default: no limit.
        ///
        /// client-go's default is 5, which it keeps for compatibility: it dates from before API Priority and Fairness, by which
        /// every supported server shares itself out between its clients. An operator with a few hundred objects waits minutes
        /// for such a limit. controller-runtime has turned it off for the same reason. Set a limit where a server has no
        /// priority and fairness, or to protect others of the same priority level.
        pub qps: f32 => with_qps,
        /// Requests that may go out at once after a pause, where [`qps`](Self::qps) limits them. Zero means the default.
        /// Default: 10.
        pub burst: u32 => with_burst,
        /// How long one request may take as a whole, watches included. Default: no limit.
        pub timeout: Option<Duration> => with_timeout,
        /// What the client calls itself. Default: see [`default_user_agent`].
        pub user_agent: String => with_user_agent,
        /// The media types to ask for, as an `Accept` header. Default: what suits the kind of client.
        pub accept: Option<String> => with_accept,
        /// The media type to send. Default: what suits the kind of client.
        pub content_type: Option<String> => with_content_type,
    }
}

/// A proxy's URL: its scheme is one of `http`, `https`, `socks5`. `Debug` and `Display` hide the password.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProxyUrl(String);

/// Why a [`Config`] can't be made from what was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The server's address is not a URL, nor a host with an optional port.
    #[error("server {server:?} is not a usable URL: {reason}; write it as https://host:port")]
    Server {
        /// What was given; no user information in it.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The proxy's URL can't be used.
    #[error("proxy-url {url:?} is not usable: {reason}")]
    Proxy {
        /// What was given, without a password.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A timeout that is neither a number of seconds nor a duration.
    #[error("timeout {0:?} is neither a whole number of seconds nor a duration such as 1s, 2m or 3h")]
    Timeout(String),
}

impl Config {
    /// Requests at once, where their rate is limited and nothing else is said.
    pub const DEFAULT_BURST: u32 = 10;

    /// A config for this server, with every default and no credentials.
    pub fn new(server: Uri) -> Self {
        Self {
            server,
            default_namespace: "default".to_owned(),
            tls: TlsOptions::default(),
            auth: AuthOptions::default(),
            impersonate: None,
            proxy: None,
            proxy_ca: None,
            disable_compression: false,
            qps: 0.0,
            burst: 0,
            timeout: None,
            user_agent: default_user_agent(),
            accept: None,
            content_type: None,
        }
    }

    /// The server's URL as text, without a lone slash at its end.
    pub fn server_url(&self) -> String {
        let url = self.server.to_string();
        if self.server.path() == "/" { url.trim_end_matches('/').to_owned() } else { url }
    }

    /// Is the connection encrypted? Without that, no credentials are sent.
    pub fn uses_tls(&self) -> bool {
        self.server.scheme() == Some(&http::uri::Scheme::HTTPS)
    }

    /// The same server and manners, but nobody in particular: no credentials, no client certificate, no impersonation.
    #[must_use]
    pub fn anonymous(&self) -> Self {
        let tls = TlsOptions { client_certificate: None, client_key: None, ..self.tls.clone() };
        Self { tls, auth: AuthOptions::default(), impersonate: None, ..self.clone() }
    }

    /// Calls the client by the default name, followed by a slash and this.
    #[must_use]
    pub fn with_user_agent_suffix(mut self, suffix: &str) -> Self {
        self.user_agent = format!("{}/{suffix}", default_user_agent());
        self
    }
}

/// Reads a server's address as people write it.
///
/// Nothing at all means `localhost`. Without a scheme it is `https` if `tls` (some TLS option is set), else `http`.
/// Query and fragment are dropped. A host without a scheme can't have a path: one can't tell what was meant.
pub fn parse_server(server: &str, tls: bool) -> Result<Uri, ConfigError> {
    let refuse =
        |reason: &str| ConfigError::Server { server: without_user_info(server), reason: reason.to_owned() };
    let server = if server.is_empty() { "localhost" } else { server };
    let url = if let Some((scheme, rest)) = server.split_once("://") {
        format!("{}://{rest}", scheme.to_ascii_lowercase())
    } else if server.contains('/') {
        return Err(refuse("a host without a scheme can't be followed by a path"));
    } else {
        format!("{}://{server}", if tls { "https" } else { "http" })
    };
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let uri = Uri::from_str(url).map_err(|error| refuse(&error.to_string()))?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        _ => return Err(refuse("the scheme must be http or https")),
    }
    match uri.authority() {
        Some(authority) if authority.as_str().contains('@') => {
            Err(refuse("it must not hold a user or password"))
        }
        Some(authority) if authority.host().is_empty() => Err(refuse("it names no host")),
        Some(_) => Ok(uri),
        None => Err(refuse("it names no host")),
    }
}

/// Reads a timeout: a whole number of seconds, or a duration such as `2m30s`. Zero means none.
pub fn parse_timeout(text: &str) -> Result<Option<Duration>, ConfigError> {
    let refuse = || ConfigError::Timeout(text.to_owned());
    let timeout = if let Ok(seconds) = text.parse::<u64>() {
        Duration::from_secs(seconds)
    } else {
        let nanos = client_rs_machinery::Duration::parse(text).map_err(|_| refuse())?.as_nanos();
        Duration::from_nanos(nanos.try_into().map_err(|_| refuse())?)
    };
    Ok((!timeout.is_zero()).then_some(timeout))
}

/// `<program>/<version> (<os>/<arch>) kubernetes/unknown`: the default user agent, in the shape that API servers' logs know
/// from client-go.
pub fn default_user_agent() -> String {
    let program = env::args_os().next().map(std::path::PathBuf::from);
    let program = program.as_deref().and_then(|path| path.file_name()).and_then(|name| name.to_str());
    user_agent(program.unwrap_or_default(), env!("CARGO_PKG_VERSION"), env::consts::OS, env::consts::ARCH, "")
}

fn user_agent(program: &str, version: &str, os: &str, arch: &str, commit: &str) -> String {
    let known = |text: &str| if text.is_empty() { "unknown".to_owned() } else { text.to_owned() };
    // A header can't hold everything that a file name can.
    let program: String = program.chars().filter(char::is_ascii_graphic).collect();
    let version = version.split('-').next().unwrap_or_default();
    let commit: String = commit.chars().take(7).collect();
    format!(
        "{}/{} ({}/{}) kubernetes/{}",
        known(&program),
        known(version),
        known(os),
        known(go_arch(arch)),
        known(&commit)
    )
}

/// What Go calls the architecture: servers' dashboards group by it.
fn go_arch(arch: &str) -> &str {
    match arch {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        "powerpc64" => "ppc64le",
        other => other,
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            server,
            default_namespace,
            tls,
            auth,
            impersonate,
            proxy,
            proxy_ca,
            disable_compression,
            qps,
            burst,
            timeout,
            user_agent,
            accept,
            content_type,
        } = self;
        f.debug_struct("Config")
            // A server that was not parsed by us may have a password in its URL.
            .field("server", &format_args!("{}", without_user_info(&server.to_string())))
            .field("default_namespace", default_namespace)
            .field("tls", tls)
            .field("auth", auth)
            .field("impersonate", impersonate)
            .field("proxy", proxy)
            .field("proxy_ca", proxy_ca)
            .field("disable_compression", disable_compression)
            .field("qps", qps)
            .field("burst", burst)
            .field("timeout", timeout)
            .field("user_agent", user_agent)
            .field("accept", accept)
            .field("content_type", content_type)
            .finish()
    }
}

impl ProxyUrl {
    /// The URL, with its password if it has one.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `http`, `https` or `socks5`.
    pub fn scheme(&self) -> &str {
        self.0.split_once("://").map_or("", |(scheme, _)| scheme)
    }
}

impl FromStr for ProxyUrl {
    type Err = ConfigError;

    fn from_str(url: &str) -> Result<Self, ConfigError> {
        let refuse =
            |reason: &str| ConfigError::Proxy { url: without_user_info(url), reason: reason.to_owned() };
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let scheme = scheme.to_ascii_lowercase();
        if !["http", "https", "socks5"].contains(&&*scheme) {
            return Err(refuse(&format!("unsupported scheme {scheme:?}, must be http, https, or socks5")));
        }
        let uri = Uri::from_str(&format!("http://{rest}")).map_err(|error| refuse(&error.to_string()))?;
        match uri.host() {
            Some(host) if !host.is_empty() => Ok(Self(format!("{scheme}://{rest}"))),
            _ => Err(refuse("it names no host")),
        }
    }
}

impl fmt::Display for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_user_info(&self.0))
    }
}

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", without_user_info(&self.0))
    }
}

/// The URL with anything before an `@` in its authority replaced: that is where people put passwords. In text that
/// is not a URL, anything before the last `@` is replaced.
pub(crate) fn without_user_info(url: &str) -> String {
    let (start, end) = authority(url).unwrap_or((0, url.len()));
    match url[start..end].rfind('@') {
        Some(at) => format!("{}[redacted]{}", &url[..start], &url[start + at..]),
        None => url.to_owned(),
    }
}

/// The range of the authority of a URL; `None` without one, or if its host is not valid.
fn authority(url: &str) -> Option<(usize, usize)> {
    let scheme = url.find("://").filter(|end| *end > 0)?;
    let start = scheme + 3;
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    let host = url[start..end].rsplit('@').next().unwrap_or_default();
    let is_name =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte));
    let is_port = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = if let Some((address, port)) = host.split_once(']') {
        let address = address.strip_prefix('[').unwrap_or("/");
        address.split(':').all(is_name) && port.strip_prefix(':').map_or(port.is_empty(), is_port)
    } else {
        let (name, port) = host.split_once(':').unwrap_or((host, "0"));
        !name.is_empty() && is_name(name) && is_port(port)
    };
    let is_scheme = url[..scheme].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    (is_scheme && is_host).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Secret,
        auth::{
            AuthProviderConfig, BasicAuth,
            exec::{ExecConfig, ExecEnv},
        },
    };

    #[test]
    fn t3_1_01_https_host_ca_cert_or_insecure_imply_tls_http_host_does_not() {
        let data = || Some(Material::Data("PEM".into()));
        let tls = |server: &str, options: TlsOptions| {
            Config::new(parse_server(server, options.implies_tls()).unwrap()).uses_tls()
        };
        let none = TlsOptions::default;
        assert!(!tls("", none()) && !tls("host:80", none()) && !tls("http://host", none()));
        assert!(tls("https://host", none()));
        assert!(tls("host", TlsOptions { ca: data(), ..none() }));
        assert!(tls("host", TlsOptions { client_certificate: data(), client_key: data(), ..none() }));
        assert!(tls("host", TlsOptions { insecure_skip_verify: true, ..none() }));
        assert!(!tls("host", TlsOptions { server_name: Some("name".to_owned()), ..none() }));
        assert!(!tls("http://host", TlsOptions { ca: data(), ..none() }), "what was said counts");
        assert_eq!(parse_server("", true).unwrap(), "https://localhost");
        assert_eq!(parse_server("[::1]:6443", true).unwrap(), "https://[::1]:6443");
        assert!(parse_server("host:80/path", true).is_err());
        assert!(tls("HTTPS://host", none()), "a scheme has no case");
        assert_eq!("SOCKS5://p".parse::<ProxyUrl>().unwrap().scheme(), "socks5");
    }

    #[test]
    fn t3_1_02_default_agent_composed_of_command_version_platform_commit_with_unknown_fallbacks() {
        assert_eq!(
            user_agent("app", "1.2.3-alpha.4", "linux", "x86_64", "0123456789abcdef"),
            "app/1.2.3 (linux/amd64) kubernetes/0123456"
        );
        assert_eq!(user_agent("", "", "", "", ""), "unknown/unknown (unknown/unknown) kubernetes/unknown");
        assert_eq!(user_agent("my äpp\n", "1", "macos", "aarch64", "x"), "mypp/1 (macos/arm64) kubernetes/x");
        assert!(http::HeaderValue::try_from(default_user_agent()).is_ok());
        let config = Config::new(Uri::from_static("https://k"))
            .with_user_agent_suffix("one")
            .with_user_agent_suffix("two");
        assert_eq!(config.user_agent, format!("{}/two", default_user_agent()));
    }

    fn full() -> Config {
        Config {
            default_namespace: "ns".to_owned(),
            tls: TlsOptions {
                ca: Some(Material::Data("CA".into())),
                client_certificate: Some(Material::Data("CERT-hunter2".into())),
                client_key: Some(Material::Data("KEY-hunter2".into())),
                server_name: Some("name".to_owned()),
                insecure_skip_verify: true,
            },
            auth: AuthOptions {
                token: Some(Secret::from("hunter2")),
                token_file: Some("token".into()),
                basic: Some(BasicAuth { username: "me".to_owned(), password: "hunter2".into() }),
                exec: Some(ExecConfig {
                    command: "plugin".to_owned(),
                    args: vec!["hunter2".to_owned()],
                    env: vec![ExecEnv { value: "hunter2".to_owned(), ..ExecEnv::default() }],
                    cluster_extension: Some("hunter2".into()),
                    ..ExecConfig::default()
                }),
                provider: Some(AuthProviderConfig {
                    config: [("refresh-token".to_owned(), "hunter2".to_owned())].into(),
                    ..AuthProviderConfig::default()
                }),
                persist: None,
            },
            impersonate: Some(Impersonate { user: "jane".to_owned(), ..Impersonate::default() }),
            proxy: Some("http://me:hunter2@proxy".parse().unwrap()),
            proxy_ca: Some(Material::Data("CA".into())),
            disable_compression: true,
            qps: 50.0,
            burst: 100,
            timeout: Some(Duration::from_secs(1)),
            user_agent: "agent".to_owned(),
            accept: Some("application/json".to_owned()),
            content_type: Some("application/json".to_owned()),
            ..Config::new(Uri::from_static("https://me:hunter2@k"))
        }
    }

    #[test]
    fn t3_1_05_anonymous_and_copy_cover_every_field() {
        let config = full();
        assert_eq!(config.clone(), config);
        let anonymous = config.anonymous();
        let tls = TlsOptions { client_certificate: None, client_key: None, ..config.tls.clone() };
        let expected = Config { auth: AuthOptions::default(), impersonate: None, tls, ..config };
        assert_eq!(anonymous, expected);
        assert!(anonymous.auth.is_anonymous());
    }

    #[test]
    fn t3_1_06_printing_a_config_never_shows_password_token_key_or_exec_config() {
        for text in [format!("{:?}", full()), format!("{:#?}", full())] {
            assert!(!text.contains("hunter2"), "{text}");
            assert!(text.contains("plugin") && text.contains("https://[redacted]@k"), "{text}");
        }
        assert_eq!(full().proxy.unwrap().to_string(), "http://[redacted]@proxy");
        assert_eq!(without_user_info("https://a@b/c@d"), "https://[redacted]@b/c@d");
        assert_eq!(without_user_info("https://b/c@d"), "https://b/c@d");
        assert_eq!(without_user_info("a:b@c"), "[redacted]@c");
        assert_eq!(without_user_info("https://[::1]:6443/c@d"), "https://[::1]:6443/c@d");
        // Typical mistakes: a scheme twice, no scheme, a password with an unescaped slash.
        for wrong in ["https://https://a:word@b", "://://a:word@b", "https://a:wo/word@b"] {
            assert_eq!(
                without_user_info(wrong),
                "[redacted]@".to_owned() + wrong.rsplit('@').next().unwrap()
            );
        }
    }
}
