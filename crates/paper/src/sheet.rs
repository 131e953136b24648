//! A sheet: the content of a paper, before it has places.

use crate::format::Day;

/// The content of a paper from its head to its end.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: String,
    /// The tag of the language: `fr-CA`.
    pub(crate) language: &'static str,
    /// The name of the sender, for the properties of the file.
    pub(crate) author: String,
    /// The day that the file says it was made on.
    pub(crate) made_on: Day,
    pub(crate) blocks: Vec<Block>,
    /// The text at the foot of each page before its number.
    pub(crate) foot: String,
    /// The words around the number of a page: "Page", "of".
    pub(crate) page_words: (&'static str, &'static str),
}

/// A part of a sheet.
#[derive(Debug)]
pub(crate) enum Block {
    /// The title of the paper.
    Title(String),
    /// The heading of a part.
    Heading(String),
    /// A paragraph in bold letters.
    Strong(String),
    /// Paragraphs of one line or more.
    Lines(Vec<String>),
    /// A table.
    Table(Table),
}

/// A table. Its head is repeated on each page.
#[derive(Debug)]
pub(crate) struct Table {
    /// The columns; a table without heads has empty texts.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) head: String,
    /// Its share of the width of the page.
    pub(crate) share: f32,
    /// Its cells end at the right edge.
    pub(crate) right: bool,
}

/// A row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) cells: Vec<String>,
    /// A sum: its letters are bold, and a line is above it.
    pub(crate) is_sum: bool,
}

impl Column {
    pub(crate) fn left(head: &str, share: f32) -> Self {
        Self { head: head.to_owned(), share, right: false }
    }

    pub(crate) fn right(head: &str, share: f32) -> Self {
        Self { head: head.to_owned(), share, right: true }
    }
}

impl Row {
    pub(crate) fn new(cells: impl IntoIterator<Item = String>) -> Self {
        Self { cells: cells.into_iter().collect(), is_sum: false }
    }

    pub(crate) fn sum(cells: impl IntoIterator<Item = String>) -> Self {
        Self { is_sum: true, ..Self::new(cells) }
    }
}
