//! Small definitions made up here, and what is written from them.

use std::path::Path;

use canadensis_dsdl_frontend::{Package, TypeFullName, TypeKey};
use canadensis_dsdl_parser::TypeVersion;
use dsdl::model::{Form, Model, Shape};
use dsdl::{rust, table};

/// A definition by name, port and text.
type Given<'a> = (&'a str, Option<u32>, &'a str);

/// The model of definitions in `croupier.test`.
fn model(definitions: &[Given<'_>]) -> anyhow::Result<Model> {
    let mut package = Package::new();
    for (name, port, text) in definitions {
        let path = ["croupier", "test"].map(String::from).to_vec();
        let name = TypeFullName::new(path, (*name).into());
        let key = TypeKey::new(name, TypeVersion { major: 1, minor: 0 });
        package.add_string(*port, key, (*text).into())?;
    }
    Model::new(&package.compile()?)
}

/// The file written for the only definition.
fn written(text: &str) -> String {
    let model = model(&[("Thing", Some(6200), text)]).expect("the definition is sound");
    let files = rust::files(&model).expect("it can be written");
    let file = files.into_iter().find(|(place, _)| place.ends_with("croupier/test.rs"));
    file.expect("it has a file").1
}

#[test]
fn constants_beside_one_field_called_value_are_an_enumeration() {
    let text = "uint8 DEAD = 0  # No more.\nuint8 VERY_MUCH_ALIVE = 7\nuint8 value\n@sealed";
    let model = model(&[("Cat", Some(6201), text)]).unwrap();
    let body = &model.definitions.values().next().unwrap().bodies[0];
    let Form::Enum(8, codes) = &body.form else { panic!("{:?}", body.form) };
    assert_eq!((codes[0].value, codes[0].doc[0].as_str()), (0, "No more."));
    let text = written(text);
    assert!(text.contains("VeryMuchAlive = 7,") && text.contains("_ => return None,"), "{text}");
}

#[test]
fn what_neither_travels_nor_is_a_part_is_not_written() {
    let part = ("Part", None, "uint8 x\n@sealed");
    let idle = ("Idle", None, "uint8 x\n@sealed");
    let model = model(&[("Thing", Some(6200), "Part.1.0 part\n@sealed"), part, idle]).unwrap();
    let files = rust::files(&model).unwrap();
    let (_, text) = files.iter().find(|(place, _)| place.ends_with("croupier/test.rs")).unwrap();
    assert!(text.contains("pub struct Thing") && text.contains("pub struct Part"), "{text}");
    assert!(!text.contains("Idle"), "{text}");
}

#[test]
fn a_namespace_is_one_file_and_an_outer_one_lists_the_inner() {
    let other = ("Other", Some(6201), "uint8 x\n@sealed");
    let model = model(&[("Thing", Some(6200), "uint8 x\n@sealed"), other]).unwrap();
    let files = rust::files(&model).unwrap();
    let places: Vec<_> =
        files.keys().map(|place| place.strip_prefix(rust::FOLDER).unwrap()).collect();
    assert_eq!(places, ["croupier/mod.rs", "croupier/test.rs", "mod.rs"].map(Path::new));
    let outer = &files[&Path::new(rust::FOLDER).join("croupier/mod.rs")];
    assert!(outer.contains("pub mod test;"), "{outer}");
}

#[test]
fn a_comment_after_a_field_is_its_documentation() {
    let text = written(
        "# What it is.\n#\n# More of it.\n\nuint8 one\n# Of one.\n\nuint8 two  # Of two.\n@sealed",
    );
    assert!(text.contains("/// What it is.\n/// \n/// More of it.\n#[derive"), "{text}");
    assert!(text.contains("/// Of one.\npub one: u8,\n/// Of two.\npub two: u8,"), "{text}");
}

#[test]
fn numbers_of_odd_width_are_held_or_cut_as_the_dsdl_says() {
    let text = written("uint24 held\ntruncated uint24 cut\nint40 signed\n@sealed");
    assert!(text.contains("to.put(self.held.min(0xFFFFFF).into(), 24)?"), "{text}");
    assert!(text.contains("to.put(self.cut.into(), 24)?"), "{text}");
    assert!(text.contains(".clamp(-549755813887 - 1, 549755813887)"), "{text}");
}

// Issue 3: keys are never readable.
#[test]
fn a_secret_is_neither_printed_nor_logged_nor_copied() {
    let text = written("uint8[32] key\n# Secret. The key.\n\nuint8 other\n@sealed");
    assert!(text.contains("#[derive(Clone, PartialEq, Eq, Default)]"), "{text}");
    assert!(text.contains("impl core::fmt::Debug") && !text.contains(".field(\"key\""), "{text}");
    assert!(!text.contains("defmt"), "{text}");
}

#[test]
fn what_the_wire_does_not_use_is_refused_by_name() {
    let open = ("Open", None, "uint8 x\n@extent 64");
    let port = Some(6200);
    let refusals: [(&str, &[Given<'_>]); 6] = [
        ("not @sealed", &[("Outer", port, "Open.1.0 open\n@sealed"), open]),
        ("array of other than bytes", &[("Outer", port, "uint16[3] three\n@sealed")]),
        ("list of definitions", &[("Outer", port, "Open.1.0[<=3] some\n@sealed"), open]),
        ("list of bits", &[("Outer", port, "bool[<=3] some\n@sealed")]),
        ("floating-point number", &[("Outer", port, "float32 some\n@sealed")]),
        ("a union", &[("Outer", port, "@union\nuint8 one\nuint16 other\n@sealed")]),
    ];
    for (why, definitions) in refusals {
        let error = model(definitions).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("croupier.test.Outer.1.0"), "{error}");
    }
}

#[test]
fn a_list_is_led_by_the_smallest_length_that_holds_its_capacity() {
    for (capacity, bits) in [(1, 8), (255, 8), (256, 16), (65_535, 16), (65_536, 32)] {
        assert_eq!(Shape::length_bits(capacity), bits, "{capacity}");
    }
}

#[test]
fn frames_are_counted_with_the_crc_of_a_long_transfer() {
    for (bytes, frames) in [(0, 1), (7, 1), (8, 2), (12, 2), (13, 3), (40, 6), (41, 7)] {
        assert_eq!(table::frames_for(bytes), frames, "{bytes}");
    }
}
