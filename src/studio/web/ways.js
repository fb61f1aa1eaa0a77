// @ts-check
// Back and Forward of the browser go between what stood on the desk: questions, files, squares of a grid, the start.

/** What stood in each place of the history; those of an earlier load of the page are not known any more. */
let places = [], at = -1, going = false, moved = false;
/** What stands there now, to be come back to; and how one is shown again. */
let now = () => null, show = async (_) => {};

/** Another thing stands there from now on: it is a place of its own in the history. */
export const arrive = () => {
  if (going) return;
  if (at < 0) { at = 0; places = [null]; history.replaceState({ way: 0 }, "", location.href); return; }
  places.length = ++at;
  places[at] = null;
  // A link in the address is of what stood there before.
  history.pushState({ way: at }, "", location.href.split("#")[0]);
};

/** Whether the address has just changed because somebody went back or forward. */
export const travelled = () => { const was = moved; moved = false; return was; };

/** What stands there is about to be left: it is kept as it stands. */
export const leave = () => { if (!going && at >= 0) places[at] = now(); };

/** `current` is what stands there, and `shown` shows one again. */
export const wire = (current, shown) => {
  [now, show] = [current, shown];
  addEventListener("popstate", async ({ state }) => {
    const way = state?.way;
    moved = Number.isInteger(way);
    setTimeout(() => { moved = false; }, 300);
    if (!Number.isInteger(way) || way === at || !(way in places)) return;
    places[at] = now();
    at = way;
    if (!places[at]) return;
    going = true;
    try { await show(places[at]); } finally { going = false; }
  });
};
