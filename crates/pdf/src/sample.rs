//! Draws simple forms, for demonstrations and tests.

use lopdf::{Document, Object, Stream, dictionary};

use crate::letters;

/// A field of a simple form.
#[derive(Debug, Clone)]
pub struct SampleField {
    label: String,
    name: String,
    height: f32,
    is_check: bool,
}

impl SampleField {
    /// A text of one line.
    #[must_use]
    pub fn text(label: &str, name: &str) -> Self {
        Self { label: label.to_owned(), name: name.to_owned(), height: 20.0, is_check: false }
    }

    /// A text of several lines.
    #[must_use]
    pub fn long_text(label: &str, name: &str) -> Self {
        Self { height: 80.0, ..Self::text(label, name) }
    }

    /// A box to check.
    #[must_use]
    pub fn check(label: &str, name: &str) -> Self {
        Self { height: 14.0, is_check: true, ..Self::text(label, name) }
    }
}

/// A form of one page with these fields, one below the other. Letters that Helvetica has not are left out.
#[must_use]
pub fn build_form(title: &str, fields: &[SampleField]) -> Vec<u8> {
    let mut document = Document::with_version("1.7");
    let pages = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    });
    let page = document.new_object_id();
    let (mut text, mut top) = (line(title, 16.0, 60.0, 740.0), 710.0_f32);
    let mut widgets = Vec::new();
    for field in fields {
        text.push_str(&line(&field.label, 9.0, 60.0, top));
        let (bottom, right) = (top - 6.0 - field.height, if field.is_check { 74.0 } else { 550.0 });
        let mut widget = dictionary! {
            "Type" => "Annot", "Subtype" => "Widget", "P" => page,
            "T" => Object::string_literal(field.name.as_str()),
            "Rect" => vec![60.into(), bottom.into(), Object::from(right), (bottom + field.height).into()],
        };
        if field.is_check {
            let state = || {
                Stream::new(
                    dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 14.into(), 14.into()] },
                    Vec::new(),
                )
            };
            let (yes, off) = (document.add_object(state()), document.add_object(state()));
            widget.set("FT", "Btn");
            widget.set("AS", "Off");
            widget.set("AP", dictionary! { "N" => dictionary! { "Yes" => yes, "Off" => off } });
        } else {
            widget.set("FT", "Tx");
            widget.set("DA", Object::string_literal("/Helv 10 Tf 0 g"));
            if field.height > 30.0 {
                widget.set("Ff", 1 << 12);
            }
        }
        widgets.push(Object::from(document.add_object(widget)));
        top = bottom - 18.0;
    }
    let content = document.add_object(Stream::new(dictionary! {}, text.into_bytes()));
    document.set_object(
        page,
        dictionary! {
            "Type" => "Page", "Parent" => pages, "Contents" => content, "Annots" => widgets.clone(),
            "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            "Resources" => dictionary! { "Font" => dictionary! { "Helv" => font } },
        },
    );
    document.set_object(pages, dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 });
    let form = dictionary! {
        "Fields" => widgets, "DA" => Object::string_literal("/Helv 0 Tf 0 g"),
        "DR" => dictionary! { "Font" => dictionary! { "Helv" => font } },
    };
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages, "AcroForm" => form });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    // Writing into memory does not fail.
    let _ = document.save_to(&mut bytes);
    bytes
}

fn line(text: &str, size: f32, left: f32, base: f32) -> String {
    let known: String = text.chars().filter(|letter| letters::encode(&letter.to_string()).is_ok()).collect();
    let hex: String = letters::encode(&known).unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("BT /Helv {size} Tf {left} {base} Td <{hex}> Tj ET\n")
}
