//! The lines of `questions.txt`.

/// The step that a line of the script describes.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Its object gets a name. If the call fails, or the layout lacks the function, the name stands for null.
    Let(String),
    /// Makes each query, with every kind of buffer for the answer.
    Ask,
    /// Calls it as written.
    Call,
}

/// A call with the function and the arguments that the line names. The others get valid values.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) step: Step,
    pub(crate) function: String,
    pub(crate) arguments: Vec<(String, String)>,
    /// The call in the file's words, followed by the code that the header names.
    pub(crate) text: String,
}

/// Reads the file. An indented line is the call above it with other arguments.
pub(crate) fn read(text: &str) -> Vec<Line> {
    let mut base: Option<Line> = None;
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let words = words(line.trim());
        match &base {
            Some(base) if line.starts_with(' ') => {
                let mut call = base.clone();
                call.step = Step::Call;
                for (name, value) in arguments(&words) {
                    call.arguments.retain(|(known, _)| *known != name);
                    call.arguments.push((name, value));
                }
                call.text = format!("{} {}", call.function, line.trim());
                lines.push(call);
            }
            _ => {
                let (step, rest) = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["let", name, "=", ..] => (Step::Let(name.to_owned()), 3),
                    ["ask", ..] => (Step::Ask, 1),
                    _ => (Step::Call, 0),
                };
                let function = words.get(rest).cloned().unwrap_or_default();
                let arguments = arguments(&words);
                let call = Line { step, function, arguments, text: line.trim().to_owned() };
                base = Some(call.clone());
                lines.push(call);
            }
        }
    }
    lines
}

fn arguments(words: &[String]) -> Vec<(String, String)> {
    let pairs = words.iter().filter_map(|word| word.split_once('='));
    pairs.filter(|(name, _)| !name.is_empty()).map(|(name, value)| (name.into(), value.into())).collect()
}

/// Splits a line into words. Blanks inside brackets and quotes do not separate words.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '(' if !quoted => depth += 1,
            ']' | ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        match words.last_mut() {
            _ if letter == ' ' && depth == 0 && !quoted => words.push(String::new()),
            Some(word) => word.push(letter),
            None => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indented_line_is_the_call_above_with_other_arguments() {
        let lines = read("urX a=1 p=[1 (2 3)]\n  a=2 ! INVALID_VALUE\n");
        assert_eq!(lines[1].function, "urX");
        let expected = [("p", "[1 (2 3)]"), ("a", "2")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(lines[1].arguments, expected);
        assert_eq!(lines[1].text, "urX a=2 ! INVALID_VALUE");
    }
}
