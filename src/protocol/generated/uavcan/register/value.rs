//! `uavcan.register.Value.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A value of the standard's `uavcan.register.Value.1.0`.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum Value {
    /// The variant `empty` of the standard's `uavcan.register.Value.1.0`.
    Empty(crate::protocol::generated::uavcan::primitive::Empty),
    /// The variant `string` of the standard's `uavcan.register.Value.1.0`.
    String(crate::protocol::generated::uavcan::primitive::String),
    /// The variant `unstructured` of the standard's `uavcan.register.Value.1.0`.
    Unstructured(crate::protocol::generated::uavcan::primitive::Unstructured),
    /// The variant `bit` of the standard's `uavcan.register.Value.1.0`.
    Bit(crate::protocol::generated::uavcan::primitive::array::Bit),
    /// The variant `integer64` of the standard's `uavcan.register.Value.1.0`.
    Integer64(crate::protocol::generated::uavcan::primitive::array::Integer64),
    /// The variant `integer32` of the standard's `uavcan.register.Value.1.0`.
    Integer32(crate::protocol::generated::uavcan::primitive::array::Integer32),
    /// The variant `integer16` of the standard's `uavcan.register.Value.1.0`.
    Integer16(crate::protocol::generated::uavcan::primitive::array::Integer16),
    /// The variant `integer8` of the standard's `uavcan.register.Value.1.0`.
    Integer8(crate::protocol::generated::uavcan::primitive::array::Integer8),
    /// The variant `natural64` of the standard's `uavcan.register.Value.1.0`.
    Natural64(crate::protocol::generated::uavcan::primitive::array::Natural64),
    /// The variant `natural32` of the standard's `uavcan.register.Value.1.0`.
    Natural32(crate::protocol::generated::uavcan::primitive::array::Natural32),
    /// The variant `natural16` of the standard's `uavcan.register.Value.1.0`.
    Natural16(crate::protocol::generated::uavcan::primitive::array::Natural16),
    /// The variant `natural8` of the standard's `uavcan.register.Value.1.0`.
    Natural8(crate::protocol::generated::uavcan::primitive::array::Natural8),
    /// The variant `real64` of the standard's `uavcan.register.Value.1.0`.
    Real64(crate::protocol::generated::uavcan::primitive::array::Real64),
    /// The variant `real32` of the standard's `uavcan.register.Value.1.0`.
    Real32(crate::protocol::generated::uavcan::primitive::array::Real32),
    /// The variant `real16` of the standard's `uavcan.register.Value.1.0`.
    Real16(crate::protocol::generated::uavcan::primitive::array::Real16),
}

impl Object for Value {
    const NAME: &'static str = "uavcan.register.Value.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 259;
    const EXTENT: usize = 259;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        match self {
            Self::Empty(value) => {
                to.put(0, 8)?;
                value.write(to)?;
            }
            Self::String(value) => {
                to.put(1, 8)?;
                value.write(to)?;
            }
            Self::Unstructured(value) => {
                to.put(2, 8)?;
                value.write(to)?;
            }
            Self::Bit(value) => {
                to.put(3, 8)?;
                value.write(to)?;
            }
            Self::Integer64(value) => {
                to.put(4, 8)?;
                value.write(to)?;
            }
            Self::Integer32(value) => {
                to.put(5, 8)?;
                value.write(to)?;
            }
            Self::Integer16(value) => {
                to.put(6, 8)?;
                value.write(to)?;
            }
            Self::Integer8(value) => {
                to.put(7, 8)?;
                value.write(to)?;
            }
            Self::Natural64(value) => {
                to.put(8, 8)?;
                value.write(to)?;
            }
            Self::Natural32(value) => {
                to.put(9, 8)?;
                value.write(to)?;
            }
            Self::Natural16(value) => {
                to.put(10, 8)?;
                value.write(to)?;
            }
            Self::Natural8(value) => {
                to.put(11, 8)?;
                value.write(to)?;
            }
            Self::Real64(value) => {
                to.put(12, 8)?;
                value.write(to)?;
            }
            Self::Real32(value) => {
                to.put(13, 8)?;
                value.write(to)?;
            }
            Self::Real16(value) => {
                to.put(14, 8)?;
                value.write(to)?;
            }
        }
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.take(8)? {
            0 => Self::Empty(crate::protocol::generated::uavcan::primitive::Empty::read(from)?),
            1 => Self::String(crate::protocol::generated::uavcan::primitive::String::read(from)?),
            2 => Self::Unstructured(
                crate::protocol::generated::uavcan::primitive::Unstructured::read(from)?,
            ),
            3 => Self::Bit(crate::protocol::generated::uavcan::primitive::array::Bit::read(from)?),
            4 => Self::Integer64(
                crate::protocol::generated::uavcan::primitive::array::Integer64::read(from)?,
            ),
            5 => Self::Integer32(
                crate::protocol::generated::uavcan::primitive::array::Integer32::read(from)?,
            ),
            6 => Self::Integer16(
                crate::protocol::generated::uavcan::primitive::array::Integer16::read(from)?,
            ),
            7 => Self::Integer8(
                crate::protocol::generated::uavcan::primitive::array::Integer8::read(from)?,
            ),
            8 => Self::Natural64(
                crate::protocol::generated::uavcan::primitive::array::Natural64::read(from)?,
            ),
            9 => Self::Natural32(
                crate::protocol::generated::uavcan::primitive::array::Natural32::read(from)?,
            ),
            10 => Self::Natural16(
                crate::protocol::generated::uavcan::primitive::array::Natural16::read(from)?,
            ),
            11 => Self::Natural8(
                crate::protocol::generated::uavcan::primitive::array::Natural8::read(from)?,
            ),
            12 => Self::Real64(crate::protocol::generated::uavcan::primitive::array::Real64::read(
                from,
            )?),
            13 => Self::Real32(crate::protocol::generated::uavcan::primitive::array::Real32::read(
                from,
            )?),
            14 => Self::Real16(crate::protocol::generated::uavcan::primitive::array::Real16::read(
                from,
            )?),
            _ => return None,
        })
    }
}
