/** The element at an index that must exist: a missing one is a bug, and never the first element. */
export function elementAt<Element>(list: readonly Element[], index: number): Element {
  const element = list[index];
  if (element === undefined) throw new RangeError(`there is no element ${index} of ${list.length}`);
  return element;
}
