//! Names of states by their place in the tree (D80), which are also their priorities (D81).
//!
//! A state's name is the list of the numbers of its ancestors and its own among its siblings, as in
//! the Dewey decimal system; the order of names is the order of a sequential search. The same child may
//! be searched several times, so each number carries the attempt: a name is never given twice.

/// The name of a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Dewey(pub(crate) Vec<u32>);

impl Dewey {
    /// Marks the attempts of a node's first move.
    pub const ELDEST: u16 = 1 << 15;

    /// The root in its search of this number.
    pub fn root(search: u16) -> Dewey {
        Dewey(vec![u32::from(search)])
    }

    /// The name of a child, by its number and the attempt.
    pub fn child(&self, number: u16, attempt: u16) -> Dewey {
        let mut numbers = Vec::with_capacity(self.0.len() + 1);
        numbers.extend_from_slice(&self.0);
        numbers.push(u32::from(number) << 16 | u32::from(attempt));
        Dewey(numbers)
    }

    /// The name of the parent; none for the root.
    pub fn parent(&self) -> Option<Dewey> {
        match self.0.as_slice() {
            [first @ .., _] if !first.is_empty() => Some(Dewey(first.to_vec())),
            _ => None,
        }
    }

    /// Its number among its siblings and the attempt.
    pub fn last(&self) -> (u16, u16) {
        let last = self.0.last().copied().unwrap_or(0);
        ((last >> 16) as u16, last as u16)
    }

    /// The search of the root to which it belongs.
    pub fn search(&self) -> u16 {
        self.0.first().copied().unwrap_or(0) as u16
    }

    /// Its priority in APHID (D82), the sum over the moves that lead to it: 4 for a move of the principal
    /// variation, 2 for a first move elsewhere.
    pub fn aphid(&self) -> u32 {
        let mut principal = true;
        let worth = |step: &u32| {
            let eldest = *step as u16 & Dewey::ELDEST != 0;
            principal &= eldest;
            match (principal, eldest) {
                (true, _) => 4,
                (false, true) => 2,
                _ => 0,
            }
        };
        self.0.iter().skip(1).map(worth).sum()
    }

    /// Whether it is this state or lies below it.
    pub fn is_within(&self, other: &Dewey) -> bool {
        self.0.starts_with(&other.0)
    }

    /// How many bytes it takes in a message: two for the number and the attempt.
    pub fn bytes(&self) -> usize {
        2 * self.0.len() + 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d81_the_order_of_names_is_that_of_a_sequential_search() {
        let root = Dewey::root(1);
        let first = root.child(0, 0);
        let order = [
            root.clone(),
            first.clone(),
            first.child(0, 0),
            first.child(3, 0),
            first.child(3, 1),
            first.child(300, 0),
            root.child(1, 0),
            Dewey::root(2),
        ];
        assert!(order.is_sorted());
    }

    #[test]
    fn d82_aphid_adds_four_for_the_principal_variation_and_two_for_other_first_moves() {
        let first = |path: Dewey| path.child(1, Dewey::ELDEST);
        let root = Dewey::root(1);
        let (line, side) = (first(first(root.clone())), root.child(3, 0));
        assert_eq!([&root, &line, &side].map(Dewey::aphid), [0, 8, 0]);
        assert_eq!(first(first(side.clone())).aphid(), 4);
        assert_eq!(first(first(line).child(2, 0)).aphid(), 14);
    }

    #[test]
    fn d80_a_name_knows_its_parent_and_who_lies_below_it() {
        let root = Dewey::root(7);
        let child = root.child(5, 2);
        assert_eq!((child.last(), child.search()), ((5, 2), 7));
        assert_eq!((child.parent(), root.parent()), (Some(root.clone()), None));
        assert!(child.is_within(&root) && child.is_within(&child) && !root.is_within(&child));
        assert!(!root.child(5, 1).child(0, 0).is_within(&child));
    }
}
