//! Fills the fields of a form (`AcroForm`), and makes them part of the page, so that nobody changes them any more.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::letters;

/// The deepest field in a tree of fields.
const DEEPEST: usize = 16;
/// The most fields of a form.
const MOST_FIELDS: usize = 2000;
/// The space between a field's border and its text.
const MARGIN: f32 = 2.0;
/// The sizes of a text whose field names none.
const SIZES: [f32; 6] = [11.0, 10.0, 9.0, 8.0, 7.0, 6.0];
/// The smallest size, whose text may be cut off.
const SMALLEST: f32 = 5.0;
const MULTI_LINE: i64 = 1 << 12;
const RADIO: i64 = 1 << 15;
const PUSH: i64 = 1 << 16;

/// Why a form was not filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FillFault {
    /// The file is no PDF with fields that can be filled.
    NoForm(String),
    /// The value of a field has a letter that the form's font has not.
    Letter {
        /// The field.
        field: String,
        /// The letter.
        letter: char,
    },
    /// The value of a field does not fit.
    TooLong(String),
    /// The field takes none but these values.
    NotAnOption {
        /// The field.
        field: String,
        /// Its values.
        options: Vec<String>,
    },
}

impl fmt::Display for FillFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoForm(cause) => write!(f, "the template is no form: {cause}"),
            Self::Letter { field, letter } => write!(f, "{field}: the font of the form has no letter {letter}"),
            Self::TooLong(field) => write!(f, "{field}: the value does not fit"),
            Self::NotAnOption { field, options } => write!(f, "{field}: is one of {}", options.join(", ")),
        }
    }
}

/// The kind of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFieldKind {
    /// A text, or a choice that is shown as one.
    Text,
    /// A box to check, or one of several.
    Check,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormField {
    /// Its full name.
    pub name: String,
    /// Its kind.
    pub kind: FormFieldKind,
    /// The values of a box, besides `false`.
    pub options: Vec<String>,
}

/// The place of a field on a page.
struct Widget {
    name: String,
    kind: FormFieldKind,
    is_radio: bool,
    is_multi_line: bool,
    rect: [f32; 4],
    size: Option<f32>,
    alignment: i64,
    /// The value that checks it.
    on: String,
}

/// The fields of a form, by name.
///
/// # Errors
/// [`FillFault::NoForm`].
pub fn list_fields(pdf: &[u8]) -> Result<Vec<FormField>, FillFault> {
    let document = open(pdf)?;
    let mut fields: BTreeMap<String, FormField> = BTreeMap::new();
    for widget in read_widgets(&document)?.into_values() {
        let (name, kind) = (widget.name.clone(), widget.kind);
        let field = fields.entry(name.clone()).or_insert_with(|| FormField { name, kind, options: Vec::new() });
        if kind == FormFieldKind::Check && !field.options.contains(&widget.on) {
            field.options.push(widget.on);
        }
    }
    Ok(fields.into_values().collect())
}

/// The form with these values in its fields, which are part of its pages then. A field without a value stays empty, and a
/// value without a field is left out.
///
/// # Errors
/// Why it was not filled.
pub fn fill_form(pdf: &[u8], values: &BTreeMap<String, String>) -> Result<Vec<u8>, FillFault> {
    let broken = |cause: lopdf::Error| FillFault::NoForm(cause.to_string());
    let mut document = open(pdf)?;
    let widgets = read_widgets(&document)?;
    check_options(&widgets, values)?;
    let font = document.add_object(dictionary! {
        "Type" => "Font",
        "Subtype" => "Type1",
        "BaseFont" => "Helvetica",
        "Encoding" => "WinAnsiEncoding",
    });
    let mut count = 0_u32;
    for page in document.get_pages().into_values() {
        let (annotations, mut drawn, mut kept) = (annotations_of(&document, page), String::new(), Vec::new());
        for annotation in annotations {
            let id = annotation.as_reference().ok();
            let Some(widget) = id.and_then(|id| widgets.get(&id)) else {
                if !is_widget(&document, &annotation) {
                    kept.push(annotation);
                }
                continue;
            };
            let Some(value) = values.get(&widget.name) else { continue };
            let Some(content) = draw(widget, value)? else { continue };
            count = count.saturating_add(1);
            let name = format!("PvFld{count}");
            let (width, height) = (widget.width(), widget.height());
            let appearance = Stream::new(
                dictionary! {
                    "Type" => "XObject",
                    "Subtype" => "Form",
                    "BBox" => vec![0.into(), 0.into(), width.into(), height.into()],
                    "Resources" => dictionary! { "Font" => dictionary! { "PvHelv" => font } },
                },
                content.into_bytes(),
            );
            let appearance = document.add_object(appearance);
            document.add_xobject(page, name.as_str(), appearance).map_err(broken)?;
            let [left, bottom, ..] = widget.rect;
            let _ = writeln!(drawn, "q 1 0 0 1 {left} {bottom} cm /{name} Do Q");
        }
        draw_on(&mut document, page, drawn).map_err(broken)?;
        let page = document.get_dictionary_mut(page).map_err(broken)?;
        page.remove(b"Annots");
        if !kept.is_empty() {
            page.set("Annots", kept);
        }
    }
    let catalog = document.catalog_mut().map_err(broken)?;
    for entry in [b"AcroForm".as_slice(), b"OpenAction", b"AA"] {
        catalog.remove(entry);
    }
    document.prune_objects();
    document.compress();
    let mut filled = Vec::new();
    document.save_to(&mut filled).map_err(|cause| FillFault::NoForm(cause.to_string()))?;
    Ok(filled)
}

