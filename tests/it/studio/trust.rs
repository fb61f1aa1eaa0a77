//! What is trusted.
