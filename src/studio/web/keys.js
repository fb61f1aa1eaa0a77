// @ts-check
// Keys of the whole page: Ctrl+S saves, Ctrl+Z undoes where nobody types.

import { byId } from "./dom.js";

/** `undo` takes the last step back. */
export const wire = (undo) => addEventListener("keydown", (event) => {
  const typing = /** @type {any} */ (event.target).matches?.("input, textarea");
  if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); byId("save").click(); }
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) { event.preventDefault(); undo(); }
});