fn open(pdf: &[u8]) -> Result<Document, FillFault> {
    let document = Document::load_mem(pdf).map_err(|cause| FillFault::NoForm(cause.to_string()))?;
    if document.is_encrypted() || document.was_encrypted() {
        return Err(FillFault::NoForm("it is locked".to_owned()));
    }
    Ok(document)
}

/// The facts that a field has of those around it.
#[derive(Clone, Default)]
struct Inherited {
    name: String,
    kind: Vec<u8>,
    flags: i64,
    appearance: Vec<u8>,
    alignment: i64,
}

fn read_widgets(document: &Document) -> Result<HashMap<ObjectId, Widget>, FillFault> {
    let none = || FillFault::NoForm("it has no fields".to_owned());
    let form =
        document.catalog().and_then(|catalog| catalog.get_deref(b"AcroForm", document)).and_then(Object::as_dict);
    let form = form.map_err(|_| none())?;
    let fields = form.get_deref(b"Fields", document).and_then(Object::as_array).map_err(|_| none())?;
    let top = Inherited { appearance: text_of(document, form, b"DA"), ..Inherited::default() };
    let mut widgets = HashMap::new();
    for field in fields {
        read_field(document, field, &top, 0, &mut widgets)?;
    }
    if widgets.is_empty() { Err(none()) } else { Ok(widgets) }
}

fn read_field(
    document: &Document,
    field: &Object,
    around: &Inherited,
    depth: usize,
    widgets: &mut HashMap<ObjectId, Widget>,
) -> Result<(), FillFault> {
    let (Ok(id), true) = (field.as_reference(), depth < DEEPEST) else { return Ok(()) };
    let Ok(facts) = document.get_dictionary(id) else { return Ok(()) };
    let mut own = around.clone();
    if let Ok(part) = facts.get_deref(b"T", document).and_then(lopdf::decode_text_string) {
        own.name = if own.name.is_empty() { part } else { format!("{}.{part}", own.name) };
    }
    if let Ok(kind) = facts.get_deref(b"FT", document).and_then(Object::as_name) {
        own.kind = kind.to_vec();
    }
    own.flags = facts.get_deref(b"Ff", document).and_then(Object::as_i64).unwrap_or(own.flags);
    own.alignment = facts.get_deref(b"Q", document).and_then(Object::as_i64).unwrap_or(own.alignment);
    let appearance = text_of(document, facts, b"DA");
    if !appearance.is_empty() {
        own.appearance = appearance;
    }
    if let Ok(kids) = facts.get_deref(b"Kids", document).and_then(Object::as_array) {
        return kids.iter().try_for_each(|kid| read_field(document, kid, &own, depth.saturating_add(1), widgets));
    }
    if widgets.len() >= MOST_FIELDS {
        return Err(FillFault::NoForm(format!("it has more than {MOST_FIELDS} fields")));
    }
    if let Some(widget) = read_widget(document, facts, own) {
        widgets.insert(id, widget);
    }
    Ok(())
}

fn read_widget(document: &Document, facts: &Dictionary, own: Inherited) -> Option<Widget> {
    let kind = match own.kind.as_slice() {
        b"Tx" | b"Ch" => FormFieldKind::Text,
        b"Btn" if own.flags & PUSH == 0 => FormFieldKind::Check,
        _ => return None,
    };
    let corners = facts.get_deref(b"Rect", document).and_then(Object::as_array).ok()?;
    let corners: Vec<f32> = corners.iter().map(Object::as_float).collect::<Result<_, _>>().ok()?;
    let [x1, y1, x2, y2] = <[f32; 4]>::try_from(corners).ok().filter(|all| all.iter().all(|one| one.is_finite()))?;
    Some(Widget {
        name: own.name,
        kind,
        is_radio: own.flags & RADIO != 0,
        is_multi_line: kind == FormFieldKind::Text && own.flags & MULTI_LINE != 0,
        rect: [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)],
        size: size_of(&own.appearance),
        alignment: own.alignment,
        on: on_value(document, facts),
    })
}

