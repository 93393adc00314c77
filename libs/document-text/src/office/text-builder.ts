interface OpenTable {
  readonly rows: string[][];
  readonly cell: string[];
}

/** Adds up the Markdown of a document: paragraphs, and tables with paragraphs in their cells. */
export class TextBuilder {
  readonly #blocks: string[] = [];
  readonly #tables: OpenTable[] = [];
  #line = '';

  add(text: string): void {
    this.#line += text;
  }

  /** Ends a paragraph. An empty one says nothing. */
  endParagraph(prefix = ''): void {
    const text = this.#line.trim();
    this.#line = '';
    if (text === '') return;
    const table = this.#tables.at(-1);
    if (table) table.cell.push(text);
    else this.#blocks.push(prefix + text);
  }

  openTable(): void {
    this.endParagraph();
    this.#tables.push({ rows: [], cell: [] });
  }

  openRow(): void {
    this.#tables.at(-1)?.rows.push([]);
  }

  closeCell(): void {
    this.endParagraph();
    const table = this.#tables.at(-1);
    if (!table) return;
    table.rows.at(-1)?.push(table.cell.join(' '));
    table.cell.length = 0;
  }

  closeTable(): void {
    const rows = this.#tables.pop()?.rows ?? [];
    const text = tableOf(rows);
    if (text === '') return;
    const outer = this.#tables.at(-1);
    if (outer) outer.cell.push(rows.map((row) => row.join(' ')).join(' '));
    else this.#blocks.push(text);
  }

  text(): string {
    while (this.#tables.length > 0) this.closeTable();
    this.endParagraph();
    return this.#blocks.join('\n\n');
  }
}

/** Returns rows as a table of Markdown. Rows without a text are left out. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const told = rows.filter((row) => row.some((cell) => cell !== ''));
  const [head, ...others] = told;
  if (!head) return '';
  const line = (row: readonly string[]) => `| ${row.map(cellOf).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...others.map(line)].join('\n');
}

const cellOf = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ');
