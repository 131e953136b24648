//! Texts with gaps, in the language of Jinja: `{{ name }}`.
//!
//! A text gets its values and nothing else. It calls no function, includes no other text, and ends after so many steps. A
//! gap without a value is an error. In HTML a value is escaped.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value};

/// The gap that the platform fills itself: the address of its pages, without a slash at the end.
pub(crate) const SITE: &str = "site";
/// The most steps of a rendering.
const FUEL: u64 = 20_000;
/// The most bytes of a rendered text.
const LONGEST: usize = 512 * 1024;

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// Plain.
    Plain,
    /// HTML.
    Html,
}

/// The reason why a text cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextFault {
    /// It is not in the language of templates. The text says what and where.
    Syntax(String),
    /// A gap has no value.
    Missing(String),
    /// It is too long, or takes too many steps.
    TooLarge,
}

/// The names of a text's gaps.
///
/// # Errors
/// [`TextFault::Syntax`].
pub(crate) fn find_gaps(source: &str) -> Result<BTreeSet<String>, TextFault> {
    let environment = new_environment(TextForm::Plain);
    let template = environment.template_from_str(source).map_err(|error| read_fault(&error))?;
    Ok(template.undeclared_variables(false).into_iter().collect())
}

/// Fills the gaps of a text.
///
/// # Errors
/// Those of [`TextFault`].
pub(crate) fn render_text(
    source: &str,
    form: TextForm,
    values: &BTreeMap<String, String>,
) -> Result<String, TextFault> {
    if let Some(missing) = find_gaps(source)?.into_iter().find(|name| !values.contains_key(name)) {
        return Err(TextFault::Missing(missing));
    }
    let environment = new_environment(form);
    let context = Value::from_pairs(values.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))));
    let rendered = environment.template_from_str(source).and_then(|template| template.render(context));
    let rendered = rendered.map_err(|error| read_fault(&error))?;
    if rendered.len() > LONGEST { Err(TextFault::TooLarge) } else { Ok(rendered) }
}

/// The environment of a rendering: without functions, with the filters that change the case of letters.
fn new_environment(form: TextForm) -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(20);
    environment.set_auto_escape_callback(move |_| match form {
        TextForm::Plain => AutoEscape::None,
        TextForm::Html => AutoEscape::Html,
    });
    environment.add_filter("upper", |value: String| value.to_uppercase());
    environment.add_filter("lower", |value: String| value.to_lowercase());
    environment
}

/// A value as one line that no program makes a link of.
pub(crate) fn flatten_value(value: &str) -> String {
    let line: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    line.replace("://", ": //").trim().to_owned()
}

fn read_fault(error: &minijinja::Error) -> TextFault {
    match error.kind() {
        ErrorKind::OutOfFuel => TextFault::TooLarge,
        _ => {
            let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
            let line = error.line().map(|line| format!(" in line {line}")).unwrap_or_default();
            TextFault::Syntax(format!("{detail}{line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn plain(source: &str, pairs: &[(&str, &str)]) -> Result<String, TextFault> {
        render_text(source, TextForm::Plain, &values(pairs))
    }

    #[test]
    fn gaps_are_filled_and_found() {
        assert_eq!(plain("Hello {{ name }}!", &[("name", "Ada"), ("more", "x")]).unwrap(), "Hello Ada!");
        assert_eq!(plain("{% if paid == 'yes' %}Paid.{% else %}Due.{% endif %}", &[("paid", "no")]).unwrap(), "Due.");
        assert_eq!(plain("{{ name|upper }}", &[("name", "ada")]).unwrap(), "ADA");
        let gaps = find_gaps("{% if a %}{{ b }}{% endif %}{{ c|lower }}{% for d in e %}{{ d }}{% endfor %}").unwrap();
        assert_eq!(gaps.into_iter().collect::<Vec<_>>().join(" "), "a b c e");
    }

    #[test]
    fn a_gap_without_a_value_is_an_error() {
        assert_eq!(plain("{{ name }}", &[]), Err(TextFault::Missing("name".to_owned())));
        assert_eq!(plain("{% if a %}{{ b }}{% endif %}", &[("a", "")]), Err(TextFault::Missing("b".to_owned())));
    }

    #[test]
    fn values_are_no_markup_and_no_links() {
        let evil = values(&[("name", "<a href='https://evil.example'>x</a>")]);
        let html = render_text("<p>{{ name }}</p>", TextForm::Html, &evil).unwrap();
        assert!(!html.contains("<a") && html.starts_with("<p>&lt;a"), "{html}");
        assert_eq!(flatten_value(" a\r\nb https://evil.example "), "a  b https: //evil.example");
        assert_eq!(plain("{{ v }}", &[("v", "{{ w }}")]).unwrap(), "{{ w }}", "a value is no template");
    }

    #[test]
    fn what_is_no_template_or_has_no_end_is_refused() {
        for wrong in ["{{ name", "{% if %}", "{{ f() }}", "{% include 'x' %}", "{{ a|safe }}"] {
            assert!(plain(wrong, &[("name", "x"), ("a", "x"), ("f", "x")]).is_err(), "{wrong}");
        }
        let endless = "{% for a in v %}{% for b in v %}{% for c in v %}{{ c }}{% endfor %}{% endfor %}{% endfor %}";
        assert_eq!(plain(endless, &[("v", &"x".repeat(100))]).unwrap_err(), TextFault::TooLarge);
    }
}
