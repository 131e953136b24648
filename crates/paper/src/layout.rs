//! Gives the blocks of a sheet their places on pages.

use crate::fonts::{Weight, clean_text, measure_text, wrap_text};
use crate::sheet::{Block, Column, Row, Sheet, Table};
use crate::structure::{Element, ElementId, Structure};

/// The width of a page in points: US letter, which is Canada's paper, too.
pub(crate) const PAGE_WIDTH: f32 = 612.0;

/// The height of a page in points.
pub(crate) const PAGE_HEIGHT: f32 = 792.0;

const MARGIN: f32 = 54.0;
const BOTTOM: f32 = PAGE_HEIGHT - 66.0;
const FOOT: f32 = PAGE_HEIGHT - 36.0;
const LEADING: f32 = 1.4;
const TEXT_SIZE: f32 = 9.5;
const TITLE_SIZE: f32 = 20.0;
const HEADING_SIZE: f32 = 12.0;
const FOOT_SIZE: f32 = 8.0;
const GUTTER: f32 = 8.0;

/// A paper with the places of its content.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) pages: Vec<PageContent>,
    pub(crate) structure: Structure,
}

/// The content of a page.
#[derive(Debug, Default)]
pub(crate) struct PageContent {
    pub(crate) texts: Vec<Text>,
    pub(crate) rules: Vec<Rule>,
}

/// A line of text. Its place is where its baseline begins.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) weight: Weight,
    pub(crate) text: String,
    /// The element that it belongs to; none for a repeated head and the foot of a page.
    pub(crate) element: Option<ElementId>,
}

/// A thin horizontal line.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) y: f32,
}

/// Gives each block of a sheet its place.
pub(crate) fn lay_out(sheet: &Sheet) -> Layout {
    let mut layouter =
        Layouter { page: PageContent::default(), done: Vec::new(), y: MARGIN, structure: Structure::default() };
    for block in &sheet.blocks {
        layouter.place_block(block);
    }
    layouter.break_page();
    let mut layout = Layout { pages: layouter.done, structure: layouter.structure };
    place_feet(sheet, &mut layout.pages);
    layout
}

/// Writes the foot of each page, once the number of pages is known.
fn place_feet(sheet: &Sheet, pages: &mut [PageContent]) {
    let count = pages.len();
    let (page_word, of_word) = sheet.page_words;
    for (at, page) in pages.iter_mut().enumerate() {
        let number = format!("{page_word} {} {of_word} {count}", at + 1);
        let x = PAGE_WIDTH - MARGIN - measure_text(&number, Weight::Regular, FOOT_SIZE);
        let foot =
            |x: f32, text: String| Text { x, y: FOOT, size: FOOT_SIZE, weight: Weight::Regular, text, element: None };
        let room = x - MARGIN - GUTTER;
        let name = wrap_text(&clean_text(&sheet.foot), Weight::Regular, FOOT_SIZE, room).into_iter().next();
        page.texts.extend(name.map(|name| foot(MARGIN, name)));
        page.texts.push(foot(x, number));
        page.rules.push(Rule { left: MARGIN, right: PAGE_WIDTH - MARGIN, y: FOOT - 14.0 });
    }
}

struct Layouter {
    page: PageContent,
    done: Vec<PageContent>,
    /// The top of the place that is free.
    y: f32,
    structure: Structure,
}

/// The lines of a row's cells, each with the left edge and the width of its column.
struct Cells {
    cells: Vec<Vec<String>>,
    weight: Weight,
}

impl Layouter {
    fn place_block(&mut self, block: &Block) {
        match block {
            Block::Title(text) => self.place_text(Element::Title, text, TITLE_SIZE, Weight::Bold, 10.0),
            Block::Heading(text) => {
                // A heading does not stand alone at the foot of a page.
                if self.y + 90.0 > BOTTOM {
                    self.break_page();
                } else if self.y > MARGIN {
                    self.y += 12.0;
                }
                self.place_text(Element::Heading, text, HEADING_SIZE, Weight::Bold, 4.0);
            }
            Block::Strong(text) => self.place_text(Element::Paragraph, text, TEXT_SIZE, Weight::Bold, 0.0),
            Block::Lines(lines) => {
                for line in lines {
                    self.place_text(Element::Paragraph, line, TEXT_SIZE, Weight::Regular, 0.0);
                }
                self.y += 8.0;
            }
            Block::Table(table) => self.place_table(table),
        }
    }

