//! Path templates as OpenAPI writes them.

use prost_reflect::{FieldDescriptor, MessageDescriptor};

/// A path with its variables.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// The literals and variables, in order.
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone)]
enum Piece {
    Literal(String),
    Variable(Variable),
}

/// A request field whose value is in the path.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    /// The name of the variable in the document.
    pub(crate) name: String,
    /// The field's path in the proto: `order_id`, `order.id`.
    pub(crate) field: String,
    pub(crate) descriptor: Option<FieldDescriptor>,
}

impl Path {
    /// Reads the template of a binding: `/v1/orders/{order_id}` → `/v1/orders/{orderId}`.
    pub(crate) fn read(template: &str, request: &MessageDescriptor) -> Self {
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            pieces.push(Piece::Literal(before.to_owned()));
            let (inside, after) = after.split_once('}').unwrap_or((after, ""));
            let field = inside.split_once('=').map_or(inside, |(name, _)| name).to_owned();
            let found = find(request, &field);
            let name = found.as_ref().map_or_else(|| field.clone(), |field| field.json_name().to_owned());
            pieces.push(Piece::Variable(Variable { name, field, descriptor: found }));
            rest = after;
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Self { pieces }
    }

    /// The path without the names of its variables: the document cannot tell apart two paths of one shape.
    pub(crate) fn shape(&self) -> String {
        self.write(|_| "{}".to_owned())
    }

    /// The path in the document's form.
    pub(crate) fn text(&self) -> String {
        self.write(|variable| format!("{{{}}}", variable.name))
    }

    /// The variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(variable),
            Piece::Literal(_) => None,
        })
    }

    /// The same path with the names of the variables of `other`, which has the same shape.
    pub(crate) fn called_like(mut self, other: &Self) -> Self {
        let names: Vec<&str> = other.variables().map(|variable| variable.name.as_str()).collect();
        let own = self.pieces.iter_mut().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(variable),
            Piece::Literal(_) => None,
        });
        for (variable, name) in own.zip(names) {
            name.clone_into(&mut variable.name);
        }
        self
    }

    fn write(&self, variable: impl Fn(&Variable) -> String) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Variable(one) => variable(one),
        };
        self.pieces.iter().map(text).collect()
    }
}

/// The field at a path of proto names.
fn find(message: &MessageDescriptor, path: &str) -> Option<FieldDescriptor> {
    match path.split_once('.') {
        None => message.get_field_by_name(path),
        Some((first, rest)) => find(message.get_field_by_name(first)?.kind().as_message()?, rest),
    }
}
