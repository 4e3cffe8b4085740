//! The required content of a refusal's message: the entry point, and the argument, or the driver's call and code.

use sycl_pi_core::*;

/// Returns what is wrong with a text, or `None` if it is right.
pub(crate) fn complaint(
    entry: &str,
    params: &[&str],
    code: pi_result,
    reported: pi_result,
    text: &str,
) -> Option<String> {
    if reported != code && code != PI_ERROR_PLUGIN_SPECIFIC_ERROR {
        return Some(format!("the text belongs to code {reported}"));
    }
    if let Some(complaint) = of_ur(params, code, text) {
        return complaint;
    }
    let Some(rest) = text.strip_prefix(entry).and_then(|rest| rest.strip_prefix(": ")) else {
        return Some("it does not begin with the entry point".into());
    };
    if rest.split_whitespace().count() < 3 {
        return Some("it says nothing".into());
    }
    if rest.contains("internal error") {
        return Some("the plugin panicked".into());
    }
    if is_about_arguments(code) && !names_a_parameter(rest, params) && !names_a_driver_call(rest) {
        return Some("it names neither a parameter nor a call of the driver".into());
    }
    None
}

/// Judges a text that came through UR, where the call has UR's name and UR's parameters. Returns `None` for other
/// texts.
fn of_ur(params: &[&str], code: pi_result, text: &str) -> Option<Option<String>> {
    // After the adapter is released, it returns no text either.
    if text == "UR has no way to say this" || (code == PI_ERROR_UNINITIALIZED && text.is_empty()) {
        return Some(None);
    }
    let (call, rest) = text.split_once(": ").filter(|(call, _)| call.starts_with("ur"))?;
    let Some(function) = sycl_ur_core::table::function(call) else {
        return Some(Some("it does not begin with a function of UR".into()));
    };
    let older = function.older.iter().flat_map(|older| older.params);
    // A backend supports both interfaces, and words its messages for one of them.
    let own = function.params.iter().chain(older).map(|(name, _)| *name);
    let params: Vec<&str> = own.chain(params.iter().copied()).collect();
    if rest.contains("internal error") {
        return Some(Some("the adapter panicked".into()));
    }
    // Members of UR's structures have names of this form, and no word in a sentence does.
    let is_member = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.contains(|c: char| c.is_ascii_uppercase())
    };
    let named = names_a_parameter(rest, &params) || names_a_driver_call(rest) || words(rest).any(is_member);
    let named = named || !is_about_arguments(code);
    Some((!named).then(|| "it names neither a parameter nor a call of the driver".into()))
}

/// Returns whether a code blames an argument, rather than a state or a missing feature.
fn is_about_arguments(code: pi_result) -> bool {
    !matches!(
        code,
        PI_ERROR_UNINITIALIZED | PI_ERROR_UNSUPPORTED_FEATURE | PI_ERROR_INVALID_OPERATION | PI_ERROR_UNKNOWN
    )
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// The interface spells the list of events in two ways.
fn is_wait_list(word: &str, params: &[&str]) -> bool {
    word == "event_wait_list" && params.contains(&"events_waitlist")
}

fn names_a_parameter(text: &str, params: &[&str]) -> bool {
    let named = |word: &str| {
        params.iter().any(|param| param.eq_ignore_ascii_case(word) || noun(param).eq_ignore_ascii_case(word))
    };
    words(text).any(|word| named(word) || is_wait_list(word, params))
}

/// Returns what a parameter is in one word: `command_queue` and `hQueue` are queues, `arg_index` belongs to an
/// argument.
fn noun(param: &str) -> &str {
    if param.eq_ignore_ascii_case("arg_index") || param == "argIndex" {
        return "argument";
    }
    let last = param.rsplit('_').next().unwrap_or(param);
    let upper = last.find(|c: char| c.is_ascii_uppercase());
    upper.and_then(|at| last.get(at..)).unwrap_or(last)
}

/// Returns whether the text names a driver's call, such as `clCreateBuffer`, `zeMemAllocDevice`, `cuMemAlloc` or
/// `nvJitLink..`, with a code or the reason why it was not called.
fn names_a_driver_call(text: &str) -> bool {
    let is_call = |word: &str| {
        ["cl", "ze", "cu", "nv"].iter().any(|start| {
            word.strip_prefix(start)
                .is_some_and(|rest| rest.len() > 3 && rest.starts_with(|c: char| c.is_ascii_uppercase()))
        })
    };
    words(text).any(is_call)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        complaint("piMemRetain", &["mem"], PI_ERROR_INVALID_MEM_OBJECT, PI_ERROR_INVALID_MEM_OBJECT, text)
    }

    #[test]
    fn a_text_names_the_entry_point_and_a_parameter_or_the_driver_s_call() {
        assert_eq!(of("piMemRetain: mem is null; expected: memory object"), None);
        assert_eq!(of("piMemRetain: clRetainMemObject: CL_INVALID_MEM_OBJECT (-38)"), None);
        for params in [["command_queue"], ["hQueue"]] {
            let text = "piQueueFlush: the queue is of another context";
            assert_eq!(
                complaint("piQueueFlush", &params, PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_VALUE, text),
                None
            );
        }
        assert!(of("mem is null; expected: memory object").is_some());
        assert!(of("piMemRetain: memory is null or so").is_some());
        assert!(of("piMemRetain: mem bad").is_some());
        assert!(of("piMemRetain: internal error of the plugin, mem").is_some());
    }

    #[test]
    fn a_text_of_another_code_is_an_earlier_failure_s() {
        let text = "piMemRetain: mem is null; expected: memory object";
        assert!(
            complaint("piMemRetain", &["mem"], PI_ERROR_INVALID_MEM_OBJECT, PI_ERROR_INVALID_VALUE, text)
                .is_some()
        );
    }
}