/// The size of `/Helv 9 Tf`; none where it is 0, which lets the writer choose.
fn size_of(appearance: &[u8]) -> Option<f32> {
    let text = String::from_utf8_lossy(appearance);
    let parts: Vec<&str> = text.split_whitespace().collect();
    let before = parts.iter().position(|part| *part == "Tf")?.checked_sub(1)?;
    parts.get(before)?.parse().ok().filter(|size: &f32| (SMALLEST..=72.0).contains(size))
}

/// The name of the appearance in which a box is checked.
fn on_value(document: &Document, facts: &Dictionary) -> String {
    let normal = facts.get_deref(b"AP", document).and_then(Object::as_dict);
    let states = normal.and_then(|normal| normal.get_deref(b"N", document)).and_then(Object::as_dict);
    let on = states.ok().and_then(|states| states.iter().map(|(name, _)| name).find(|name| name.as_slice() != b"Off"));
    on.map_or_else(|| "Yes".to_owned(), |name| String::from_utf8_lossy(name).into_owned())
}

fn text_of(document: &Document, facts: &Dictionary, key: &[u8]) -> Vec<u8> {
    facts.get_deref(key, document).and_then(Object::as_str).unwrap_or_default().to_vec()
}

fn annotations_of(document: &Document, page: ObjectId) -> Vec<Object> {
    let page = document.get_dictionary(page);
    let annotations = page.and_then(|page| page.get_deref(b"Annots", document)).and_then(Object::as_array);
    annotations.cloned().unwrap_or_default()
}

fn is_widget(document: &Document, annotation: &Object) -> bool {
    let facts = document.dereference(annotation).and_then(|(_, facts)| facts.as_dict());
    facts
        .and_then(|facts| facts.get_deref(b"Subtype", document))
        .and_then(Object::as_name)
        .is_ok_and(|kind| kind == b"Widget")
}

fn check_options(widgets: &HashMap<ObjectId, Widget>, values: &BTreeMap<String, String>) -> Result<(), FillFault> {
    for (field, value) in values {
        let mut options: Vec<String> = widgets
            .values()
            .filter(|widget| widget.name == *field && widget.kind == FormFieldKind::Check)
            .map(|widget| widget.on.clone())
            .collect();
        let is_radio = widgets.values().any(|widget| widget.name == *field && widget.is_radio);
        if options.is_empty()
            || value.is_empty()
            || is_off(value)
            || options.contains(value)
            || (!is_radio && is_on(value))
        {
            continue;
        }
        options.sort_unstable();
        return Err(FillFault::NotAnOption { field: field.clone(), options });
    }
    Ok(())
}

fn is_on(value: &str) -> bool {
    ["true", "yes", "on", "1", "x"].iter().any(|on| value.eq_ignore_ascii_case(on))
}

fn is_off(value: &str) -> bool {
    ["false", "no", "off", "0"].iter().any(|off| value.eq_ignore_ascii_case(off))
}

impl Widget {
    fn width(&self) -> f32 {
        self.rect[2] - self.rect[0]
    }

    fn height(&self) -> f32 {
        self.rect[3] - self.rect[1]
    }
}

/// The drawing of a value in the place of its field; none for a box that is not checked.
fn draw(widget: &Widget, value: &str) -> Result<Option<String>, FillFault> {
    match widget.kind {
        FormFieldKind::Check => {
            let is_checked = *value == widget.on || (!widget.is_radio && is_on(value));
            Ok(is_checked.then(|| draw_cross(widget)))
        }
        FormFieldKind::Text if value.trim().is_empty() => Ok(None),
        FormFieldKind::Text => draw_text(widget, value).map(Some),
    }
}

fn draw_cross(widget: &Widget) -> String {
    let (right, top) = (widget.width() - MARGIN, widget.height() - MARGIN);
    format!("q 1.2 w {MARGIN} {MARGIN} m {right} {top} l S {MARGIN} {top} m {right} {MARGIN} l S Q")
}

