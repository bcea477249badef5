use super::*;
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn format_named(name: &str) -> Format {
    match name {
        "DecimalExponent" => Format::DecimalExponent,
        "BinarySI" => Format::BinarySi,
        "DecimalSI" => Format::DecimalSi,
        _ => panic!("{name}"),
    }
}

#[test]
fn answers_as_go() {
    let mut checked = 0;
    for line in include_str!("../../../../tests/corpora/quantity.jsonl").lines().skip(1) {
        let fields: Vec<String> = serde_json::from_str(line).unwrap();
        match fields.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["parse", text, "error", kind] => {
                let want = match kind {
                    "format" => QuantityError::Format,
                    "number" => QuantityError::Number,
                    _ => QuantityError::Suffix,
                };
                assert_eq!(Quantity::parse(text), Err(want), "{text:?}");
                assert_eq!(Quantity::from_wire(text.into()), Err(want), "{text:?}");
            }
            ["parse", text, printed, format, exact] => {
                let got = quantity(text);
                assert_eq!(got.as_str(), printed, "{text}");
                assert_eq!(got, quantity(exact), "{text}");
                assert!(got.is_zero() || got.format() == format_named(format), "{text}");
                let raw = Quantity::from_wire(text.into()).unwrap();
                assert_eq!((raw.as_str(), &raw), (text, &got));
            }
            ["arithmetic", a, b, sum, difference, product, factor, negative, rounded, scale, twice, cmp] => {
                let (a, b) = (quantity(a), quantity(b));
                let got_sum = &a + &b;
                assert_eq!(got_sum.as_str(), sum, "{a} + {b}");
                assert_eq!((&a - &b).as_str(), difference, "{a} - {b}");
                assert_eq!((&a * factor.parse().unwrap()).as_str(), product, "{a} * {factor}");
                assert_eq!((-&a).as_str(), negative, "-{a}");
                assert_eq!(a.round_up(Scale(scale.parse().unwrap())).as_str(), rounded, "{a} to {scale}");
                assert_eq!((&got_sum + &got_sum).as_str(), twice, "2 ({a} + {b})");
                assert_eq!((a.cmp(&b) as i32).to_string(), cmp, "{a} <=> {b}");
                assert_eq!([&a, &b].into_iter().sum::<Quantity>().as_str(), sum, "sum of {a} and {b}");
            }
            ["new", value, format, ones, thousandths] => {
                let (value, format) = (value.parse().unwrap(), format_named(format));
                assert_eq!(Quantity::new(value, format).as_str(), ones);
                assert_eq!(Quantity::from_milli(value, format).as_str(), thousandths);
            }
            _ => panic!("{line}"),
        }
        checked += 1;
    }
    assert!(checked > 400, "{checked}");
}

#[test]
fn is_one_word() {
    assert_eq!(size_of::<Quantity>(), size_of::<Str>());
}

#[test]
fn whole_numbers_round_away_from_zero_and_saturate() {
    for (text, value, milli, exact) in [
        ("0", 0, 0, Some(0)),
        ("1n", 1, 1, None),
        ("-1n", -1, -1, None),
        ("1.5", 2, 1500, None),
        ("-1.5", -2, -1500, None),
        ("1000m", 1, 1000, Some(1)),
        ("1.0", 1, 1000, Some(1)),
        ("-16Ei", -i64::MAX, i64::MIN, Some(-i64::MAX)),
        ("9223372036854775807", i64::MAX, i64::MAX, Some(i64::MAX)),
        ("-9223372036854775808", i64::MIN, i64::MIN, Some(i64::MIN)),
        ("9223372036854775808", i64::MAX, i64::MAX, None),
        ("1e2147483647", i64::MAX, i64::MAX, None),
        ("9.223372036854775807P", 9_223_372_036_854_776, i64::MAX, None),
    ] {
        let quantity = quantity(text);
        assert_eq!(quantity.value(), value, "{text}");
        assert_eq!(quantity.milli_value(), milli, "{text}");
        assert_eq!(quantity.as_i64(), exact, "{text}");
    }
    assert_eq!(quantity("1").scaled_value(Scale::NANO), 1_000_000_000);
    assert_eq!(quantity("1").scaled_value(Scale::KILO), 1);
    assert_eq!(quantity("1").scaled_value(Scale::EXA), 1);
}

