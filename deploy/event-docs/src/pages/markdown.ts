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

export function code(text: string): string {
  return `\`${text}\``;
}
