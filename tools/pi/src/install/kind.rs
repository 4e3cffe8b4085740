//! Plugins and adapters.

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// It implements PI.
    Plugin,
    /// It implements Unified Runtime.
    Adapter,
}

impl FileKind {
    /// Both.
    pub const ALL: [FileKind; 2] = [FileKind::Plugin, FileKind::Adapter];

    /// Returns the noun for it.
    pub fn noun(self) -> &'static str {
        match self {
            FileKind::Plugin => "plugin",
            FileKind::Adapter => "adapter",
        }
    }
}
