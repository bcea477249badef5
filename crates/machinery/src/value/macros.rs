/// Creates a [`Json`](crate::Json) in the syntax of JSON, with Rust expressions as values.
///
/// A key is a string literal or an expression in parentheses; a value is `null`, an array, an object, or an
/// expression that [`Json`](crate::Json) is [`From`].
///
/// ```
/// use client_rs_machinery::json;
///
/// let replicas = 3;
/// let patch = json!({"spec": {"replicas": replicas, "paused": null, (format!("x{replicas}")): [1.5, "y"]}});
/// assert_eq!(patch.to_string(), r#"{"spec":{"paused":null,"replicas":3,"x3":[1.5,"y"]}}"#);
/// ```
#[macro_export]
macro_rules! json {
    (null) => { $crate::Json::Null };
    ([]) => { $crate::Json::List($crate::List::new()) };
    ({}) => { $crate::Json::Map($crate::Map::new()) };
    ([ $($inner:tt)+ ]) => {{
        let mut list = $crate::collections::ListBuilder::<$crate::Json>::new();
        $crate::json!(@list list $($inner)+);
        $crate::Json::List(list.finish())
    }};
    ({ $($inner:tt)+ }) => {{
        let mut map = $crate::collections::MapBuilder::<$crate::Json>::new();
        $crate::json!(@map map $($inner)+);
        $crate::Json::Map(map.finish())
    }};

    (@list $list:ident) => {};
    (@list $list:ident null $(, $($rest:tt)*)?) => {
        $list.push($crate::Json::Null);
        $crate::json!(@list $list $($($rest)*)?);
    };
    (@list $list:ident [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $list.push($crate::json!([ $($inner)* ]));
        $crate::json!(@list $list $($($rest)*)?);
    };
    (@list $list:ident { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $list.push($crate::json!({ $($inner)* }));
        $crate::json!(@list $list $($($rest)*)?);
    };
    (@list $list:ident $value:expr $(, $($rest:tt)*)?) => {
        $list.push($crate::Json::from($value));
        $crate::json!(@list $list $($($rest)*)?);
    };

    (@map $map:ident) => {};
    (@map $map:ident $key:tt : null $(, $($rest:tt)*)?) => {
        $map.insert($key, $crate::Json::Null);
        $crate::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $map.insert($key, $crate::json!([ $($inner)* ]));
        $crate::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $map.insert($key, $crate::json!({ $($inner)* }));
        $crate::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $map.insert($key, $crate::Json::from($value));
        $crate::json!(@map $map $($($rest)*)?);
    };

    ($value:expr) => { $crate::Json::from($value) };
}

#[cfg(test)]
mod tests {
    use crate::Json;

    #[test]
    fn reads_like_json() {
        let name = String::from("n");
        let value = json!({
            "null": null,
            "list": [null, [], {}, 1, -1, 2.5, "x", [1, [2]], {"k": null}, 1 + 1, [1, 2, 3].len(),],
            (&name): name.len(),
            "some": Some("x"),
            "none": None::<i64>,
        });
        let text = r#"{"null": null, "list": [null, [], {}, 1, -1, 2.5, "x", [1, [2]], {"k": null}, 2, 3],
            "n": 1, "some": "x", "none": null}"#;
        assert_eq!(value, text.parse::<Json>().unwrap());
        assert_eq!(json!(null), Json::Null);
        assert_eq!(json!([1,]), "[1]".parse::<Json>().unwrap());
        assert_eq!(json!({"a": 1, "a": 2}), json!({"a": 2}));
    }
}
