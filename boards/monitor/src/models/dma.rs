//! DMA1: channels that move bytes between memory and a peripheral's data register.
