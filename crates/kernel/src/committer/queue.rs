//! What waits in one lane, and which of it goes into the next batch. No tasks, no clock, no engine: plain state.

use std::collections::{HashSet, VecDeque};

use crate::store::Command;

/// What holds a command.
pub(super) trait Holds {
    /// The command.
    fn command(&self) -> &Command;
}

/// The commands of a lane, in the order in which they came.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: VecDeque<T>,
    batch: usize,
}

impl<T: Holds> Queue<T> {
    /// A queue that gives out at most `batch` at a time.
    pub(super) fn new(batch: usize) -> Self {
        Self { waiting: VecDeque::new(), batch: batch.max(1) }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the next batch would not be larger with one more.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= self.batch
    }

    /// Puts one at the end.
    pub(super) fn push(&mut self, one: T) {
        self.waiting.push_back(one);
    }

    /// Takes the next batch. An entity and an idempotency key occur once in it, so that whoever comes second meets
    /// what the first left behind; whatever has to wait for that keeps its place, and nothing about the same entity
    /// overtakes it.
    pub(super) fn cut(&mut self) -> Vec<T> {
        let mut seen = HashSet::new();
        let (mut taken, mut kept) = (Vec::new(), VecDeque::new());
        for one in self.waiting.drain(..) {
            let mut fresh = taken.len() < self.batch;
            let command = one.command();
            let entities = command.writes.iter().map(|write| (write.table.name, write.row.id.clone()));
            let key = command.memory.iter().map(|memory| (command.journal, memory.key.clone()));
            for mark in entities.chain(key) {
                fresh &= seen.insert(mark);
            }
            if fresh {
                taken.push(one);
            } else {
                kept.push_back(one);
            }
        }
        self.waiting = kept;
        taken
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::store::Memory;

    impl Holds for Command {
        fn command(&self) -> &Command {
            self
        }
    }

    fn command(key: &str, request: &str) -> Command {
        let memory = Memory { key: key.into(), request: request.into(), answer: Bytes::new(), version: 0, clock: 0, at: 0 };
        Command {
            journal: "orders",
            writes: Vec::new(),
            memory: Some(memory),
            at: 0,
            actor: String::new(),
            subject: String::new(),
            request_id: request.into(),
        }
    }

    fn cut(queue: &mut Queue<Command>) -> Vec<String> {
        queue.cut().into_iter().map(|command| command.request_id).collect()
    }

    #[test]
    fn a_key_occurs_once_in_a_batch_and_keeps_its_order() {
        let mut queue = Queue::new(3);
        for (key, request) in [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("d", "5"), ("a", "6")] {
            queue.push(command(key, request));
        }
        assert!(queue.is_full());
        assert_eq!(cut(&mut queue), ["1", "2", "4"]);
        assert_eq!(cut(&mut queue), ["3", "5"]);
        assert_eq!(cut(&mut queue), ["6"]);
        assert!(queue.is_empty());
    }
}
