/** A table; cells may hold anything, also bars. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line), ''];
}

export function jsonBlock(value: unknown): readonly string[] {
  return ['```json', JSON.stringify(value, null, 2), '```', ''];
}

export function typeScriptBlock(source: string): readonly string[] {
  return ['```ts', source, '```', ''];
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A link from a page in `docs/` to a file of the repository. */
export function link(text: string, path: string): string {
  return `[${text}](../${path})`;
}

/** The anchor that a heading gets. */
export function anchor(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\w\- ]/g, '');
  return `#${plain.replaceAll(' ', '-')}`;
}

/** Texts as sentences of one paragraph, without the empty ones. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');
}
