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
//! The attribute adds the fence and nothing else: it moves the body into a closure, hands that to `crate::entry::fenced` together
//! with the function's name, and makes the function return what `fenced` returns, a `crate::entry::Code`.

use proc_macro::TokenStream;
use quote::quote;
use syn::{ItemFn, parse_macro_input, parse_quote};

/// Runs the body of a C function inside the panic fence, and returns the interface's code of its result.
///
/// The function's documentation gets the contract that all C functions share.
#[proc_macro_attribute]
pub fn entry(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(function as ItemFn);
    let name = function.sig.ident.to_string();
    let result = std::mem::replace(&mut function.sig.output, parse_quote!(-> crate::entry::Code));
    let body = &function.block;
    function.block = parse_quote!({ crate::entry::fenced(#name, move || #result #body) });
    let mut documentation = std::mem::take(&mut function.attrs);
    if documentation.is_empty() {
        documentation.push(parse_quote!(#[doc = "The C function of that name."]));
    }
    let contract = "\n# Safety\n\nPointers are null or point to what their parameters name, for the length that their counts state.";
    // One copy serves the table and the exported symbol.
    quote! {
        #(#documentation)*
        #[doc = #contract]
        #[inline(never)]
        #function
    }
    .into()
}
