//! Evictions and disruption budgets.

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Backend, Stage, eventually};
use serde_json::{Value, json};

use super::http::{Answer, Http, MERGE_PATCH};

/// A namespace with pods and one budget. The controller of the real cluster writes the status of the budget; on the embedded
/// server, which has none, the scene writes the same status.
struct Scene {
    http: Http,
    namespace: String,
    real: bool,
}

impl Scene {
    fn pods(&self) -> String {
        format!("/api/v1/namespaces/{}/pods", self.namespace)
    }

    fn budget(&self) -> String {
        format!("/apis/policy/v1/namespaces/{}/poddisruptionbudgets/b", self.namespace)
    }

    async fn pod(&self, name: &str, ready: bool) -> Result<()> {
        let pod = json!({
            "metadata": {"name": name, "labels": {"app": "x"}},
            "spec": {"containers": [{"name": "c", "image": "i"}], "terminationGracePeriodSeconds": 0},
        });
        self.http.post(&self.pods(), &pod).await?.ok(201)?;
        let condition = json!([{"type": "Ready", "status": if ready { "True" } else { "False" }}]);
        let status = json!({"status": {"phase": "Running", "conditions": condition}});
        self.http.patch(&format!("{}/{name}/status", self.pods()), MERGE_PATCH, &status).await?.ok(200)?;
        Ok(())
    }

    /// Replaces the budget. It has this status when this returns.
    async fn set_budget(&self, policy: &str, desired: i64, healthy: i64) -> Result<()> {
        let spec = json!({
            "minAvailable": desired, "selector": {"matchLabels": {"app": "x"}}, "unhealthyPodEvictionPolicy": policy,
        });
        let _ = self.http.delete(&self.budget()).await?;
        let all = self.budget().trim_end_matches("/b").to_owned();
        self.http.post(&all, &json!({"metadata": {"name": "b"}, "spec": spec})).await?.ok(201)?;
        let allowed = (healthy - desired).max(0);
        if !self.real {
            self.set_status(&json!({
                "observedGeneration": 1, "disruptionsAllowed": allowed, "currentHealthy": healthy,
                "desiredHealthy": desired, "expectedPods": 3,
            }))
            .await?;
        }
        eventually("the budget has its status", || async {
            let status = self.http.get(&self.budget()).await?.ok(200)?["status"].clone();
            ensure!(status["observedGeneration"] == 1 && status["currentHealthy"] == healthy, "{status}");
            ensure!(
                status["desiredHealthy"] == desired && status["disruptionsAllowed"] == allowed,
                "{status}"
            );
            Ok(())
        })
        .await
    }

    async fn set_status(&self, status: &Value) -> Result<()> {
        let written = json!({"status": status});
        self.http.patch(&format!("{}/status", self.budget()), MERGE_PATCH, &written).await?.ok(200)?;
        Ok(())
    }

    async fn evict(&self, name: &str, query: &str) -> Result<Answer> {
        let eviction = json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}});
        self.http.post(&format!("{}/{name}/eviction{query}", self.pods()), &eviction).await
    }
}

fn refuses(answer: &Answer, why: &str) -> Result<()> {
    answer.refuses(429, "Cannot evict pod as it would violate the pod's disruption budget.")?;
    let cause = &answer.json()?["details"]["causes"][0];
    ensure!(cause["reason"] == "DisruptionBudget" && cause["message"] == why, "{cause}");
    Ok(())
}

pub(super) async fn budgets(stage: &Stage) -> Result<()> {
    let scene = Scene {
        http: Http::new(stage)?,
        namespace: stage.namespace().await?,
        real: stage.backend() == Backend::Real,
    };
    for (name, ready) in [("a", true), ("b", true), ("sick", false), ("worse", false)] {
        scene.pod(name, ready).await?;
    }
    scene.set_budget("IfHealthyBudget", 2, 2).await?;
    let spent = "The disruption budget b needs 2 healthy pods and has 2 currently";
    refuses(&scene.evict("a", "").await?, spent)?;
    // A pod that is not ready takes nothing from a healthy budget.
    ensure!(scene.evict("sick", "").await?.code == 201);
    scene.set_budget("IfHealthyBudget", 3, 2).await?;
    let broken = "The disruption budget b needs 3 healthy pods and has 2 currently";
    refuses(&scene.evict("worse", "").await?, broken)?;
    scene.set_budget("AlwaysAllow", 3, 2).await?;
    refuses(&scene.evict("a", "").await?, broken)?;
    ensure!(scene.evict("worse", "").await?.code == 201);
    scene.set_budget("IfHealthyBudget", 1, 2).await?;
    ensure!(scene.evict("a", "?dryRun=All").await?.code == 201);
    let budget = scene.http.get(&scene.budget()).await?.ok(200)?;
    ensure!(budget["status"]["disruptionsAllowed"] == 1, "{budget}");
    ensure!(scene.evict("a", "").await?.code == 201);
    if scene.real {
        return Ok(());
    }
    // The controller of a real cluster soon removes the pod that is gone, and sees every change of a budget.
    let budget = scene.http.get(&scene.budget()).await?.ok(200)?;
    let disrupted = budget["status"]["disruptedPods"].as_object().context("no disrupted pods")?;
    ensure!(disrupted.contains_key("a") && budget["status"]["disruptionsAllowed"] == 0, "{budget}");
    let condition = &budget["status"]["conditions"][0];
    ensure!(condition["reason"] == "InsufficientPods" && condition["status"] == "False", "{condition}");
    scene.set_status(&json!({"observedGeneration": 0, "disruptionsAllowed": 1})).await?;
    refuses(&scene.evict("b", "").await?, "The disruption budget b is still being processed by the server.")
}
