type Item = string | number | bigint | boolean | null;

/**
 * A list as the text of an SQL array, for a parameter of any array type. The driver's own takes many times the
 * memory, and lists are what batches are made of.
 */
export function arrayLiteral(items: readonly Item[]): string {
  if (items.includes(null)) return elementWise(items);
  let texts = 0;
  for (const item of items) if (typeof item === 'string') texts += 1;
  if (texts === 0) return `{${items.join(',')}}`;
  // One search of all texts costs less than one of each.
  return texts === items.length && isPlain(items.join(''))
    ? `{"${items.join('","')}"}`
    : elementWise(items);
}

function elementWise(items: readonly Item[]): string {
  return `{${items.map(element).join(',')}}`;
}

function element(item: Item): string {
  if (item === null) return 'NULL';
  if (typeof item !== 'string') return String(item);
  return isPlain(item) ? `"${item}"` : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** True when quotes around it are all that it needs. */
function isPlain(text: string): boolean {
  return !text.includes('"') && !text.includes('\\');
}
