//! Python's `dict`: keys in the order of their first insertion, found by hash.
//!
//! The order of reward keys reaches files, so it counts. A key that is set again keeps its place
//! and gets the new value, which is why `{"a": 1, "b": 2, "a": 3}` reads as a = 3, b = 2.

use crate::text::Text;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct Dict<V> {
    entries: Vec<(Text, V)>,
    places: HashMap<Text, usize>,
}

/// Up to this number, keys are compared one by one: most rewards have a single key, and hashing
/// would only cost time.
const FEW: usize = 8;

impl<V> Dict<V> {
    pub fn new() -> Dict<V> {
        Dict {
            entries: Vec::new(),
            places: HashMap::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &(Text, V)> {
        self.entries.iter()
    }

    pub fn get(&self, key: &Text) -> Option<&V> {
        self.place(key).map(|place| &self.entries[place].1)
    }

    /// Returns the value of an ASCII key, such as a member of a message.
    pub fn member(&self, name: &str) -> Option<&V> {
        self.entries
            .iter()
            .find(|(key, _)| key.is(name))
            .map(|(_, value)| value)
    }

    /// Python's `dict[key] = value`.
    pub fn insert(&mut self, key: Text, value: V) {
        match self.place(&key) {
            Some(place) => self.entries[place].1 = value,
            None => self.append(key, value),
        }
    }

    /// Python's `dict.setdefault(key, default())`.
    pub fn or_insert_with(&mut self, key: &Text, default: impl FnOnce() -> V) -> &mut V {
        let place = self.place(key).unwrap_or_else(|| {
            self.append(key.clone(), default());
            self.entries.len() - 1
        });
        &mut self.entries[place].1
    }

    fn place(&self, key: &Text) -> Option<usize> {
        if self.entries.len() > FEW {
            return self.places.get(key).copied();
        }
        self.entries.iter().position(|(other, _)| other == key)
    }

    fn append(&mut self, key: Text, value: V) {
        self.entries.push((key, value));
        let hashed = self.places.len();
        if self.entries.len() > FEW {
            let rest = self.entries.iter().enumerate().skip(hashed);
            self.places
                .extend(rest.map(|(place, (key, _))| (key.clone(), place)));
        }
    }
}

impl<V> IntoIterator for Dict<V> {
    type Item = (Text, V);
    type IntoIter = std::vec::IntoIter<(Text, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<V> FromIterator<(Text, V)> for Dict<V> {
    fn from_iter<I: IntoIterator<Item = (Text, V)>>(pairs: I) -> Dict<V> {
        let mut dict = Dict::new();
        for (key, value) in pairs {
            dict.insert(key, value);
        }
        dict
    }
}
