//! Tests by name.

/// One test: a behaviour, named `family::what_is_seen`.
pub struct Case {
    /// Its name.
    pub name: String,
    /// Whether it runs in a process of its own.
    pub isolated: bool,
    /// What it does; it fails by panicking.
    pub body: Box<dyn Fn() + Send + Sync>,
}

/// All tests, in the order of their registration.
#[derive(Default)]
pub struct Registry {
    /// The tests.
    pub cases: Vec<Case>,
}

impl Registry {
    /// Adds a test.
    pub fn add(&mut self, family: &str, name: &str, isolated: bool, body: impl Fn() + Send + Sync + 'static) {
        self.cases.push(Case { name: format!("{family}::{name}"), isolated, body: Box::new(body) });
    }
}

/// Registers functions of a module under their own names: in this process, then in processes of their own.
#[macro_export]
macro_rules! cases {
    ($registry:ident, $family:literal, [$($name:ident),* $(,)?] $(, isolated [$($risky:ident),* $(,)?])?) => {
        $($registry.add($family, stringify!($name), false, $name);)*
        $($($registry.add($family, stringify!($risky), true, $risky);)*)?
    };
}