#[test]
fn a_sum_remembers_its_format_where_the_text_does_not_show_it() {
    let half = quantity("0.5Ki");
    assert_eq!((half.as_str(), half.format()), ("512", Format::BinarySi));
    assert_eq!((&half + &half).as_str(), "1Ki");
    assert_eq!((&quantity("512") + &quantity("512")).as_str(), "1024");
    let hundred = quantity("1e2");
    assert_eq!((hundred.as_str(), hundred.format()), ("100", Format::DecimalExponent));
    assert_eq!((&hundred * 10).as_str(), "1e3");
}

#[test]
fn results_beyond_the_largest_suffix_keep_their_value() {
    let large = quantity("1000E");
    assert_eq!((large.as_str(), large.format()), ("1e21", Format::DecimalSi));
    assert_eq!((&large - &quantity("999E")).as_str(), "1E");
    // Text from outside is capped, a sum is not.
    assert_eq!(quantity("16Ei").as_str(), "9223372036854775807");
    let sum = &quantity("4Ei") * 4;
    assert_eq!(sum.as_str(), "16Ei");
    assert_eq!((&sum - &(&quantity("4Ei") * 3)).as_str(), "4Ei");
    assert_eq!((&quantity("1Ei") * 1024).as_str(), "1024Ei");
    assert_eq!(Quantity::from_wire("16Ei".into()).unwrap().value(), i64::MAX);
}

#[test]
fn enormous_exponents_cost_no_enormous_work() {
    let huge = quantity("1e2147483647");
    assert_eq!(huge.as_str(), "10e2147483646");
    assert!(huge > quantity("1") && -&huge < quantity("1"));
    assert!(&huge + &quantity("1") > huge);
    assert!((&quantity("1Ki") + &huge).as_str().ends_with("e2147482620"));
    assert_eq!(quantity("1000e2147483647").as_str(), "10000e2147483646");
    assert!(huge.as_f64().is_infinite());
    assert_eq!(quantity("1e-2147483648").as_str(), "1e-9");
    assert_eq!(Quantity::parse(&"9".repeat(4097)), Err(QuantityError::TooLong));
    assert_eq!(quantity(&"9".repeat(4096)).as_str().len(), 4096);
}

#[test]
fn finer_than_a_billionth_is_rounded_up() {
    assert_eq!(Quantity::from_scaled(1, Scale(-12)).as_str(), "1n");
    assert_eq!(Quantity::from_scaled(-1, Scale(-12)).as_str(), "-1n");
    assert_eq!(Quantity::from_scaled(15, Scale::KILO).as_str(), "15k");
    assert_eq!(quantity("0.0000000001").as_str(), "1n");
}

#[test]
fn zero_is_the_default_and_allocates_nothing() {
    assert_eq!(Quantity::default().as_str(), "0");
    assert_eq!(Quantity::ZERO, quantity("0Ki"));
    assert_eq!(Quantity::ZERO.text, Str::EMPTY);
    assert_eq!(quantity("-0.0").text, Str::EMPTY);
    assert_eq!((&quantity("1Gi") - &quantity("1Gi")).text, Str::EMPTY);
    assert!(Quantity::ZERO.is_zero() && Quantity::ZERO.sign() == 0);
}

#[test]
fn formats_convert() {
    assert_eq!(quantity("1Ki").with_format(Format::DecimalSi).as_str(), "1024");
    assert_eq!(quantity("1k").with_format(Format::DecimalExponent).as_str(), "1e3");
    assert_eq!(quantity("2048").with_format(Format::BinarySi).as_str(), "2Ki");
    assert_eq!(Quantity::from_wire("0.5".into()).unwrap().canonical().as_str(), "500m");
    assert_eq!(Quantity::from(-3).as_str(), "-3");
    assert_eq!(Quantity::from(3_i64), 3);
    assert!(quantity("1500m") < 2 && quantity("1500m") > 1);
}

