//! What the nodes are called.

use std::collections::BTreeMap;

use croupier::protocol::transfer::NodeId;

use super::fields::Field;
use super::seen::Seen;

/// Names by number: the table's usual ones, until a node says otherwise.
#[derive(Debug)]
pub struct Names(BTreeMap<u8, String>);

impl Default for Names {
    fn default() -> Self {
        let usual = [(1, "controller"), (10, "reader"), (11, "shuffler"), (12, "paigow")];
        Self(usual.map(|(node, name)| (node, name.to_owned())).into())
    }
}

impl Names {
    /// The node's name, or its number.
    pub fn of(&self, node: Option<NodeId>) -> String {
        let Some(node) = node else { return "anonymous".into() };
        let known = self.0.get(&node.get());
        known.cloned().unwrap_or_else(|| format!("node {}", node.get()))
    }

    /// Takes note of what a node says it is.
    pub fn learn(&mut self, seen: &Seen) {
        if seen.content.name() != Some("uavcan.node.GetInfo.1.0.Response") {
            return;
        }
        let said = seen.content.get("name").and_then(Field::bytes);
        let said = said.and_then(|bytes| String::from_utf8(bytes).ok());
        if let (Some(node), Some(said)) = (seen.header.source, said) {
            let short = said.strip_prefix("croupier.").unwrap_or(&said);
            self.0.insert(node.get(), short.to_owned());
        }
    }
}