fn draw_text(widget: &Widget, value: &str) -> Result<String, FillFault> {
    let room = widget.width() - 2.0 * MARGIN;
    let height = widget.height() - 2.0 * MARGIN;
    let lay_out = |size: f32| {
        let lines = if widget.is_multi_line {
            letters::wrap(value, size, room)
        } else {
            vec![value.split_whitespace().collect::<Vec<_>>().join(" ")]
        };
        let fits = lines.iter().all(|line| letters::width(line, size) <= room);
        let tall = lines.iter().fold(0.0, |tall: f32, _| tall + size * 1.2);
        (fits && (tall <= height || (lines.len() == 1 && size <= height + MARGIN))).then_some((size, lines))
    };
    let begins = widget.size.unwrap_or(SIZES[0]);
    let mut sizes = std::iter::once(begins).chain(SIZES.into_iter().filter(|size| *size < begins)).chain([SMALLEST]);
    let (size, lines) = sizes.find_map(lay_out).ok_or_else(|| FillFault::TooLong(widget.name.clone()))?;
    let mut drawn = format!("BT /PvHelv {size} Tf 0 g\n");
    let mut base =
        if widget.is_multi_line { widget.height() - MARGIN - size } else { (widget.height() - size * 0.7) / 2.0 };
    for line in lines {
        let encoded =
            letters::encode(&line).map_err(|letter| FillFault::Letter { field: widget.name.clone(), letter })?;
        let left = MARGIN
            + match widget.alignment {
                1 => (room - letters::width(&line, size)) / 2.0,
                2 => room - letters::width(&line, size),
                _ => 0.0,
            };
        let hex = encoded.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let _ = writeln!(drawn, "1 0 0 1 {left} {base} Tm <{hex}> Tj");
        base -= size * 1.2;
    }
    drawn.push_str("ET");
    Ok(drawn)
}

/// Draws on a page, whatever the page itself did to the state of its drawing.
fn draw_on(document: &mut Document, page: ObjectId, drawn: String) -> Result<(), lopdf::Error> {
    if drawn.is_empty() {
        return Ok(());
    }
    let before = document.add_object(Stream::new(Dictionary::new(), b"q\n".to_vec()));
    let after = document.add_object(Stream::new(Dictionary::new(), format!("\nQ\n{drawn}").into_bytes()));
    let mut contents: Vec<Object> = vec![before.into()];
    contents.extend(document.get_page_contents(page).into_iter().map(Object::from));
    contents.push(after.into());
    document.get_dictionary_mut(page)?.set("Contents", contents);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{SampleField, build_form};

    fn sample() -> Vec<u8> {
        let fields = [
            SampleField::text("Full name", "name"),
            SampleField::long_text("Wishes", "wishes"),
            SampleField::check("Married", "married"),
        ];
        build_form("Last will", &fields)
    }

    fn filled(values: &[(&str, &str)]) -> Result<String, FillFault> {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let pdf = fill_form(&sample(), &values)?;
        let document = Document::load_mem(&pdf).unwrap();
        assert!(!document.catalog().unwrap().has(b"AcroForm"), "nobody changes it any more");
        let mut text = String::new();
        for object in document.objects.values() {
            let Ok(stream) = object.as_stream() else { continue };
            text.push_str(&String::from_utf8_lossy(&stream.get_plain_content().unwrap()));
        }
        Ok(text)
    }

    fn hex(text: &str) -> String {
        letters::encode(text).unwrap().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn fields_are_listed_with_their_kinds() {
        let fields = list_fields(&sample()).unwrap();
        let of = |field: &FormField| (field.name.clone(), field.kind, field.options.clone());
        let text = FormFieldKind::Text;
        assert_eq!(
            fields.iter().map(of).collect::<Vec<_>>(),
            [
                ("married".to_owned(), FormFieldKind::Check, vec!["Yes".to_owned()]),
                ("name".to_owned(), text, vec![]),
                ("wishes".to_owned(), text, vec![]),
            ]
        );
        assert!(matches!(list_fields(b"%PDF-1.4 nothing"), Err(FillFault::NoForm(_))));
        assert!(matches!(list_fields(b""), Err(FillFault::NoForm(_))));
    }

    #[test]
    fn values_stand_on_the_page() {
        let text =
            filled(&[("name", "José Álvarez"), ("wishes", "One.\nTwo."), ("married", "true"), ("other", "x")]).unwrap();
        for part in [hex("José Álvarez"), hex("One."), hex("Two."), " l S ".to_owned()] {
            assert!(text.contains(&part), "{part}: {text}");
        }
        assert!(!filled(&[("married", "false")]).unwrap().contains(" l S "));
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        assert_eq!(filled(&[("name", "漢")]), Err(FillFault::Letter { field: "name".to_owned(), letter: '漢' }));
        assert_eq!(filled(&[("name", &"long ".repeat(99))]), Err(FillFault::TooLong("name".to_owned())));
        let options = vec!["Yes".to_owned()];
        assert_eq!(
            filled(&[("married", "perhaps")]),
            Err(FillFault::NotAnOption { field: "married".to_owned(), options })
        );
    }

    /// Whatever is broken off or changed, it is refused or filled, and nothing panics.
    #[test]
    fn rubbish_is_refused() {
        let whole = sample();
        for cut in (0..whole.len()).step_by(97) {
            let _ = list_fields(&whole[..cut]);
            let mut changed = whole.clone();
            changed[cut] = changed[cut].wrapping_add(1);
            let _ = fill_form(&changed, &BTreeMap::from([("name".to_owned(), "x".to_owned())]));
        }
    }
}
