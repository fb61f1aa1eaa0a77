//! Cache slot shared by contests with the same transition structure, so that a graph built for one
//! of them serves the next.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::static_or_shared::opaque;

/// Cache slot of contests with the same transition structure.
#[derive(Default)]
pub struct SharedStructureSlot(OnceLock<Arc<dyn Any + Send + Sync>>);

opaque!(SharedStructureSlot);

impl SharedStructureSlot {
    /// Returns the stored value, if there is one of this type.
    #[doc(hidden)]
    pub fn stored_value_of_type<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.0.get()?).downcast().ok()
    }

    /// Stores a value, unless there is one already.
    #[doc(hidden)]
    pub fn store_if_empty<T: Any + Send + Sync>(&self, value: &Arc<T>) {
        let stored_value: Arc<T> = Arc::clone(value);
        let _ = self.0.set(stored_value);
    }
}
