//! What the device-image tools cost.

fn main() {}
