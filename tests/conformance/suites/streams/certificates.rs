//! Identities that the cluster signs.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::authentication::v1::SelfSubjectReview;
use client_rs_api::certificates::v1::CertificateSigningRequest;
use client_rs_client::certificate::{
    CertificateManager, CertificateManagerOptions, CertificateTemplate, FileStore, Store,
};
use client_rs_client::{Api, Request, RestClient};
use client_rs_machinery::Object;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_tests::{Stage, eventually};
use client_rs_transport::Material;
use serde_json::json;

pub(super) async fn issued(stage: &Stage) -> Result<()> {
    let client = stage.client()?;
    let name = format!("conformance-{:016x}", fastrand::u64(..));
    let template = CertificateTemplate::default().with_common_name(name.clone()).with_organizations([
        "system:masters-not",
        "conformance",
        "shop",
    ]);
    let store = FileStore::new(stage.folder()?.join("pki"), "client")?;
    let options = CertificateManagerOptions::default().with_lifetime(Duration::from_hours(1));
    let kept: Arc<dyn Store> = Arc::new(store.clone());
    let mut manager =
        CertificateManager::start(client.clone(), Some(template.clone()), kept, options).await?;
    ensure!(manager.current().is_none(), "nobody has approved it");
    approve(&client, &name).await?;
    let pair = manager.ready().await.context("the manager has ended")?;
    ensure!(template.is_met_by(&pair), "{pair:?}");
    let life = pair.not_after().duration_since(pair.not_before())?;
    ensure!(life <= Duration::from_hours(2), "{life:?}");
    // The server knows the user, through the file.
    let file = Material::File(store.current_path());
    let mut config = stage.config().clone();
    config.auth = client_rs_transport::auth::AuthOptions::default();
    config.tls = config.tls.with_client_certificate(file.clone()).with_client_key(file);
    let review = Request::post().of::<SelfSubjectReview>().object(SelfSubjectReview::EMPTY);
    let review: SelfSubjectReview = RestClient::from_config(&config)?.send(review).await?;
    let user = &review.status.user_info;
    ensure!(user.username == name.as_str(), "{user:?}");
    for group in &template.organizations {
        ensure!(user.groups.iter().any(|known| known == group.as_str()), "not in {group}: {user:?}");
    }
    Ok(())
}

/// Approves the request that this user's name is in.
async fn approve(client: &RestClient, name: &str) -> Result<()> {
    let requests = Api::<CertificateSigningRequest>::cluster(client);
    let mut request = eventually("the request is there", || async {
        let list = requests.list().await?;
        // The request contains the name verbatim: a distinguished name is plain text.
        let der = |request: &CertificateSigningRequest| -> Vec<u8> {
            let pem = String::from_utf8_lossy(request.spec.request.as_slice()).into_owned();
            let lines: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
            base64::Engine::decode(&base64::engine::general_purpose::STANDARD, lines).unwrap_or_default()
        };
        let holds = |request: &&CertificateSigningRequest| {
            der(request).windows(name.len()).any(|window| window == name.as_bytes())
        };
        list.items.iter().find(holds).cloned().context("not yet")
    })
    .await?;
    let status = json!({"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "spec": {},
        "status": {"conditions": [{"type": "Approved", "status": "True", "reason": "Test", "message": "it is ours"}]}});
    let status =
        CertificateSigningRequest::decode(Format::Json, status.to_string().as_bytes(), &mut Decoding::new())?
            .status;
    request.status.conditions = status.conditions;
    let name = request.name().to_owned();
    requests.approval(&name).update(request).await?;
    Ok(())
}
