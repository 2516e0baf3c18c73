//! The flash controller: latency, caches, keys, programming, erasing, error correction.
