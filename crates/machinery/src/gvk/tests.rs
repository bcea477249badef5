use super::*;
use proptest::prelude::*;

#[test]
fn group_versions_parse_as_in_go() {
    for (text, want) in [
        ("", Some(("", ""))),
        ("/", Some(("", ""))),
        ("v1", Some(("", "v1"))),
        ("apps/v1", Some(("apps", "v1"))),
        ("/v1", Some(("", "v1"))),
        ("apps/", Some(("apps", ""))),
        ("a.b.c/v1beta1", Some(("a.b.c", "v1beta1"))),
        ("a/b/c", None),
        ("//", None),
    ] {
        let got = GroupVersion::parse(text);
        match want {
            Some((group, version)) => assert_eq!(got, Ok(GroupVersion::new(group, version)), "{text}"),
            None => assert_eq!(got, Err(GvkError::GroupVersion(text.into())), "{text}"),
        }
    }
    assert_eq!(
        GroupVersion::parse("a/b/c").unwrap_err().to_string(),
        "unexpected GroupVersion string: a/b/c"
    );
    assert_eq!(GroupVersionKind::from_api_version("a/b/c", "K"), GroupVersionKind::new("", "", "K"));
    assert_eq!(GroupVersionKind::from_api_version("apps/v1", "K"), GroupVersionKind::new("apps", "v1", "K"));
}

#[test]
fn args_have_two_readings() {
    let gvr = |g, v, r| Some(GroupVersionResource::new(g, v, r));
    for (text, exact, any) in [
        (
            "deployments.v1.apps",
            gvr("apps", "v1", "deployments"),
            GroupResource::new("v1.apps", "deployments"),
        ),
        ("deployments.apps", None, GroupResource::new("apps", "deployments")),
        ("pods", None, GroupResource::new("", "pods")),
        ("a.b.c.d", gvr("c.d", "b", "a"), GroupResource::new("b.c.d", "a")),
        ("..", gvr("", "", ""), GroupResource::new(".", "")),
        ("", None, GroupResource::EMPTY),
    ] {
        assert_eq!(parse_resource_arg(text), (exact, any), "{text}");
    }
    let (exact, any) = parse_kind_arg("Deployment.v1.apps");
    assert_eq!(exact, Some(GroupVersionKind::new("apps", "v1", "Deployment")));
    assert_eq!(any, GroupKind::new("v1.apps", "Deployment"));
    assert_eq!(parse_kind_arg("Pod"), (None, GroupKind::new("", "Pod")));
}

#[test]
fn prints_as_go() {
    let kind = GroupVersionKind::new("apps", "v1", "Deployment");
    assert_eq!(kind.to_string(), "apps/v1, Kind=Deployment");
    assert_eq!(kind.group_kind().to_string(), "Deployment.apps");
    assert_eq!(kind.api_version(), "apps/v1");
    let resource = GroupVersionResource::new("", "v1", "pods");
    assert_eq!(resource.to_string(), "/v1, Resource=pods");
    assert_eq!(resource.group_resource().to_string(), "pods");
    assert_eq!(resource.group_version().to_string(), "v1");
    assert_eq!(GroupVersionKind::new("", "v1", "Pod").api_version(), "v1");
}

#[test]
fn versions_are_ordered_by_preference() {
    // Each is preferred to all that follow it.
    let ordered = [
        "v10",
        "v2",
        "v1",
        "v0",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v2beta10",
        "v2beta2",
        "v12alpha1",
        "v11alpha2",
        "v1alpha1",
        "",
        "1",
        "V1",
        "bar1",
        "foo10",
        "v",
        "v-1",
        "v1alpha",
        "v1beta",
        "v1beta1alpha1",
        "v1gamma1",
        "v99999999999999999999",
        "va",
        "vbeta1",
    ];
    for (i, a) in ordered.iter().enumerate() {
        for (j, b) in ordered.iter().enumerate() {
            assert_eq!(compare_versions(a, b), j.cmp(&i), "{a} {b}");
        }
    }
    assert_eq!(compare_versions("v1", "v01"), Ordering::Equal);
}

#[test]
fn json_forms() {
    let kind = GroupVersionKind::new("apps", "v1", "Deployment");
    let json = serde_json::to_string(&kind).unwrap();
    assert_eq!(json, r#"{"group":"apps","version":"v1","kind":"Deployment"}"#);
    assert_eq!(serde_json::from_str::<GroupVersionKind>(&json).unwrap(), kind);
    assert_eq!(
        serde_json::from_str::<GroupResource>(r#"{"resource":"pods"}"#).unwrap(),
        GroupResource::new("", "pods")
    );
    assert_eq!(serde_json::to_string(&kind.group_version()).unwrap(), r#""apps/v1""#);
    assert_eq!(serde_json::from_str::<GroupVersion>(r#""apps\u002fv1""#).unwrap(), kind.group_version());
    assert!(serde_json::from_str::<GroupVersion>(r#""a/b/c""#).is_err());
}

#[test]
fn emptiness_and_steps_between_types() {
    assert!(
        GroupVersion::EMPTY.is_empty() && GroupVersionKind::EMPTY.is_empty() && GroupKind::EMPTY.is_empty()
    );
    assert!(GroupVersionResource::EMPTY.is_empty() && GroupResource::EMPTY.is_empty());
    let version = GroupVersion::new("apps", "v1");
    assert_eq!(version.with_kind("D"), GroupKind::new("apps", "D").with_version("v1"));
    assert_eq!(version.with_resource("ds"), GroupResource::new("apps", "ds").with_version("v1"));
    assert!(
        !version.is_empty() && !version.with_kind("D").is_empty() && !version.with_resource("d").is_empty()
    );
}

proptest! {
    #[test]
    fn prints_and_parses_back(group in "[a-z.]{0,9}", version in "v[a-z0-9]{0,5}", kind in "[A-Za-z]{0,9}") {
        let gvk = GroupVersionKind::new(&*group, &*version, &*kind);
        prop_assert_eq!(gvk.to_string().parse(), Ok(gvk.clone()));
        let gvr = GroupVersionResource::new(&*group, &*version, &*kind);
        prop_assert_eq!(gvr.to_string().parse(), Ok(gvr.clone()));
        prop_assert_eq!(gvk.group_version().to_string().parse(), Ok(gvk.group_version()));
        prop_assert_eq!(gvk.group_kind().to_string().parse(), Ok(gvk.group_kind()));
        prop_assert_eq!(gvr.group_resource().to_string().parse(), Ok(gvr.group_resource()));
    }

    #[test]
    fn no_text_panics(text in ".*") {
        let _ = (text.parse::<GroupVersion>(), text.parse::<GroupVersionKind>(), text.parse::<GroupVersionResource>());
        let _ = (parse_resource_arg(&text), parse_kind_arg(&text), compare_versions(&text, "v1"));
    }

    #[test]
    fn version_order_is_total(a in "v?[0-9]{1,2}((alpha|beta)[0-9])?", b in "v?[0-9]{1,2}((alpha|beta)[0-9])?", c in "v?[0-9]{1,2}((alpha|beta)[0-9])?") {
        prop_assert_eq!(compare_versions(&a, &b), compare_versions(&b, &a).reverse());
        if compare_versions(&a, &b).is_ge() && compare_versions(&b, &c).is_ge() {
            prop_assert!(compare_versions(&a, &c).is_ge());
        }
    }
}
