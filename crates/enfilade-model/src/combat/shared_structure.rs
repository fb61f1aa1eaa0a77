//! What contests share whose dice lead to the same: whoever has made something of one of them need not make it
//! of the next.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::shared::opaque;

/// A place for what is made of contests that are alike.
#[derive(Default)]
pub struct Alike(OnceLock<Arc<dyn Any + Send + Sync>>);

opaque!(Alike);

impl Alike {
    /// What was made of one of them.
    #[doc(hidden)]
    pub fn made<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.0.get()?).downcast().ok()
    }

    /// Keeps what was made, unless something has been kept.
    #[doc(hidden)]
    pub fn keep<T: Any + Send + Sync>(&self, made: &Arc<T>) {
        let made: Arc<T> = Arc::clone(made);
        let _ = self.0.set(made);
    }
}
