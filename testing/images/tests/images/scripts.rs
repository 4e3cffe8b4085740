use crate::Test;

pub(crate) fn all() -> Vec<Test> {
    Vec::new()
}
