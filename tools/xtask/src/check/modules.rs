//! The modules of a crate as their texts show them: what each defines, imports and names, and which file defines an item.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use super::sources::Source;

/// A path within a crate; empty for its root.
pub(super) type CratePath = Vec<String>;

/// How many re-exports are followed from one item.
const MOST_STEPS: usize = 10;

/// The modules of a crate that are files.
pub(super) struct Modules {
    files: BTreeMap<CratePath, File>,
}

/// The contents of a module.
struct File {
    /// The names of its items.
    defined: BTreeSet<String>,
    /// The modules that it declares.
    declared: BTreeSet<String>,
    /// Imports and re-exports, by the name that they have here.
    imports: BTreeMap<String, Import>,
    /// The targets of `use target::*`.
    globs: Vec<CratePath>,
    /// Paths of two names or more outside `use`.
    paths: Vec<Vec<String>>,
    /// Words outside `use` that can be names of this module's scope.
    words: BTreeSet<String>,
}

struct Import {
    is_public: bool,
    /// None in another crate.
    target: Option<CratePath>,
}

impl File {
    /// Adds an import, one leaf of a `use` tree.
    fn import(
        &mut self,
        is_module: impl Fn(&CratePath) -> bool,
        module: &CratePath,
        is_public: bool,
        leaf: &str,
    ) {
        let (path, other_name) = leaf.split_once(" as ").unwrap_or((leaf, ""));
        let mut names: Vec<&str> = path.split("::").map(str::trim).collect();
        if names.len() > 1 && names.last() == Some(&"self") {
            names.pop();
        }
        let mut target = absolute(is_module, module, &names);
        match names.last() {
            Some(&"*") => {
                target.as_mut().map(Vec::pop);
                self.globs.extend(target);
            }
            Some(last) => {
                let name = if other_name.is_empty() { *last } else { other_name.trim() };
                self.imports.insert(name.to_owned(), Import { is_public, target });
            }
            None => {}
        }
    }
}

/// The code before the unit tests, without visibilities such as `pub(crate)`, which import nothing.
pub(super) fn without_tests(code: &str) -> String {
    static TESTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"#\[cfg\(test\)\]\n(?:#\[[^\n]*\]\n)*mod tests").ok());
    let tests = TESTS.as_ref().and_then(|tests| tests.find(code));
    let before = tests.and_then(|found| code.get(..found.start())).unwrap_or(code);
    before.replace("pub(crate)", "pub").replace("pub(super)", "pub")
}

impl Modules {
    /// `sources` are the files below `folder`, the crate's `src/`. Programs in `src/bin/` are crates of their own.
    pub(super) fn read(reader: &Reader, folder: &str, sources: &[&Source]) -> Self {
        let mut codes: BTreeMap<CratePath, String> = BTreeMap::new();
        for source in sources {
            let path = module(folder, &source.path);
            if path.first().is_none_or(|first| first != "bin") {
                // Of a library and a program in one folder the library comes first.
                codes.entry(path).or_insert_with(|| without_tests(&source.code()));
            }
        }
        let known: BTreeSet<CratePath> = codes.keys().cloned().collect();
        let files = codes.iter().map(|(module, code)| (module.clone(), reader.read(&known, module, code)));
        Self { files: files.collect() }
    }

    /// For each module the modules that define what it uses. A module that only re-exports an item does not use it.
    pub(super) fn uses(&self) -> BTreeMap<&CratePath, BTreeSet<&CratePath>> {
        self.files.iter().map(|(module, file)| (module, self.used(module, file))).collect()
    }

    fn used<'a>(&'a self, module: &CratePath, file: &'a File) -> BTreeSet<&'a CratePath> {
        let mut items: Vec<CratePath> = Vec::new();
        for (name, import) in &file.imports {
            if !import.is_public || file.words.contains(name) {
                items.extend(import.target.clone());
            }
        }
        for glob in &file.globs {
            let is_meant = |name: &&String| {
                let is_here = file.defined.contains(*name) || file.imports.contains_key(*name);
                file.words.contains(*name) && !is_here
            };
            let names = self.names_in(glob, MOST_STEPS);
            items.extend(names.iter().filter(is_meant).map(|name| joined(glob, std::slice::from_ref(name))));
            // The variants of an enum.
            if !self.files.contains_key(glob) {
                items.push(glob.clone());
            }
        }
        items.extend(file.paths.iter().filter_map(|path| self.in_crate(module, file, path)));
        let definers = items.iter().filter_map(|item| self.definer(item, MOST_STEPS));
        definers.filter(|definer| *definer != module).collect()
    }

