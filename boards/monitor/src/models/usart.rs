//! A USART, on two wires or on one.
