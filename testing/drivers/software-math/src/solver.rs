//! cuSOLVER.
