//! Values that are either `'static` or reference-counted.
//!
//! A rulebook in Rust consists of constants; a rulebook from a file is created at run time and
//! dropped with the last answer that uses it. Both have the same interface: a clone shares, nothing
//! is copied, nothing is leaked.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// Implements `Debug` by name for a type with fields that do not implement it, such as functions.
#[macro_export]
#[doc(hidden)]
macro_rules! __opaque {
    ($shown:ty $(, $generic:ident)?) => {
        impl $(<$generic>)? std::fmt::Debug for $shown {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let name = std::any::type_name::<Self>();
                let name = name.split('<').next().and_then(|path| path.rsplit("::").next());
                f.debug_struct(name.unwrap_or_default()).finish_non_exhaustive()
            }
        }
    };
}
pub use __opaque as opaque;

/// Value that is a constant of the program or is shared by reference count.
///
/// ```
/// use enfilade_model::static_or_shared::Text;
/// const WRITTEN: Text = Text::Static("p_kill");
/// let made = Text::from(format!("p_by_turn_{}", 7));
/// assert_eq!((&*WRITTEN, &*made), ("p_kill", "p_by_turn_7"));
/// assert_eq!(made, made.clone());
/// ```
pub enum StaticOrCounted<T: ?Sized + 'static> {
    /// Constant of the program.
    Static(&'static T),
    /// Value created at run time.
    Counted(Arc<T>),
}

/// Name or sentence.
pub type Text = StaticOrCounted<str>;

impl Text {
    /// Empty text.
    pub const EMPTY: Text = StaticOrCounted::Static("");

    /// Returns this text, or `other` when it is empty.
    pub fn or_if_empty(&self, other: impl FnOnce() -> Text) -> Text {
        match self.is_empty() {
            true => other(),
            false => self.clone(),
        }
    }
}

impl<T> StaticOrCounted<T> {
    /// Creates a shared value at run time.
    pub fn new(value: T) -> Self {
        StaticOrCounted::Counted(Arc::new(value))
    }
}

impl<T: ?Sized> StaticOrCounted<T> {
    /// Replaces the value at compile time. The old value is forgotten: a constant has nothing to
    /// free.
    #[doc(hidden)]
    pub const fn replace_at_compile_time(&mut self, value: &'static T) {
        std::mem::forget(std::mem::replace(self, StaticOrCounted::Static(value)));
    }
}

impl<T: ?Sized> Clone for StaticOrCounted<T> {
    fn clone(&self) -> Self {
        match self {
            StaticOrCounted::Static(value) => StaticOrCounted::Static(value),
            StaticOrCounted::Counted(value) => StaticOrCounted::Counted(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized> Deref for StaticOrCounted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            StaticOrCounted::Static(value) => value,
            StaticOrCounted::Counted(value) => value,
        }
    }
}

impl<T: ?Sized> AsRef<T> for StaticOrCounted<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for StaticOrCounted<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for StaticOrCounted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for StaticOrCounted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for StaticOrCounted<T> {
    fn eq(&self, other: &Self) -> bool {
        // Shared values are most often identical.
        std::ptr::eq::<T>(&**self, &**other) || **self == **other
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        **self == **other
    }
}

#[cfg(feature = "serde")]
impl<T: ?Sized + Serialize> Serialize for StaticOrCounted<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        *self == **other
    }
}

impl PartialEq<Text> for &str {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl From<&Text> for String {
    fn from(text: &Text) -> String {
        text.to_string()
    }
}

impl<T: ?Sized + Eq> Eq for StaticOrCounted<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for StaticOrCounted<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: ?Sized + Ord> Ord for StaticOrCounted<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: ?Sized + Hash> Hash for StaticOrCounted<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::EMPTY
    }
}

impl<T> Default for StaticOrCounted<[T]> {
    fn default() -> Self {
        StaticOrCounted::Static(&[])
    }
}

impl<T: ?Sized> From<&'static T> for StaticOrCounted<T> {
    fn from(value: &'static T) -> Self {
        StaticOrCounted::Static(value)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        StaticOrCounted::Counted(text.into())
    }
}

impl<T> From<Vec<T>> for StaticOrCounted<[T]> {
    fn from(values: Vec<T>) -> Self {
        StaticOrCounted::Counted(values.into())
    }
}

impl<T> FromIterator<T> for StaticOrCounted<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        StaticOrCounted::Counted(values.into_iter().collect())
    }
}