    /// A path that begins in a module, from the root of the crate. None if it leads to another crate or begins with an item, which
    /// is imported or defined here.
    fn in_crate(&self, module: &CratePath, file: &File, path: &[String]) -> Option<CratePath> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        absolute(|path| self.files.contains_key(path), module, &names).or_else(|| {
            let (first, rest) = path.split_first()?;
            let target = file.imports.get(first)?.target.as_ref()?;
            self.files.contains_key(target).then(|| joined(target, rest))
        })
    }

    /// The module that defines an item, through re-exports. None for a module itself and for an item of another crate.
    fn definer(&self, item: &[String], steps: usize) -> Option<&CratePath> {
        let beginnings = (0..=item.len()).rev().filter_map(|length| item.split_at_checked(length));
        let mut found =
            beginnings.filter_map(|(module, rest)| Some((self.files.get_key_value(module)?, rest)));
        let ((module, file), rest) = found.next()?;
        let (name, inside) = rest.split_first()?;
        // Its file lies elsewhere: `#[path]`.
        if file.declared.contains(name) {
            return None;
        }
        if steps == 0 || file.defined.contains(name) {
            return Some(module);
        }
        if let Some(import) = file.imports.get(name) {
            return self.definer(&joined(import.target.as_ref()?, inside), steps - 1);
        }
        let mut globs = file.globs.iter().filter(|glob| *glob != module);
        match globs.find(|glob| self.names_in(glob, steps).contains(name)) {
            Some(glob) => self.definer(&joined(glob, rest), steps - 1),
            // A macro makes it.
            None => Some(module),
        }
    }

    /// What `use module::*` may bring.
    fn names_in(&self, module: &CratePath, steps: usize) -> BTreeSet<String> {
        let Some(file) = self.files.get(module).filter(|_| steps > 0) else { return BTreeSet::new() };
        let more = file.globs.iter().filter(|glob| *glob != module);
        let mut names: BTreeSet<String> = more.flat_map(|glob| self.names_in(glob, steps - 1)).collect();
        names.extend(file.defined.iter().chain(file.imports.keys()).cloned());
        names
    }
}

fn module(folder: &str, path: &str) -> CratePath {
    let inside = path.trim_start_matches(folder).trim_matches('/').trim_end_matches(".rs");
    let mut parts: CratePath = inside.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") || matches!(inside, "lib" | "main") {
        parts.pop();
    }
    parts
}

fn joined(path: &[String], rest: &[String]) -> CratePath {
    [path, rest].concat()
}

/// A path from the root of the crate, if it begins with `crate`, `self`, `super` or a child of the module.
fn absolute(is_module: impl Fn(&CratePath) -> bool, module: &CratePath, names: &[&str]) -> Option<CratePath> {
    let (first, rest) = names.split_first()?;
    let mut path = module.clone();
    match *first {
        "crate" => path.clear(),
        "self" => {}
        "super" => drop(path.pop()),
        child => {
            path.push(child.to_owned());
            if !is_module(&path) {
                return None;
            }
        }
    }
    for name in rest {
        match *name {
            "self" => {}
            "super" => drop(path.pop()),
            name => path.push(name.to_owned()),
        }
    }
    Some(path)
}

/// Takes texts apart.
pub(super) struct Reader {
    import: Regex,
    declaration: Regex,
    definition: Regex,
    function_name: Regex,
    path: Regex,
    word: Regex,
}

impl Reader {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            import: Regex::new(r"(?m)^[ \t]*(pub )?use ([^;]+);")?,
            declaration: Regex::new(r"(?m)^[ \t]*(?:pub )?mod (\w+);")?,
            definition: Regex::new(
                r"\b(?:(?:const\s+)?(?:unsafe\s+)?fn|struct|enum|trait|type|const|static(?:\s+mut)?|union|mod|macro_rules!)\s+(\w+)",
            )?,
            function_name: Regex::new(r"\b(?:fn|mod)\s+\w+")?,
            path: Regex::new(r"(?:^|[^\w:])(\w+(?:::\w+)+)")?,
            word: Regex::new(r"(?:^|[^\w:.])(\w+)")?,
        })
    }

    /// `known` are the modules of the crate.
    fn read(&self, known: &BTreeSet<CratePath>, module: &CratePath, code: &str) -> File {
        let body = self.import.replace_all(code, "");
        let body = self.declaration.replace_all(&body, "");
        let first = |pattern: &Regex, text: &str| -> BTreeSet<String> {
            pattern.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str().to_owned())).collect()
        };
        let paths = first(&self.path, &body);
        let mut file = File {
            defined: first(&self.definition, &body),
            declared: first(&self.declaration, code),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            paths: paths.iter().map(|path| path.split("::").map(str::to_owned).collect()).collect(),
            words: first(&self.word, &self.function_name.replace_all(&body, "")),
        };
        for found in self.import.captures_iter(code) {
            let tree = found.get(2).map_or("", |tree| tree.as_str());
            for leaf in leaves(tree) {
                let is_public = found.get(1).is_some();
                file.import(|path| known.contains(path), module, is_public, &leaf);
            }
        }
        file
    }
}

/// The paths of a `use` tree: `a::{b, c::d}` has `a::b` and `a::c::d`.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let branches = inside.split(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    let branches = branches.filter(|branch| !branch.trim().is_empty());
    branches.flat_map(leaves).map(|leaf| format!("{}{leaf}", start.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn a_use_tree_has_a_path_for_each_leaf() {
        assert_eq!(leaves("a::b"), ["a::b"]);
        assert_eq!(
            leaves("a::{\n    self, b::{c, d as e},\n    f::*,\n}"),
            ["a::self", "a::b::c", "a::b::d as e", "a::f::*"]
        );
    }
}
