//! The tests of serialization, in one program: each program is linked by itself, which takes time.

mod conformance;
mod exits;
mod fuzz_name_lists;
mod laws;
mod name_list_text;
mod name_lists;
mod systems;
