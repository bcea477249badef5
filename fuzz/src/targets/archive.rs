//! Archives that a container sends.

use std::fs;
use std::path::Path;

use client_rs_client::streams::{CopyOptions, unpack_archive};

const MAX_BYTES: u64 = 256 * 1024;
const MAX_ENTRIES: u64 = 64;

/// Nothing is written outside the target, no link is made, limits hold, and what fails leaves nothing.
pub fn archive(data: &[u8]) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder can be made");
    let options = CopyOptions::default().with_max_bytes(MAX_BYTES).with_max_entries(MAX_ENTRIES);
    let outcome = unpack_archive(&options, "it", &inside.join("target"), data);
    let names = |folder: &Path| -> Vec<_> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(names(folder.path()), ["inside"]);
    match outcome {
        Ok(copied) => {
            assert_eq!(names(&inside), ["target"]);
            let (mut bytes, mut files) = (0, 0);
            count(&inside.join("target"), &mut bytes, &mut files);
            // A later entry of the same name replaces an earlier one.
            assert!(bytes <= copied.bytes && copied.bytes <= MAX_BYTES, "{bytes} bytes of {copied:?}");
            assert!(files <= copied.files && copied.files <= MAX_ENTRIES, "{files} files of {copied:?}");
        }
        Err(error) => {
            let _ = error.to_string();
            assert_eq!(names(&inside), [""; 0], "{error} leaves something");
        }
    }
}

fn count(path: &Path, bytes: &mut u64, files: &mut u64) {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::symlink_metadata(path).unwrap();
    assert!(metadata.is_dir() || metadata.is_file(), "{} is neither a file nor a folder", path.display());
    assert_eq!(metadata.permissions().mode() & 0o7000, 0, "{} has rights of its owner's", path.display());
    if metadata.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| count(&entry.unwrap().path(), bytes, files));
    } else {
        *bytes += metadata.len();
        *files += 1;
    }
}
