//! JSON: its lexer, and the writer of its scalars.

mod lexer;
pub(crate) mod number;
mod write;

pub(crate) use lexer::{Lexer, Quoted};
pub(crate) use write::{put_base64, put_double, put_float, put_signed, put_text, put_unsigned, put_utf8};
