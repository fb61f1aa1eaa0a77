// @ts-check
// Ways into the values of a form: `target[1].morale`, as faults name them, and `target.2.morale`, as
// axes are called.

/** `contest[0].target[1].morale` as the steps target, 1, morale. */
export const steps = (path) => path.split(/[.[\]]+/).filter(Boolean).map((step) => (/^\d+$/.test(step) ? Number(step) : step));

export const at = (values, way) => way.reduce((inner, step) => {
  // One table where several may stand is number 0 of one.
  if (step === 0 && inner && !Array.isArray(inner)) return inner;
  return inner === undefined || inner === null ? undefined : inner[step];
}, values);

/** The same values with another one at a place; tables on the way are made, `undefined` takes it away. */
export const put = (values, way, value) => {
  if (!way.length) return value;
  const [step, ...rest] = way;
  if (step === 0 && values && !Array.isArray(values)) return put(values, rest, value);
  const copy = Array.isArray(values) ? [...values] : typeof step === "number" ? [] : { ...values };
  const inner = put(copy[step], rest, value);
  if (inner === undefined && Array.isArray(copy)) copy.splice(step, 1);
  else if (inner === undefined) delete copy[step];
  else copy[step] = inner;
  return copy;
};

/** The steps to the axis called `name` in these values: keys may hold points, entries count from 1. */
export const axis = (values, name) => {
  if (Array.isArray(values) && values.length === 1) {
    const way = axis(values[0], name);
    return way && [0, ...way];
  }
  if (Array.isArray(values)) {
    const [, place, rest] = /^(\d+)\.(.*)$/.exec(name) || [];
    const way = place && axis(values[Number(place) - 1], rest);
    return way ? [Number(place) - 1, ...way] : null;
  }
  if (!values || typeof values !== "object") return null;
  if (Object.hasOwn(values, name)) return [name];
  const known = Object.keys(values).filter((key) => name.startsWith(`${key}.`)).sort((a, b) => b.length - a.length);
  for (const key of known) {
    const way = axis(values[key], name.slice(key.length + 1));
    if (way) return [key, ...way];
  }
  return null;
};

/** A path as it is written where only sense counts: entries that may be left out are. */
export const plain = (way) => way.filter((step) => step !== 0).join(".");
