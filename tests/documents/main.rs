//! Documents that are written from the rules, compared with the rules.

mod games;
