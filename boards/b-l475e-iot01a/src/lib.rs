#![no_std]
//! board
