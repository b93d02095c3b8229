//! Certificates of `SAFE`: their format, and a checker that believes nothing of what they say.
//!
//! A certificate is an invariant of a program: what holds whenever a thread stands at a point of a function. The checker derives
//! every single step again from the program and sees that it stays within the invariant; it searches for nothing. An engine
//! that makes certificates may ask it what a draft of one lacks ([`check::draft`]).

pub mod certificate;
pub mod check;
pub mod eval;
pub mod range;
pub mod state;
pub mod value;

pub use certificate::{Access, Cell, Certificate, Held, Instance, Kind, Object, Place, Thread};
pub use range::Range;
pub use state::{
    Below, Bound, Form, Hold, InstanceId, Key, Known, Loaded, LockName, Mode, Own, Passed, Space, State,
    Team, life,
};
pub use value::{Latest, ObjectId, ThreadId, Value};
