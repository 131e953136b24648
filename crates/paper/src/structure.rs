//! The structure of a paper for screen readers: headings, paragraphs, tables.

use std::num::NonZeroU16;

use krilla::tagging::{Identifier, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};

/// An element of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Title,
    Heading,
    Paragraph,
    Table,
    TableHead,
    TableBody,
    Row,
    /// The head of a column.
    HeadCell,
    /// The head of a row.
    RowHead,
    Cell,
}

/// The place of an element in [`Structure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ElementId(usize);

/// The elements of a paper, in the order in which they are read.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    elements: Vec<(Element, Option<ElementId>, String)>,
}

impl Structure {
    /// Adds an element; without a parent, to the paper itself. The text of a title or a heading names it in outlines.
    pub(crate) fn add(&mut self, element: Element, parent: Option<ElementId>, text: &str) -> ElementId {
        self.elements.push((element, parent, text.to_owned()));
        ElementId(self.elements.len() - 1)
    }

    /// The tags, with the pieces of content of each element in the order in which they were drawn.
    pub(crate) fn build(&self, pieces: &[(ElementId, Identifier)], language: &str) -> TagTree {
        let mut content: Vec<Vec<Identifier>> = self.elements.iter().map(|_| Vec::new()).collect();
        let mut below: Vec<Vec<usize>> = self.elements.iter().map(|_| Vec::new()).collect();
        for (element, piece) in pieces {
            if let Some(content) = content.get_mut(element.0) {
                content.push(*piece);
            }
        }
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        let mut roots = Vec::new();
        for (at, (_, parent, _)) in self.elements.iter().enumerate() {
            match parent.and_then(|parent| below.get_mut(parent.0)) {
                Some(children) => children.push(at),
                None => roots.push(at),
            }
        }
        for root in roots {
            if let Some(group) = self.build_group(root, &content, &below) {
                tree.push(group);
            }
        }
        tree
    }

    fn build_group(&self, at: usize, content: &[Vec<Identifier>], below: &[Vec<usize>]) -> Option<TagGroup> {
        let (element, _, text) = self.elements.get(at)?;
        let mut group = TagGroup::new(tag_of(*element, text));
        for piece in content.get(at)? {
            group.push(*piece);
        }
        for child in below.get(at)? {
            group.children.extend(self.build_group(*child, content, below).map(Node::from));
        }
        Some(group)
    }
}

fn tag_of(element: Element, text: &str) -> TagKind {
    let heading = |level: NonZeroU16| Tag::Hn(level, Some(text.to_owned())).into();
    match element {
        Element::Title => heading(NonZeroU16::MIN),
        Element::Heading => heading(NonZeroU16::MIN.saturating_add(1)),
        Element::Paragraph => Tag::P.into(),
        Element::Table => Tag::Table.into(),
        Element::TableHead => Tag::THead.into(),
        Element::TableBody => Tag::TBody.into(),
        Element::Row => Tag::TR.into(),
        Element::HeadCell => Tag::TH(TableHeaderScope::Column).into(),
        Element::RowHead => Tag::TH(TableHeaderScope::Row).into(),
        Element::Cell => Tag::TD.into(),
    }
}
