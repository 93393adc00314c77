/** Acts on each, so many at a time, and waits for all of those it began. Throws the first failure. */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  atOnceMax: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      if (failures.length > 0) return;
      await act(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  if (failures.length > 0) throw failures[0];
}
