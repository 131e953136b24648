//! Rich texts: CommonMark without HTML, whose links lead to places that are safe.

use pulldown_cmark::{Event, Parser, Tag};

/// The fault of a rich text, if it has one.
pub(in crate::content) fn find_fault(text: &str) -> Option<&'static str> {
    Parser::new(text).find_map(|event| match event {
        Event::Html(_) | Event::InlineHtml(_) => Some("has HTML"),
        Event::Start(Tag::Link { dest_url, .. }) if !is_safe(&dest_url, &["https://", "mailto:", "tel:", "/", "#"]) => {
            Some("has a link that is no https address, mail address, telephone number or page of the site")
        }
        Event::Start(Tag::Image { dest_url, .. }) if !is_safe(&dest_url, &["https://", "/"]) => {
            Some("has a picture whose address is no https address and none of the site")
        }
        _ => None,
    })
}

/// Whether an address begins in one of these ways. Two slashes would lead to another site.
fn is_safe(address: &str, beginnings: &[&str]) -> bool {
    let lower = address.to_ascii_lowercase();
    let is_elsewhere = lower.starts_with("//") || lower.starts_with("/\\") || lower.chars().any(char::is_control);
    !is_elsewhere && beginnings.iter().any(|beginning| lower.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_markdown_is_taken() {
        for text in [
            "",
            "# Plans\n\nFrom **$29.95** a month: [see them](/plans), or [call](tel:+18005550100).\n\n- one\n- two",
            "![A family](https://example.com/family.jpg) and `<script>` as code",
            "1 < 2 and 3 > 2, R&D",
            "    <b>an indented block of code</b>",
            "<https://example.com/autolink>",
            "[mail](mailto:help@example.com) [top](#top) [reference][r]\n\n[r]: https://example.com",
        ] {
            assert_eq!(find_fault(text), None, "{text}");
        }
    }

    #[test]
    fn html_is_refused() {
        for text in [
            "<script>alert(1)</script>",
            "Hello <b>you</b>",
            "<!-- a comment -->",
            "text\n\n<div onclick=\"x\">\n\n</div>",
            "<img src=x onerror=alert(1)>",
            "- <br>",
        ] {
            assert_eq!(find_fault(text), Some("has HTML"), "{text}");
        }
    }

    #[test]
    fn links_with_script_are_refused() {
        for text in [
            "[x](javascript:alert(1))",
            "[x](JavaScript:alert(1))",
            "[x](  javascript:alert(1))",
            "[x](java&#115;cript:alert(1))",
            "[x](data:text/html,x)",
            "[x](vbscript:x)",
            "[x](//evil.example.com)",
            "[x](/\\\\evil.example.com)",
            "[x](http://example.com)",
            "[x][r]\n\n[r]: javascript:alert(1)",
            "<javascript:alert(1)>",
            "![x](data:image/svg+xml,x)",
            "[![ok](https://example.com/a.png)](javascript:alert(1))",
        ] {
            assert!(find_fault(text).is_some(), "{text}");
        }
    }
}
