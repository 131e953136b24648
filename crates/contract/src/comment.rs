//! The comments of the protos as API documentation.

/// The text of a leading comment in one line. A paragraph that begins with `Custom:` is left out: it tells readers of
/// the protos why the call is not declared.
#[must_use]
pub fn documentation(leading: &str) -> String {
    let mut words = Vec::new();
    let mut internal = false;
    for line in leading.lines().map(str::trim) {
        internal = !line.is_empty() && (internal || line.starts_with("Custom:"));
        if !internal && !line.is_empty() {
            words.push(line);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_custom_call_is_no_documentation() {
        let leading = " GetBook answers a book\n of the shelf.\n\n Custom: it reads\n two shelves.\n\n It is slow.\n";
        assert_eq!(documentation(leading), "GetBook answers a book of the shelf. It is slow.");
        assert_eq!(documentation(" A title.\n"), "A title.");
        assert_eq!(documentation(""), "");
    }
}
