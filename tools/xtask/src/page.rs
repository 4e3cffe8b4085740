//! Pages of `docs/reports` with parts that commands write. Each part is enclosed in two comments with its name.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::workspace;

/// A page that several commands write to.
#[derive(Debug)]
pub(crate) struct Page {
    file: PathBuf,
}

impl Page {
    /// Returns the page of that name in `docs/reports`.
    pub(crate) fn new(name: &str) -> Self {
        Self { file: workspace::root().join("docs/reports").join(name) }
    }

    /// Replaces the part `name`. The hand-written text around it is kept.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let shown = self.file.display();
        let page = fs::read_to_string(&self.file).with_context(|| format!("cannot read {shown}"))?;
        let new = replaced(&page, name, text).with_context(|| format!("{shown} has no part {name:?}"))?;
        if new != page {
            fs::write(&self.file, new).with_context(|| format!("cannot write {shown}"))?;
        }
        eprintln!("{shown}: part {name:?} is written");
        Ok(())
    }
}

/// Returns the page with the text between the comments of a part replaced.
fn replaced(page: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let start = page.find(&begin)? + begin.len();
    let stop = start + page.get(start..)?.find(&end)?;
    Some(format!("{}\n{}\n\n{}", page.get(..start)?, text.trim(), page.get(stop..)?))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_the_named_part_changes() {
        let page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n<!-- begin y -->\n<!-- end y -->\n";
        let new = replaced(page, "x", "new\n").unwrap();
        assert_eq!(
            new,
            "a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb\n<!-- begin y -->\n<!-- end y -->\n"
        );
        assert_eq!(replaced(&new, "x", "new").unwrap(), new, "twice is once");
        assert!(replaced(page, "z", "").is_none());
    }
}
