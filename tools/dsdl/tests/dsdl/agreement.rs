//! The tree agrees with the DSDL, and the types in it with a second encoder.

use std::collections::BTreeMap;

use croupier::protocol::codec::{Message, Object, Request, Visitor};
use croupier::protocol::generated::visit;
use dsdl::model::Model;
use dsdl::{namespace, tree, vectors};

// Issue 3, item 1: regeneration gives the same.
#[test]
fn the_tree_holds_exactly_what_is_written_from_the_dsdl() {
    let repository = namespace::repository();
    let files = tree::files(&repository).unwrap();
    let namespaces = files.keys().filter(|place| !place.ends_with("mod.rs")).count();
    assert_eq!(namespaces, 6, "four of ours, the standard's nodes, and the table: {files:?}");
    assert_eq!(tree::differences(&repository, &files).unwrap(), Vec::<std::path::PathBuf>::new());
}

/// What a type makes of bytes: its `Debug`, and the bytes again.
type Reading = fn(&[u8]) -> Option<(String, Vec<u8>)>;

#[derive(Default)]
struct Readings(BTreeMap<&'static str, Reading>);

impl Readings {
    fn add<O: Object>(&mut self) {
        self.0.insert(O::NAME, |bytes| {
            let object = O::decode(bytes).ok()?;
            let mut out = vec![0xAA; O::LONGEST];
            let length = object.encode(&mut out)?;
            out.truncate(length);
            Some((format!("{object:?}"), out))
        });
    }
}

impl Visitor for Readings {
    fn message<M: Message>(&mut self) {
        self.add::<M>();
    }

    fn service<R: Request>(&mut self) {
        self.add::<R>();
        self.add::<R::Response>();
    }
}

#[test]
fn every_type_reads_and_writes_what_the_second_encoder_does() {
    let mut readings = Readings::default();
    visit(&mut readings);
    let model = Model::new(&namespace::compile(&namespace::repository()).unwrap()).unwrap();
    let samples = vectors::samples(&model, 7, 200);
    assert_eq!(samples.len(), readings.0.len() * 200);
    for (body, sample) in samples {
        let read = readings.0[body.full.as_str()](&sample.bytes);
        assert_eq!(read, Some((sample.debug, sample.bytes)), "{}", body.full);
    }
}

#[test]
fn sizes_are_the_smallest_and_largest_that_occur() {
    let model = Model::new(&namespace::compile(&namespace::repository()).unwrap()).unwrap();
    for (body, sample) in vectors::samples(&model, 3, 100) {
        let length = sample.bytes.len() as u64;
        assert!((body.shortest..=body.longest).contains(&length), "{}: {length}", body.full);
        assert!(body.longest <= body.extent, "{}", body.full);
    }
}
