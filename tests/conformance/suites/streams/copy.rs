//! Files to and from containers.

use anyhow::{Result, ensure};
use client_rs_client::streams::{CopyError, CopyOptions};
use client_rs_tests::{KubeletOptions, Stage};

use super::scene::{POD, Scene, noise, on_kubelet};

fn options() -> CopyOptions {
    CopyOptions::default().with_container("app")
}

pub(super) async fn there_and_back(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let (here, copy) = (stage.folder()?, options());
        let source = here.join("source");
        std::fs::create_dir_all(source.join("deep/er"))?;
        std::fs::create_dir_all(source.join("empty"))?;
        let bytes = noise(3_000_000, 7);
        std::fs::write(source.join("deep/er/file"), &bytes)?;
        std::fs::write(source.join("- odd name"), "odd")?;
        let sent = copy.to_container(&scene.pods, POD, &source, "some/where").await?;
        ensure!((sent.files, sent.bytes) == (2, 3_000_003), "{sent:?}");
        let folder = scene.kubelet.container(&scene.namespace, POD, "app")?;
        ensure!(std::fs::read(folder.join("some/where/deep/er/file"))? == bytes);
        ensure!(std::fs::read_dir(folder.join("some"))?.count() == 1, "nothing else is left there");
        let got = copy.from_container(&scene.pods, POD, "some/where", &here.join("back")).await?;
        ensure!(got == sent, "{got:?}");
        ensure!(std::fs::read(here.join("back/deep/er/file"))? == bytes);
        ensure!(std::fs::read(here.join("back/- odd name"))? == b"odd");
        ensure!(here.join("back/empty").is_dir());
        // A file, into an existing folder on either side.
        copy.to_container(&scene.pods, POD, &source.join("- odd name"), "some/").await?;
        copy.from_container(&scene.pods, POD, "some/- odd name", &here.join("back/empty")).await?;
        ensure!(std::fs::read(here.join("back/empty/- odd name"))? == b"odd");
        Ok(())
    })
    .await
}

pub(super) async fn nothing_half(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let (here, copy) = (stage.folder()?, options());
        let gone = copy.from_container(&scene.pods, POD, "no/such/file", &here.join("gone")).await;
        ensure!(matches!(&gone, Err(CopyError::Remote { said, .. }) if !said.is_empty()), "{gone:?}");
        let none = copy.to_container(&scene.pods, POD, &here.join("none"), "there").await;
        ensure!(matches!(none, Err(CopyError::Local { .. })), "{none:?}");
        // A folder can't be made where a file is.
        let folder = scene.kubelet.container(&scene.namespace, POD, "app")?;
        std::fs::write(folder.join("file"), "a file")?;
        std::fs::write(here.join("some"), noise(1_000_000, 8))?;
        let refused = copy.to_container(&scene.pods, POD, &here.join("some"), "file/below").await;
        ensure!(matches!(refused, Err(CopyError::Remote { .. })), "{refused:?}");
        let names = |path: &std::path::Path| -> Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in std::fs::read_dir(path)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
            Ok(names)
        };
        ensure!(names(&folder)? == ["file"], "{:?}", names(&folder)?);
        ensure!(names(here)? == ["some"], "{:?}", names(here)?);
        Ok(())
    })
    .await
}
