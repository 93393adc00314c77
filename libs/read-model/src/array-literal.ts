type Item = string | number | bigint | boolean | null;

/**
 * A list as the text of an SQL array, for a parameter of any array type. The driver's own takes many times the
 * memory, and lists are what batches are made of.
 */
export function arrayLiteral(items: readonly Item[]): string {
  return `{${items.map(element).join(',')}}`;
}

function element(item: Item): string {
  if (item === null) return 'NULL';
  if (typeof item !== 'string') return String(item);
  const isPlain = !item.includes('"') && !item.includes('\\');
  return isPlain ? `"${item}"` : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
