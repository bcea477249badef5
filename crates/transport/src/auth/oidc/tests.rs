//! A provider in memory, and paused time.

use super::{super::Persist, *};
use client_rs_machinery::collections::VecMap;

/// An unsigned token that expires at this second.
fn jwt(name: &str, exp: &str) -> String {
    let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}.{name}", part("{}"), part(&format!("{{\"exp\":{exp}}}")))
}

/// Returns the responses in turn, and records the requests.
#[derive(Clone, Default)]
struct Provider {
    answers: Arc<Mutex<VecDeque<(u16, String)>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// Method, URL and body; `Authorization`; the CA.
type Asked = (String, String, Option<Material>);

impl Provider {
    fn new(answers: &[(u16, &str)]) -> Self {
        let answers = answers.iter().map(|(code, body)| (*code, (*body).to_owned())).collect();
        Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(line, ..)| line.clone()).collect()
    }
}

impl TokenHttp for Provider {
    fn send(
        &self,
        request: Request<Bytes>,
        ca: Option<Material>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>> {
        let authorization = request.headers().get(header::AUTHORIZATION);
        let authorization = authorization.map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
        let body = String::from_utf8(request.body().to_vec()).unwrap();
        let line = format!("{} {} {body}", request.method(), request.uri()).trim_end().to_owned();
        self.asked.lock().unwrap().push((line, authorization, ca));
        let (code, body) = self.answers.lock().unwrap().pop_front().unwrap_or((500, String::new()));
        Box::pin(async move {
            tokio::task::yield_now().await;
            Ok(Response::builder().status(code).body(body.into()).unwrap())
        })
    }
}

#[derive(Default)]
struct Kept(Mutex<Vec<VecMap<String, String>>>, bool);

impl Persist for Kept {
    fn persist(&self, config: &VecMap<String, String>) -> Result<(), AuthError> {
        self.0.lock().unwrap().push(config.clone());
        if self.1 { Err(AuthError::Persist("disk full".to_owned())) } else { Ok(()) }
    }
}

fn settings(more: &[(&str, &str)]) -> AuthProviderConfig {
    let base = [(ISSUER, "https://issuer/"), (CLIENT_ID, "my client"), (CLIENT_SECRET, "s+cret")];
    let config =
        base.iter().chain(more).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    AuthProviderConfig { name: "oidc".to_owned(), config, ..AuthProviderConfig::default() }
}

fn flight(config: &AuthProviderConfig, http: &Provider) -> SingleFlight<HeaderValue> {
    new(config, Some(Arc::new(http.clone())), None, Clock::paused()).unwrap().1
}

async fn token(flight: &SingleFlight<HeaderValue>) -> Result<String, String> {
    let value = flight.get().await.map_err(|error| error.to_string())?.0;
    Ok(value.to_str().unwrap().trim_start_matches("Bearer ").to_owned())
}

const DISCOVERY: (u16, &str) =
    (200, r#"{"issuer":"https://issuer","token_endpoint":"https://issuer/token"}"#);

#[tokio::test(start_paused = true)]
async fn an_id_token_is_used_until_ten_seconds_before_its_end_and_then_refreshed_and_kept() {
    let [one, two] = [jwt("one", "100"), jwt("two", "5000.5")];
    let answer = format!(r#"{{"id_token":"{two}","refresh_token":"r2"}}"#);
    let http = Provider::new(&[DISCOVERY, (200, &answer)]);
    let kept = Arc::new(Kept::default());
    let config = settings(&[(ID_TOKEN, &one), (REFRESH_TOKEN, "r 1")]);
    let persist = Some(Persister(kept.clone()));
    let flight = new(&config, Some(Arc::new(http.clone())), persist, Clock::paused()).unwrap().1;
    assert_eq!(token(&flight).await.unwrap(), one);
    tokio::time::advance(Duration::from_secs(90)).await;
    assert_eq!(token(&flight).await.unwrap(), one);
    assert!(http.asked().is_empty());
    tokio::time::advance(Duration::from_millis(1)).await;
    let (left, right) = tokio::join!(token(&flight), token(&flight));
    assert_eq!((left.unwrap(), right.unwrap()), (two.clone(), two.clone()), "one refresh for both");
    assert_eq!(
        http.asked(),
        [
            "GET https://issuer/.well-known/openid-configuration",
            "POST https://issuer/token grant_type=refresh_token&refresh_token=r%201"
        ]
    );
    let basic = BASE64_STANDARD.encode("my%20client:s%2Bcret");
    assert_eq!(http.asked.lock().unwrap()[1].1, format!("Basic {basic}"));
    let kept = kept.0.lock().unwrap();
    assert_eq!((&kept[0][ID_TOKEN], &*kept[0][REFRESH_TOKEN]), (&two, "r2"));
}

#[tokio::test]
async fn clients_of_one_login_share_it_and_other_users_do_not() {
    let end = "99999999999";
    let share = |id: &str, refresh: &str, http: Option<Arc<dyn TokenHttp>>| {
        let config = settings(&[(ID_TOKEN, id), (REFRESH_TOKEN, refresh)]);
        shared("https://share".to_owned(), &config, http, None).unwrap()
    };
    let answer = format!(r#"{{"id_token":"{}","refresh_token":"jane-2"}}"#, jwt("jane-new", end));
    let http = Provider::new(&[DISCOVERY, (200, &answer)]);
    let jane = share(&jwt("jane-old", "0"), "jane-1", Some(Arc::new(http)));
    assert_eq!(token(&jane).await.unwrap(), jwt("jane-new", end));
    // A client with the old settings, and one with the stored settings, both use the refreshed token.
    for (id, refresh) in [(jwt("jane-old", "0"), "jane-1"), (jwt("jane-new", end), "jane-2")] {
        assert_eq!(token(&share(&id, refresh, None)).await.unwrap(), jwt("jane-new", end));
    }
    let joe = share(&jwt("joe", end), "joe-1", None);
    assert_eq!(token(&joe).await.unwrap(), jwt("joe", end), "another user of the same client");
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_wants_the_secret_in_the_form_gets_it_there() {
    let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
    let http = Provider::new(&[DISCOVERY, (401, r#"{"error":"invalid_client"}"#), (200, &answer)]);
    let config = settings(&[(REFRESH_TOKEN, "r"), (CA_DATA, "Q0E=")]);
    assert_eq!(token(&flight(&config, &http)).await.unwrap(), jwt("new", "5000"));
    let asked = http.asked.lock().unwrap();
    assert!(asked[2].0.ends_with("&client_id=my%20client&client_secret=s%2Bcret") && asked[2].1.is_empty());
    assert!(asked.iter().all(|(_, _, ca)| *ca == Some(Material::Data("CA".into()))));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_cannot_be_kept_are_used_all_the_same() {
    let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
    let http = Provider::new(&[DISCOVERY, (200, &answer)]);
    let kept = Arc::new(Kept(Mutex::default(), true));
    let config = settings(&[(REFRESH_TOKEN, "r")]);
    let flight =
        new(&config, Some(Arc::new(http)), Some(Persister(kept.clone())), Clock::paused()).unwrap().1;
    assert!(token(&flight).await.is_ok());
    assert_eq!(kept.0.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refresh_token_never_leaves_the_machine_unencrypted() {
    let answer = format!(r#"{{"id_token":"{}"}}"#, jwt("new", "5000"));
    let refresh = async |issuer: &str, named: &str, endpoint: &str| {
        let discovery = format!(r#"{{"issuer":"{named}","token_endpoint":"{endpoint}"}}"#);
        let http = Provider::new(&[(200, &discovery), (200, &answer)]);
        let config = settings(&[(ISSUER, issuer), (REFRESH_TOKEN, "hunter2")]);
        let outcome = match new(&config, Some(Arc::new(http.clone())), None, Clock::paused()) {
            Ok((_, flight)) => token(&flight).await,
            Err(error) => Err(error.to_string()),
        };
        let told = http.asked().iter().any(|line| line.contains("hunter2"));
        assert_eq!(told, outcome.is_ok(), "{issuer} {endpoint}: {outcome:?}");
        outcome.map_err(|error| {
            assert!(!error.contains("hunter2") && !error.contains("s+cret"), "{error}");
            error
        })
    };
    for (issuer, endpoint) in [
        ("https://issuer", "https://elsewhere/token"),
        ("https://issuer/tenant", "https://issuer/token"),
        ("http://localhost:5556/dex", "http://localhost:5556/dex/token"),
        ("http://127.0.0.9:1", "http://[::1]:1/token"),
    ] {
        assert!(refresh(issuer, issuer, endpoint).await.is_ok(), "{issuer} {endpoint}");
    }
    for (issuer, endpoint, why) in [
        ("http://issuer", "https://issuer/token", "https"),
        ("http://localhost.evil.example", "https://issuer/token", "https"),
        ("http://127.0.0.1.evil.example", "https://issuer/token", "https"),
        ("issuer", "https://issuer/token", "https"),
        ("https://issuer", "http://issuer/token", "https"),
        // A server elsewhere can't choose an endpoint on this machine.
        ("https://issuer", "http://127.0.0.1:1/token", "https"),
        ("http://127.0.0.1:1", "http://issuer/token", "https"),
        ("https://issuer", "//issuer/token", "https"),
    ] {
        let error = refresh(issuer, issuer, endpoint).await.unwrap_err();
        assert!(error.contains(why), "{issuer} {endpoint}: {error}");
    }
    for named in ["https://other", "https://issuer.evil.example", "https://issuer/tenant", ""] {
        let error = refresh("https://issuer", named, "https://issuer/token").await.unwrap_err();
        assert!(error.contains("issuer"), "{named}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_life_of_refreshes_keeps_no_old_tokens() {
    let refreshes = 300_u32;
    let answers: Vec<_> = (1..=refreshes)
        .flat_map(|number| {
            let id = jwt(&format!("id{number}"), &(number * 100).to_string());
            let answer = format!(r#"{{"id_token":"{id}","refresh_token":"r{number}"}}"#);
            [(200, DISCOVERY.1.to_owned()), (200, answer)]
        })
        .collect();
    let http = Provider { answers: Arc::new(Mutex::new(answers.into())), asked: Arc::default() };
    let first = settings(&[(REFRESH_TOKEN, "r0")]);
    let (provider, flight) = new(&first, Some(Arc::new(http)), None, Clock::paused()).unwrap();
    for _ in 0..refreshes {
        token(&flight).await.unwrap();
        tokio::time::advance(Duration::from_secs(100)).await;
    }
    let knows = |token: &str| provider.knows(&settings(&[(REFRESH_TOKEN, token)]).config);
    assert!(knows("r0"), "a client made of what the program began with");
    assert!(knows(&format!("r{refreshes}")) && knows(&format!("r{}", refreshes - 1)));
    assert!(!knows("r1") && !knows("another"));
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_never_answers_is_an_error_in_time() {
    struct Silent;
    impl TokenHttp for Silent {
        fn send(
            &self,
            _: Request<Bytes>,
            _: Option<Material>,
        ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>> {
            Box::pin(std::future::pending())
        }
    }
    let config = settings(&[(REFRESH_TOKEN, "hunter2")]);
    let flight = new(&config, Some(Arc::new(Silent)), None, Clock::paused()).unwrap().1;
    let error = tokio::time::timeout(Duration::from_mins(2), token(&flight)).await.unwrap().unwrap_err();
    assert!(error.contains("no response within") && !error.contains("hunter2"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn errors_are_reported_without_secrets() {
    let config = settings(&[(REFRESH_TOKEN, "hunter2"), (ID_TOKEN, "hunter2")]);
    let error = async |answers: &[(u16, &str)]| {
        let error = token(&flight(&config, &Provider::new(answers))).await.unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
        error
    };
    assert!(error(&[(404, "<html>")]).await.contains("openid-configuration: 404"));
    assert!(error(&[(200, "<html>")]).await.contains("not JSON"));
    assert!(error(&[(200, r#"{"issuer":"https://issuer"}"#)]).await.contains("token_endpoint"));
    let refused = (400, r#"{"error":"invalid_grant","error_description":"hunter2"}"#);
    assert!(error(&[DISCOVERY, refused, refused]).await.contains("400 Bad Request invalid_grant"));
    assert!(error(&[DISCOVERY, (200, r#"{"access_token":"hunter2"}"#)]).await.contains("id_token"));
    assert!(error(&[DISCOVERY, (200, r#"{"id_token":"hunter2"}"#)]).await.contains("not a JWT"));

    let none = settings(&[(ID_TOKEN, &jwt("old", "0"))]);
    let text = token(&flight(&none, &Provider::default())).await.unwrap_err();
    assert!(text.contains("log in again"), "{text}");
    let no_http = new(&config, None, None, Clock::paused()).unwrap().1;
    assert!(token(&no_http).await.unwrap_err().contains("no HTTP client"));
    for name in [ISSUER, CLIENT_ID] {
        let mut config = config.clone();
        config.config.remove(name);
        let error = new(&config, None, None, Clock::paused()).err().unwrap().to_string();
        assert!(error.contains(name), "{error}");
    }
}
