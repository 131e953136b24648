//! Cells of comma-separated values (RFC 4180).

/// Appends a text as one cell. One that a spreadsheet would compute begins with an apostrophe.
pub(crate) fn write_cell(text: &str, out: &mut String) {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if !is_formula && !text.contains(['"', ',', '\n', '\r']) {
        out.push_str(text);
        return;
    }
    out.push('"');
    if is_formula {
        out.push('\'');
    }
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_neither_two_cells_nor_a_formula() {
        let cell = |text: &str| {
            let mut out = String::new();
            write_cell(text, &mut out);
            out
        };
        assert_eq!(cell("INV-26-000123"), "INV-26-000123");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("-x"), "\"'-x\"");
    }
}
