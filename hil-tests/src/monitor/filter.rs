//! Which transfers the user wants to see.

use croupier::protocol::transfer::{NodeId, Port};

use super::names::Names;
use super::seen::Seen;

/// What to show; everything, unless it says something.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// From or to one of these nodes, by name or number.
    pub nodes: Vec<String>,
    /// With one of these in the type's full name; capitals do not matter.
    pub types: Vec<String>,
    /// Only what happened once, not what is repeated every second.
    pub events: bool,
}

impl Filter {
    /// Whether `seen` is wanted.
    pub fn wants(&self, seen: &Seen, names: &Names) -> bool {
        self.nodes_fit(seen, names) && self.type_fits(seen) && self.event_fits(seen)
    }

    fn nodes_fit(&self, seen: &Seen, names: &Names) -> bool {
        let to = match seen.header.port {
            Port::Message(_) => None,
            Port::Request(_, to) | Port::Response(_, to) => Some(to),
        };
        let involved = |node: NodeId| {
            let (name, number) = (names.of(Some(node)), node.get().to_string());
            self.nodes.iter().any(|wanted| *wanted == name || *wanted == number)
        };
        self.nodes.is_empty() || seen.header.source.into_iter().chain(to).any(involved)
    }

    fn type_fits(&self, seen: &Seen) -> bool {
        let name = seen.content.name().map_or_else(|| seen.title(), str::to_owned).to_lowercase();
        self.types.is_empty()
            || self.types.iter().any(|wanted| name.contains(&wanted.to_lowercase()))
    }

    fn event_fits(&self, seen: &Seen) -> bool {
        !self.events || seen.content.is_event()
    }
}
