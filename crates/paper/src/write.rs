//! Writes a sheet as PDF.

use krilla::Document;
use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag};

use crate::fonts::shape_text;
use crate::layout::{Layout, PAGE_HEIGHT, PAGE_WIDTH, PageContent, Rule, Text, lay_out};
use crate::sheet::Sheet;
use crate::structure::ElementId;

/// A fault while a paper was written. It is one of this crate: no content is refused.
#[derive(Debug, thiserror::Error)]
#[error("the paper could not be written: {0}")]
pub struct PaperFault(String);

/// The color of letters.
const INK: (u8, u8, u8) = (26, 28, 32);

/// The color of lines.
const GREY: (u8, u8, u8) = (150, 154, 160);

/// Writes a sheet.
pub(crate) fn write_sheet(sheet: &Sheet) -> Result<Vec<u8>, PaperFault> {
    let configuration = ConfigurationBuilder::new().with_archival_validator(Archival::A2_A).finish();
    let configuration = configuration.map_err(|error| PaperFault(format!("{error:?}")))?;
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let Layout { pages, structure } = lay_out(sheet);
    let mut pieces = Vec::new();
    for page in &pages {
        write_page(&mut document, page, &mut pieces)?;
    }
    document.set_tag_tree(structure.build(&pieces, sheet.language));
    document.set_metadata(build_metadata(sheet));
    document.finish().map_err(|error| PaperFault(format!("{error:?}")))
}

fn build_metadata(sheet: &Sheet) -> Metadata {
    let day = sheet.made_on;
    let made = DateTime::new(day.year).month(day.month).day(day.day).hour(0).minute(0).second(0);
    Metadata::new()
        .title(sheet.title.clone())
        .language(sheet.language.to_owned())
        .authors(vec![sheet.author.clone()])
        .creation_date(made.utc_offset_hour(0).utc_offset_minute(0))
}

fn write_page(
    document: &mut Document,
    content: &PageContent,
    pieces: &mut Vec<(ElementId, Identifier)>,
) -> Result<(), PaperFault> {
    let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT);
    let settings = settings.ok_or_else(|| PaperFault("the page has no size".to_owned()))?;
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    for text in &content.texts {
        // Identifiers of artifacts are in no structure.
        let tag = match text.element {
            Some(_) => ContentTag::Span(SpanTag::empty()),
            None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther)),
        };
        let piece = surface.start_tagged(tag);
        write_text(&mut surface, text)?;
        surface.end_tagged();
        pieces.extend(text.element.map(|element| (element, piece)));
    }
    for rule in &content.rules {
        surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
        write_rule(&mut surface, rule);
        surface.end_tagged();
    }
    surface.finish();
    page.finish();
    Ok(())
}

fn write_text(surface: &mut Surface<'_>, text: &Text) -> Result<(), PaperFault> {
    surface.set_fill(Some(fill_with(INK)));
    let runs =
        shape_text(&text.text, text.weight).ok_or_else(|| PaperFault("the fonts are not readable".to_owned()))?;
    let mut x = text.x;
    for run in runs {
        surface.draw_glyphs(Point::from_xy(x, text.y), &run.glyphs, run.font, &run.text, text.size, false);
        x += run.glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * text.size;
    }
    Ok(())
}

fn write_rule(surface: &mut Surface<'_>, rule: &Rule) {
    surface.set_fill(Some(fill_with(GREY)));
    let Some(rect) = Rect::from_ltrb(rule.left, rule.y, rule.right, rule.y + 0.6) else { return };
    let mut path = PathBuilder::new();
    path.push_rect(rect);
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

fn fill_with((red, green, blue): (u8, u8, u8)) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), opacity: NormalizedF32::ONE, rule: FillRule::default() }
}
