//! A vector whose copies share what they have in common.
//!
//! Exploration copies the state at every transition, and a transition changes a few objects of many.
//! Items are shared one by one and their handles in chunks, so a copy costs a count per chunk and the
//! first write to an item costs one chunk of handles and one item.

use std::rc::Rc;

const CHUNK_BITS: u32 = 4;
const CHUNK: usize = 1 << CHUNK_BITS;

type Chunk<T> = [Option<Rc<T>>; CHUNK];

#[derive(Debug)]
pub struct CowVec<T> {
    chunks: Vec<Rc<Chunk<T>>>,
    len: usize,
}

impl<T> Clone for CowVec<T> {
    fn clone(&self) -> Self {
        CowVec { chunks: self.chunks.clone(), len: self.len }
    }
}

impl<T> Default for CowVec<T> {
    fn default() -> Self {
        CowVec { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Clone> CowVec<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn push(&mut self, item: T) {
        let (chunk, at) = (self.len >> CHUNK_BITS, self.len & (CHUNK - 1));
        if chunk == self.chunks.len() {
            self.chunks.push(Rc::new(std::array::from_fn(|_| None)));
        }
        Rc::make_mut(&mut self.chunks[chunk])[at] = Some(Rc::new(item));
        self.len += 1;
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index >> CHUNK_BITS)?[index & (CHUNK - 1)].as_deref()
    }

    /// The item, own if it is shared.
    #[inline(always)]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let chunk = self.chunks.get_mut(index >> CHUNK_BITS)?;
        Rc::make_mut(chunk)[index & (CHUNK - 1)].as_mut().map(Rc::make_mut)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().filter_map(|item| item.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_apart() {
        let mut a = CowVec::default();
        for i in 0..40 {
            a.push(i);
        }
        let b = a.clone();
        *a.get_mut(17).unwrap() = 100;
        a.push(41);
        assert_eq!((a.get(17), b.get(17), a.len(), b.len()), (Some(&100), Some(&17), 41, 40));
        assert_eq!((b.get(40), a.get_mut(41), b.iter().sum::<i32>()), (None, None, 780));
        assert!(std::ptr::eq(a.get(3).unwrap(), b.get(3).unwrap()));
    }
}
