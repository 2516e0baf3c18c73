//! All models of the chip behind one address decoder.
