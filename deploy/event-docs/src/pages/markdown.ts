/** A table; cells may hold anything, also bars. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line), ''];
}

const columnsMax = 100;

/** Breaks a text into lines of at most 100 columns. A longer word has a line of its own. */
export function paragraph(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > columnsMax) lines.push(line);
    line = line !== '' && longer.length > columnsMax ? word : longer;
  }
  return [...lines, line];
}

export function jsonBlock(value: unknown): readonly string[] {
  return ['```json', JSON.stringify(value, null, 2), '```', ''];
}

export function code(text: string): string {
  return `\`${text}\``;
}