    fn place_text(&mut self, element: Element, text: &str, size: f32, weight: Weight, below: f32) {
        let text = clean_text(text);
        let lines = wrap_text(&text, weight, size, PAGE_WIDTH - 2.0 * MARGIN);
        if lines.is_empty() {
            return;
        }
        let element = self.structure.add(element, None, &text);
        for line in lines {
            if self.y + size * LEADING > BOTTOM {
                self.break_page();
            }
            self.put_line(MARGIN, size, weight, line, Some(element));
            self.y += size * LEADING;
        }
        self.y += below;
    }

    fn place_table(&mut self, table: &Table) {
        let has_head = table.columns.iter().any(|column| !column.head.is_empty());
        let element = self.structure.add(Element::Table, None, "");
        if has_head {
            let head = self.structure.add(Element::TableHead, Some(element), "");
            if self.y + 3.0 * TEXT_SIZE * LEADING > BOTTOM {
                self.break_page();
            }
            self.place_head(&table.columns, Some(head));
        }
        let body = self.structure.add(Element::TableBody, Some(element), "");
        for row in &table.rows {
            self.place_row(table, row, body, has_head);
        }
        self.y += 8.0;
    }

    fn place_head(&mut self, columns: &[Column], head: Option<ElementId>) {
        let row = head.map(|head| self.structure.add(Element::Row, Some(head), ""));
        let texts: Vec<String> = columns.iter().map(|column| column.head.clone()).collect();
        let cells = Cells::of(columns, &texts, Weight::Bold);
        let elements: Vec<Option<ElementId>> =
            cells.cells.iter().map(|_| row.map(|row| self.structure.add(Element::HeadCell, Some(row), ""))).collect();
        for at in 0..cells.height() {
            self.put_cells(columns, &cells, at, &elements);
            self.y += TEXT_SIZE * LEADING;
        }
        self.put_rule();
        self.y += 3.0;
    }

    fn place_row(&mut self, table: &Table, row: &Row, body: ElementId, has_head: bool) {
        let columns = &table.columns;
        let weight = if row.is_sum { Weight::Bold } else { Weight::Regular };
        let cells = Cells::of(columns, &row.cells, weight);
        let element = self.structure.add(Element::Row, Some(body), "");
        // The first cell names the row where no column has a name.
        let kind = |at: usize| if at == 0 && !has_head { Element::RowHead } else { Element::Cell };
        let add = |at: usize| Some(self.structure.add(kind(at), Some(element), ""));
        let elements: Vec<Option<ElementId>> = (0..cells.cells.len()).map(add).collect();
        let line = TEXT_SIZE * LEADING;
        let mut left = cells.height();
        if row.is_sum {
            self.y += 2.0;
        }
        for at in 0..cells.height() {
            // A row stays together where it fits on a page of its own.
            let wanted = if at == 0 && left < 40 { left } else { 1 };
            let wanted = (0..wanted).map(|_| line).sum::<f32>();
            if self.y + wanted > BOTTOM {
                self.break_page();
                if has_head {
                    self.place_head(columns, None);
                }
            }
            if at == 0 && row.is_sum {
                self.put_rule();
                self.y += 2.0;
            }
            self.put_cells(columns, &cells, at, &elements);
            self.y += line;
            left -= 1;
        }
    }

    fn put_cells(&mut self, columns: &[Column], cells: &Cells, at: usize, elements: &[Option<ElementId>]) {
        let mut x = MARGIN;
        for ((column, lines), element) in columns.iter().zip(&cells.cells).zip(elements) {
            let width = column.width();
            if let Some(line) = lines.get(at) {
                let free = width - GUTTER - measure_text(line.trim_end(), cells.weight, TEXT_SIZE);
                let start = if column.right { x + GUTTER + free } else { x };
                self.put_line(start, TEXT_SIZE, cells.weight, line.clone(), *element);
            }
            x += width;
        }
    }

    fn put_line(&mut self, x: f32, size: f32, weight: Weight, text: String, element: Option<ElementId>) {
        self.page.texts.push(Text { x, y: self.y + size, size, weight, text, element });
    }

    fn put_rule(&mut self) {
        self.page.rules.push(Rule { left: MARGIN, right: PAGE_WIDTH - MARGIN, y: self.y });
    }

    fn break_page(&mut self) {
        self.done.push(std::mem::take(&mut self.page));
        self.y = MARGIN;
    }
}

impl Cells {
    fn of(columns: &[Column], texts: &[String], weight: Weight) -> Self {
        let cells = columns
            .iter()
            .zip(texts)
            .map(|(column, text)| wrap_text(&clean_text(text), weight, TEXT_SIZE, column.width() - GUTTER));
        Self { cells: cells.collect(), weight }
    }

    fn height(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or_default()
    }
}

impl Column {
    fn width(&self) -> f32 {
        (PAGE_WIDTH - 2.0 * MARGIN) * self.share
    }
}