#[test]
fn assignment_operators() {
    let mut total = Quantity::ZERO;
    total += &quantity("1500m");
    total -= &quantity("1");
    total *= 4;
    assert_eq!(total.as_str(), "2");
    assert_eq!([quantity("1Gi"), quantity("1Gi")].into_iter().sum::<Quantity>().as_str(), "2Gi");
    assert_eq!((quantity("1") + quantity("2") - quantity("4")) * 2, -quantity("2"));
    assert_eq!(format!("{total:>4}|{total:?}"), "   2|2");
}

#[test]
fn json_keeps_the_text() {
    let read = |json: &str| serde_json::from_str::<Quantity>(json);
    assert_eq!(serde_json::to_string(&read(r#""0.50""#).unwrap()).unwrap(), r#""0.50""#);
    assert_eq!(read(r#"" 1Gi ""#).unwrap().as_str(), "1Gi");
    assert_eq!(read("0.1").unwrap().as_str(), "100m");
    assert_eq!(read("12").unwrap().as_str(), "12");
    assert_eq!(read("-12000").unwrap().as_str(), "-12k");
    assert_eq!(read("18446744073709551615").unwrap().as_str(), "18446744073709551615");
    assert_eq!(read("null").unwrap(), Quantity::ZERO);
    assert!(read(r#""""#).is_err() && read("true").is_err() && read(r#""1x""#).is_err());
}

#[test]
fn hidden_format_never_leaks() {
    // A wire text can't carry the byte that names a format.
    for text in ["512\u{0}", "512\u{1}", "512\u{2}"] {
        assert_eq!(Quantity::from_wire(text.into()), Err(QuantityError::Format));
    }
    let half = quantity("0.5Ki");
    assert_eq!(serde_json::to_string(&half).unwrap(), r#""512""#);
    assert_eq!(format!("{half} {half:?}"), "512 512");
}

fn hash_of(quantity: &Quantity) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(quantity)
}

fn any_quantity() -> impl Strategy<Value = Quantity> {
    "[-+]?[0-9]{1,22}(\\.[0-9]{0,12})?(|n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|e-?[0-9]{1,2})"
        .prop_map(|text| quantity(&text))
}

proptest! {
    #[test]
    fn canonical_text_reads_back(a in any_quantity()) {
        let canonical = a.canonical();
        prop_assert_eq!(&canonical, &a);
        if !a.read().0.exceeds_i64() {
            prop_assert_eq!(&quantity(canonical.as_str()), &a);
        }
        prop_assert!(!canonical.as_str().contains('.'));
        let again = canonical.canonical();
        prop_assert_eq!(again.as_str(), canonical.as_str());
    }

    #[test]
    fn equal_values_hash_alike(a in any_quantity()) {
        for format in [Format::DecimalExponent, Format::BinarySi, Format::DecimalSi] {
            let other = a.with_format(format);
            prop_assert_eq!(&a, &other);
            prop_assert_eq!(hash_of(&a), hash_of(&other));
        }
    }

    #[test]
    fn arithmetic_laws(a in any_quantity(), b in any_quantity(), k in any::<i64>()) {
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert_eq!(&(&(&a + &b) - &b), &a);
        prop_assert_eq!(&a - &a, Quantity::ZERO);
        prop_assert_eq!(&(&a + &b) * k, &(&a * k) + &(&b * k));
        prop_assert_eq!(a.cmp(&b) as i32, (&a - &b).sign());
    }

    #[test]
    fn no_text_panics(text in ".*", close in "[-+]?[0-9.]{0,9}[eEinumkKMGTP]{0,3}[-+]?[0-9]{0,12}") {
        for text in [text, close] {
            if let Ok(quantity) = Quantity::parse(&text) {
                let _ = (quantity.value(), quantity.as_f64(), hash_of(&quantity), quantity.canonical());
                let _ = (&quantity + &Quantity::from(1), &quantity * 3, quantity < 5);
            }
        }
    }
}
