/** All items in order, in as few parts as may be when none has more than so many; about as long as each other. */
export function evenParts<Item>(
  items: readonly Item[],
  itemsMax: number,
): readonly (readonly Item[])[] {
  if (items.length <= itemsMax) return [items];
  const parts: (readonly Item[])[] = [];
  const length = Math.ceil(items.length / Math.ceil(items.length / itemsMax));
  for (let start = 0; start < items.length; start += length)
    parts.push(items.slice(start, start + length));
  return parts;
}
