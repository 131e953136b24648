//! Path templates as `google.api.http` writes them: `/v1/orders/{order_id}`, `/v1/{name=files/**}:archive`.

/// One piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A word.
    Literal(String),
    /// `*`: anything but a slash.
    Any,
    /// `**`: the rest of the path.
    Rest,
}

/// A request field whose value is in the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    /// The field's path in the proto: `["order", "id"]`.
    pub(crate) field: Vec<String>,
    /// The index of its first segment.
    pub(crate) start: usize,
    /// The number of its segments; `None` for all that are left.
    pub(crate) count: Option<usize>,
}

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) segments: Vec<Segment>,
    /// The text after the last colon, or nothing.
    pub(crate) action: String,
    pub(crate) variables: Vec<Variable>,
}

impl Template {
    /// Reads a template; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix('/').ok_or("a path begins with /")?;
        let (path, action) = split_action(rest);
        let mut template = Self { segments: Vec::new(), action: String::new(), variables: Vec::new() };
        if let Some(action) = action {
            let Segment::Literal(word) = segment(action)? else { return Err(format!(":{action} is not a word")) };
            // A path's action is the text after its last colon: no path would match this one.
            if word.contains(':') {
                return Err(format!(":{action} has a second colon"));
            }
            template.action = word;
        }
        for piece in pieces(path)? {
            template.push(piece)?;
        }
        if let Some(at) = template.segments.iter().position(|segment| *segment == Segment::Rest)
            && at + 1 != template.segments.len()
        {
            return Err("** must be the last segment".to_owned());
        }
        Ok(template)
    }

    /// The first word of all its paths; none where that may be any. Such paths are found last, after those of all other
    /// parts of a server.
    pub(crate) fn root(&self) -> Option<&str> {
        match self.segments.first()? {
            Segment::Literal(word) => Some(word),
            Segment::Any | Segment::Rest => None,
        }
    }

    fn push(&mut self, piece: &str) -> Result<(), String> {
        let Some(inside) = piece.strip_prefix('{') else {
            self.segments.push(segment(piece)?);
            return Ok(());
        };
        let inside = inside.strip_suffix('}').ok_or_else(|| format!("{piece} is not closed"))?;
        let (name, pattern) = inside.split_once('=').unwrap_or((inside, "*"));
        let field: Vec<String> = name.split('.').map(str::to_owned).collect();
        if field.iter().any(String::is_empty) {
            return Err(format!("{piece} names no field"));
        }
        let start = self.segments.len();
        for one in pattern.split('/') {
            self.segments.push(segment(one)?);
        }
        let open = self.segments.last() == Some(&Segment::Rest);
        let count = (!open).then(|| self.segments.len() - start);
        self.variables.push(Variable { field, start, count });
        Ok(())
    }
}

/// `orders/{id}:close` → `orders/{id}` and `close`.
fn split_action(path: &str) -> (&str, Option<&str>) {
    let last = path.rfind(['/', '}']).map_or(0, |at| at + 1);
    let colon = path.get(last..).and_then(|tail| tail.find(':'));
    match colon.and_then(|colon| path.split_at_checked(last + colon)) {
        Some((path, action)) => (path, action.strip_prefix(':')),
        None => (path, None),
    }
}

/// Splits at the slashes that are not inside braces.
fn pieces(path: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let (mut start, mut inside) = (0, false);
    for (at, letter) in path.char_indices() {
        match letter {
            '{' if inside => return Err("braces do not nest".to_owned()),
            '{' => inside = true,
            '}' if !inside => return Err("} without {".to_owned()),
            '}' => inside = false,
            '/' if !inside => {
                found.push(path.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(path.get(start..).unwrap_or_default());
    Ok(found)
}

fn segment(text: &str) -> Result<Segment, String> {
    match text {
        "" => Err("a segment is empty".to_owned()),
        "*" => Ok(Segment::Any),
        "**" => Ok(Segment::Rest),
        word if word.contains(['*', '{', '}', '=', '?', '#', '%']) => Err(format!("{word} is not a literal")),
        word => Ok(Segment::Literal(word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Segment {
        Segment::Literal(text.to_owned())
    }

    fn variable(field: &[&str], start: usize, count: Option<usize>) -> Variable {
        Variable { field: field.iter().map(|part| (*part).to_owned()).collect(), start, count }
    }

    #[test]
    fn templates_are_read_as_the_annotation_defines_them() {
        let read = Template::parse("/v1/orders/{order.id}/offers").unwrap();
        assert_eq!(read.segments, [literal("v1"), literal("orders"), Segment::Any, literal("offers")]);
        assert_eq!(read.variables, [variable(&["order", "id"], 2, Some(1))]);

        let read = Template::parse("/v1/{name=shelves/*/books/*}:archive").unwrap();
        assert_eq!(read.segments, [literal("v1"), literal("shelves"), Segment::Any, literal("books"), Segment::Any]);
        assert_eq!(
            (read.action.as_str(), read.variables.as_slice()),
            ("archive", [variable(&["name"], 1, Some(4))].as_slice())
        );

        let read = Template::parse("/v1/files/{path=**}").unwrap();
        assert_eq!(read.segments, [literal("v1"), literal("files"), Segment::Rest]);
        assert_eq!(read.variables, [variable(&["path"], 2, None)]);
        assert_eq!(Template::parse("/v1/orders:purge").unwrap().action, "purge");
    }

    #[test]
    fn what_is_not_a_template_is_refused() {
        for text in [
            "v1",
            "/v1//a",
            "/v1/{a",
            "/v1/a}",
            "/v1/{a{b}}",
            "/v1/{}",
            "/v1/{a.}",
            "/**/a",
            "/a*b",
            "/v1/{a=**}/b",
            "/a:",
            "/a:b:c",
            "/a:*",
            "/a:b%2F",
        ] {
            assert!(Template::parse(text).is_err(), "{text}");
        }
    }
}
