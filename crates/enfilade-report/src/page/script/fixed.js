// A page without the engine shows the cells of its run and no others.
const live = null;
