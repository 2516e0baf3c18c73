//! Every type that travels, by its port: what it is called and how it is read.

use std::collections::BTreeMap;

use croupier::protocol::codec::{Message, Object, Request, Visitor};
use croupier::protocol::generated::croupier::common::ProvisionKeyRequest;
use croupier::protocol::generated::visit;
use croupier::protocol::transfer::{Port, Transfer};

use super::fields::Field;
use super::seen::Content;

/// Which half of which kind of port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Message(u16),
    Request(u16),
    Response(u16),
}

impl From<Port> for Place {
    fn from(port: Port) -> Self {
        match port {
            Port::Message(subject) => Self::Message(subject.get()),
            Port::Request(service, _) => Self::Request(service.get()),
            Port::Response(service, _) => Self::Response(service.get()),
        }
    }
}

struct Entry {
    name: &'static str,
    /// The value as its `Debug` shows it: derived, so that its shape is known, and without secrets.
    read: fn(&[u8]) -> Option<String>,
}

/// All types.
pub struct Catalogue(BTreeMap<Place, Entry>);

impl Catalogue {
    /// Every type of the DSDL.
    pub fn new() -> Self {
        let mut catalogue = Self(BTreeMap::new());
        visit(&mut catalogue);
        catalogue
    }

    /// What a transfer says.
    pub fn read(&self, transfer: &Transfer<'_>) -> Content {
        let bytes = transfer.payload.to_vec();
        let Some(entry) = self.0.get(&transfer.header.port.into()) else {
            return Content::Unknown { bytes };
        };
        let name = entry.name;
        match (entry.read)(transfer.payload).and_then(|debug| Field::parse(&debug)) {
            Some(fields) => Content::Known { name, fields },
            // Even a botched request may hold a key: its bytes are on no screen.
            None if name == ProvisionKeyRequest::NAME => {
                Content::Unreadable { name, bytes: Vec::new() }
            }
            None => Content::Unreadable { name, bytes },
        }
    }

    fn add<O: Object>(&mut self, place: Place) {
        let read = |bytes: &[u8]| Some(format!("{:?}", O::decode(bytes).ok()?));
        self.0.insert(place, Entry { name: O::NAME, read });
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}

impl Visitor for Catalogue {
    fn message<M: Message>(&mut self) {
        self.add::<M>(Place::Message(M::SUBJECT.get()));
    }

    fn service<R: Request>(&mut self) {
        self.add::<R>(Place::Request(R::SERVICE.get()));
        self.add::<R::Response>(Place::Response(R::SERVICE.get()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_every_type_is_read_field_by_field() {
        let catalogue = Catalogue::new();
        let repository = dsdl::namespace::repository();
        let model = dsdl::namespace::compile(&repository).unwrap();
        let model = dsdl::model::Model::new(&model).unwrap();
        let mut read = 0;
        for (body, sample) in dsdl::vectors::samples(&model, 5, 20) {
            let entry = catalogue.0.values().find(|entry| entry.name == body.full).unwrap();
            let debug = (entry.read)(&sample.bytes).unwrap();
            assert!(Field::parse(&debug).is_some(), "{}: {debug}", body.full);
            read += 1;
        }
        assert_eq!(read, 20 * catalogue.0.len());
    }
}
