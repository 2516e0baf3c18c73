//! The clauses as they travel, and in words.
//!
//! A message has one byte for the clause, so each clause that an irregularity can rest on has a
//! code in `dsdl/croupier/common/Clause.1.0.dsdl`. [`TABLE`] joins the two. A new clause is a line
//! there and a row here; the tests compare both, and ask for a row of every clause in use.

use core::fmt;

use super::Clause;
use crate::protocol::generated::croupier::common::Clause as Code;

/// What an irregularity rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Basis {
    /// This clause says so.
    Said(Clause),
    /// No clause of the game speaks of it: done by analogy with this one, and said to be so.
    ByAnalogy(Clause),
}

impl Basis {
    /// The code of what this rests on, if it rests on anything that has one.
    pub fn code(basis: Option<Self>) -> Code {
        let row = TABLE.iter().find(|(_, found)| Some(*found) == basis);
        row.map_or(Code::None, |(code, _)| *code)
    }

    /// What the code stands for; nothing for the device's own rules.
    pub fn of(code: Code) -> Option<Self> {
        TABLE.iter().find(|(found, _)| *found == code).map(|(_, basis)| *basis)
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(clause) => write!(f, "Pa. {clause}"),
            Self::ByAnalogy(clause) => write!(f, "by analogy with Pa. {clause}"),
        }
    }
}

/// A clause of 58 Pa. Code.
const fn said(clause: &'static str) -> Basis {
    Basis::Said(Clause(clause))
}

/// The clause that is followed where the game has none.
const fn by_analogy(clause: &'static str) -> Basis {
    Basis::ByAnalogy(Clause(clause))
}

