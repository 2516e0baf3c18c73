//! bxCAN: mailboxes, receive FIFOs of three frames, filters, error states.
