//! `#[entry]`: the attribute of the C functions of a front.
//!
//! A front writes each C function as an ordinary function that returns `Result<()>`:
//!
//! ```ignore
//! #[entry]
//! pub unsafe extern "C" fn urQueueFlush<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
//!     // SAFETY: the caller vouches for `hQueue`.
//!     B::queue_flush(unsafe { object(hQueue, "hQueue") }?)
//! }
//! ```
//!
//! The attribute adds the fence and nothing else. It moves the body into a closure, passes that to `crate::entry::fenced` together
//! with the function's name, and makes the function return the result of `fenced`, a `crate::entry::Code`.
//!
//! A function has so few parts that this crate finds them among the tokens itself: a parser of all of Rust would take longer to
//! compile than both fronts.

use proc_macro::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};

/// Precedes the function. One copy serves the table and the exported symbol.
const CONTRACT: &str = r#"
    #[doc = "\n# Safety\n\nPointers are null or point to what their parameters name, for the length that their counts state."]
    #[inline(never)]
"#;

/// Runs the body of a C function inside the panic fence, and returns the interface's code of its result.
///
/// The function's documentation gets the contract that all C functions share.
#[proc_macro_attribute]
pub fn entry(_: TokenStream, function: TokenStream) -> TokenStream {
    let fenced = Function::find(&function.into_iter().collect::<Vec<_>>()).and_then(Function::fenced);
    fenced.unwrap_or_else(|| tokens("compile_error! { \"#[entry] is for functions that return a Result\" }"))
}

/// The parts of a function.
struct Function {
    /// The documentation and other attributes.
    attributes: TokenStream,
    /// From the visibility to the parameters.
    head: TokenStream,
    name: Ident,
    /// The arrow with the type.
    result: TokenStream,
    body: Group,
}

impl Function {
    fn find(all: &[TokenTree]) -> Option<Self> {
        let (TokenTree::Group(body), all) = all.split_last()? else { return None };
        let is_mark =
            |token: &TokenTree, mark| matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark);
        let attributes = 2 * all.chunks(2).take_while(|pair| is_mark(&pair[0], '#')).count();
        let (attributes, rest) = all.split_at_checked(attributes)?;
        let arrow = rest.windows(2).position(|pair| is_mark(&pair[0], '-') && is_mark(&pair[1], '>'))?;
        let (head, result) = rest.split_at(arrow);
        let keyword = head.iter().position(|token| token.to_string() == "fn")?;
        let TokenTree::Ident(name) = head.get(keyword + 1)? else { return None };
        let stream = |tokens: &[TokenTree]| tokens.iter().cloned().collect();
        Some(Self {
            attributes: stream(attributes),
            head: stream(head),
            name: name.clone(),
            result: stream(result),
            body: body.clone(),
        })
    }

    fn fenced(self) -> Option<TokenStream> {
        let Self { mut attributes, head, name, result, body } = self;
        if attributes.is_empty() {
            attributes = tokens("#[doc = \"The C function of that name.\"]");
        }
        let mut call = TokenStream::from(TokenTree::from(Literal::string(&name.to_string())));
        call.extend([tokens(", move ||"), result, TokenTree::from(body).into()]);
        let mut fence = tokens("crate::entry::fenced");
        fence.extend([TokenTree::from(Group::new(Delimiter::Parenthesis, call))]);
        let body = TokenTree::from(Group::new(Delimiter::Brace, fence)).into();
        let all = [attributes, tokens(CONTRACT), head, tokens("-> crate::entry::Code"), body];
        Some(all.into_iter().collect())
    }
}

/// Returns the tokens of a text that this file contains.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