/// Every code and what it stands for.
pub static TABLE: [(Code, Basis); 168] = [
    (Code::Pa5811, said("581.1")),
    (Code::Pa5812D, said("581.2(d)")),
    (Code::Pa5813A, said("581.3(a)")),
    (Code::Pa5813B1, said("581.3(b)(1)")),
    (Code::Pa5813B4, said("581.3(b)(4)")),
    (Code::Pa5813B5, said("581.3(b)(5)")),
    (Code::Pa5813C, said("581.3(c)")),
    (Code::Pa5815A, said("581.5(a)")),
    (Code::Pa5815G, said("581.5(g)")),
    (Code::Pa5817G, said("581.7(g)")),
    (Code::Pa58113E, said("581.13(e)")),
    (Code::Pa58113H, said("581.13(h)")),
    (Code::Pa58113I, said("581.13(i)")),
    (Code::Pa58113J, said("581.13(j)")),
    (Code::Pa58113K, said("581.13(k)")),
    (Code::Pa5833A, said("583.3(a)")),
    (Code::Pa5833B, said("583.3(b)")),
    (Code::Pa5833B3, said("583.3(b)(3)")),
    (Code::Pa5833B4, said("583.3(b)(4)")),
    (Code::Pa5833C, said("583.3(c)")),
    (Code::Pa5835A, said("583.5(a)")),
    (Code::Pa5835B, said("583.5(b)")),
    (Code::Pa5835F, said("583.5(f)")),
    (Code::Pa5838E, said("583.8(e)")),
    (Code::Pa5838G, said("583.8(g)")),
    (Code::Pa5839E, said("583.9(e)")),
    (Code::Pa5839G, said("583.9(g)")),
    (Code::Pa58310D, said("583.10(d)")),
    (Code::Pa58310F, said("583.10(f)")),
    (Code::Pa58313D, said("583.13(d)")),
    (Code::Pa58313F, said("583.13(f)")),
    (Code::Pa5873A, said("587.3(a)")),
    (Code::Pa5873B, said("587.3(b)")),
    (Code::Pa5873B3, said("587.3(b)(3)")),
    (Code::Pa5873B4, said("587.3(b)(4)")),
    (Code::Pa5873C, said("587.3(c)")),
    (Code::Pa5875A, said("587.5(a)")),
    (Code::Pa5875B, said("587.5(b)")),
    (Code::Pa5875F, said("587.5(f)")),
    (Code::Pa5878F, said("587.8(f)")),
    (Code::Pa5878H, said("587.8(h)")),
    (Code::Pa5879D, said("587.9(d)")),
    (Code::Pa5879F, said("587.9(f)")),
    (Code::Pa58710D, said("587.10(d)")),
    (Code::Pa58710F, said("587.10(f)")),
    (Code::Pa58713E, said("587.13(e)")),
    (Code::Pa58713G, said("587.13(g)")),
    (Code::Pa5882A, said("588.2(a)")),
    (Code::Pa5882D1, said("588.2(d)(1)")),
    (Code::Pa5883A, said("588.3(a)")),
    (Code::Pa5883B, said("588.3(b)")),
    (Code::Pa5883B3, said("588.3(b)(3)")),
    (Code::Pa5883B4, said("588.3(b)(4)")),
    (Code::Pa5883C, said("588.3(c)")),
    (Code::Pa5885A, said("588.5(a)")),
    (Code::Pa5885B1, said("588.5(b)(1)")),
    (Code::Pa5885G2, said("588.5(g)(2)")),
    (Code::Pa5885I2, said("588.5(i)(2)")),
    (Code::Pa5888E, said("588.8(e)")),
    (Code::Pa5888F, said("588.8(f)")),
    (Code::Pa5889D, said("588.9(d)")),
    (Code::Pa5889E, said("588.9(e)")),
    (Code::Pa58810D, said("588.10(d)")),
    (Code::Pa58810E, said("588.10(e)")),
    (Code::Pa58813L, said("588.13(l)")),
    (Code::Pa58813N, said("588.13(n)")),
    (Code::Pa5893A, said("589.3(a)")),
    (Code::Pa5893B, said("589.3(b)")),
    (Code::Pa5893B3, said("589.3(b)(3)")),
    (Code::Pa5893B4, said("589.3(b)(4)")),
    (Code::Pa5893C, said("589.3(c)")),
    (Code::Pa5895A, said("589.5(a)")),
    (Code::Pa5895B, said("589.5(b)")),
    (Code::Pa5895F, said("589.5(f)")),
    (Code::Pa58911G, said("589.11(g)")),
    (Code::Pa58911G2, said("589.11(g)(2)")),
    (Code::Pa58913E, said("589.13(e)")),
    (Code::Pa58913G, said("589.13(g)")),
    (Code::Pa5901, said("590.1")),
    (Code::Pa5902D, said("590.2(d)")),
    (Code::Pa5903A, said("590.3(a)")),
    (Code::Pa5903B1, said("590.3(b)(1)")),
    (Code::Pa5903B4, said("590.3(b)(4)")),
    (Code::Pa5903B5, said("590.3(b)(5)")),
    (Code::Pa5903C, said("590.3(c)")),
    (Code::Pa5903D, said("590.3(d)")),
    (Code::Pa5905A, said("590.5(a)")),
    (Code::Pa5905G2, said("590.5(g)(2)")),
    (Code::Pa5907G, said("590.7(g)")),
    (Code::Pa59013F, said("590.13(f)")),
    (Code::Pa59013I, said("590.13(i)")),
    (Code::Pa59013J, said("590.13(j)")),
    (Code::Pa59013K, said("590.13(k)")),
    (Code::Pa59013L, said("590.13(l)")),
    (Code::Pa5911, said("591.1")),
    (Code::Pa5912D, said("591.2(d)")),
    (Code::Pa5913A, said("591.3(a)")),
    (Code::Pa5913B1, said("591.3(b)(1)")),
    (Code::Pa5913B4, said("591.3(b)(4)")),
    (Code::Pa5913B5, said("591.3(b)(5)")),
    (Code::Pa5913C, said("591.3(c)")),
    (Code::Pa5913D, said("591.3(d)")),
    (Code::Pa5915A, said("591.5(a)")),
    (Code::Pa5915G2, said("591.5(g)(2)")),
    (Code::Pa5917H, said("591.7(h)")),
    (Code::Pa59113F, said("591.13(f)")),
    (Code::Pa59113I, said("591.13(i)")),
    (Code::Pa59113J, said("591.13(j)")),
    (Code::Pa59113K, said("591.13(k)")),
    (Code::Pa59113L, said("591.13(l)")),
    (Code::Pa5923A, said("592.3(a)")),
    (Code::Pa5923B, said("592.3(b)")),
    (Code::Pa5923B3, said("592.3(b)(3)")),
    (Code::Pa5923B4, said("592.3(b)(4)")),
    (Code::Pa5923C, said("592.3(c)")),
    (Code::Pa5925A, said("592.5(a)")),
    (Code::Pa5925B, said("592.5(b)")),
    (Code::Pa5925F, said("592.5(f)")),
    (Code::Pa5928F, said("592.8(f)")),
    (Code::Pa5928H, said("592.8(h)")),
    (Code::Pa5929D, said("592.9(d)")),
    (Code::Pa5929F, said("592.9(f)")),
    (Code::Pa59210D, said("592.10(d)")),
    (Code::Pa59210F, said("592.10(f)")),
    (Code::Pa59213E, said("592.13(e)")),
    (Code::Pa59213G, said("592.13(g)")),
    (Code::Pa672a1, said("672a.1")),
    (Code::Pa672a2D, said("672a.2(d)")),
    (Code::Pa672a3A, said("672a.3(a)")),
    (Code::Pa672a3B1, said("672a.3(b)(1)")),
    (Code::Pa672a3B4, said("672a.3(b)(4)")),
    (Code::Pa672a3B5, said("672a.3(b)(5)")),
    (Code::Pa672a3C, said("672a.3(c)")),
    (Code::Pa672a3D, said("672a.3(d)")),
    (Code::Pa672a5A, said("672a.5(a)")),
    (Code::Pa672a5G2, said("672a.5(g)(2)")),
    (Code::Pa672a7G, said("672a.7(g)")),
    (Code::Pa672a12F, said("672a.12(f)")),
    (Code::Pa672a12I, said("672a.12(i)")),
    (Code::Pa672a12J, said("672a.12(j)")),
    (Code::Pa672a12K, said("672a.12(k)")),
    (Code::Pa672a12L, said("672a.12(l)")),
    (Code::Pa685a2D, said("685a.2(d)")),
    (Code::Pa685a3A, said("685a.3(a)")),
    (Code::Pa685a3B1, said("685a.3(b)(1)")),
    (Code::Pa685a3B4, said("685a.3(b)(4)")),
    (Code::Pa685a3B5, said("685a.3(b)(5)")),
    (Code::Pa685a3C, said("685a.3(c)")),
    (Code::Pa685a5A, said("685a.5(a)")),
    (Code::Pa685a5G, said("685a.5(g)")),
    (Code::Pa685a7H, said("685a.7(h)")),
    (Code::Pa685a12E, said("685a.12(e)")),
    (Code::Pa685a12H, said("685a.12(h)")),
    (Code::Pa685a12I, said("685a.12(i)")),
    (Code::Pa685a12J, said("685a.12(j)")),
    (Code::Pa685a12K, said("685a.12(k)")),
    (Code::ByAnalogyPa5835B, by_analogy("583.5(b)")),
    (Code::ByAnalogyPa5838G, by_analogy("583.8(g)")),
    (Code::ByAnalogyPa58113A, by_analogy("581.13(a)")),
    (Code::ByAnalogyPa58313A, by_analogy("583.13(a)")),
    (Code::ByAnalogyPa58713A, by_analogy("587.13(a)")),
    (Code::ByAnalogyPa58813F, by_analogy("588.13(f)")),
    (Code::ByAnalogyPa58913A, by_analogy("589.13(a)")),
    (Code::ByAnalogyPa59013A, by_analogy("590.13(a)")),
    (Code::ByAnalogyPa59113A, by_analogy("591.13(a)")),
    (Code::ByAnalogyPa59213A, by_analogy("592.13(a)")),
    (Code::ByAnalogyPa672a12A, by_analogy("672a.12(a)")),
    (Code::ByAnalogyPa685a12A, by_analogy("685a.12(a)")),
];
