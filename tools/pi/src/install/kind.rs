//! Plugins and adapters.

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// It speaks PI.
    Plugin,
    /// It speaks Unified Runtime.
    Adapter,
}

impl FileKind {
    /// Both.
    pub const ALL: [FileKind; 2] = [FileKind::Plugin, FileKind::Adapter];

    /// The word for it.
    pub fn noun(self) -> &'static str {
        match self {
            FileKind::Plugin => "plugin",
            FileKind::Adapter => "adapter",
        }
    }
}
