import { TextBuilder } from './text-builder.ts';
import { attributeOf, walkXml } from './walk-xml.ts';

const levelsMax = 6;
/** A row may say that a cell or itself comes a million times. Only one of them is worth reading. */
const spacesMax = 1_000;
const unread = new Set(['tracked-changes', 'annotation', 'forms']);

/** Returns the text of `content.xml` of an ODT, ODS or ODP as Markdown. */
export function readOpenDocument(xml: string): string {
  const built = new TextBuilder();
  let skipped = 0;
  let paragraphs = 0;
  let prefix = '';
  let lists = 0;
  walkXml(xml, {
    onOpen(name, attributes) {
      if (skipped > 0 || unread.has(name)) return void (skipped += 1);
      if (name === 'p' || name === 'h') {
        if (paragraphs === 0) prefix = prefixOf(name, attributes, lists);
        paragraphs += 1;
      } else if (name === 'list') lists += 1;
      else if (name === 'tab') built.add('\t');
      else if (name === 'line-break') built.add('\n');
      else if (name === 's')
        built.add(' '.repeat(Math.min(Number(attributeOf(attributes, 'c') ?? 1) || 1, spacesMax)));
      else if (name === 'table') {
        titleOf(built, attributeOf(attributes, 'name'));
        built.openTable();
      } else if (name === 'table-row') built.openRow();
    },
    onText(text) {
      if (paragraphs > 0 && skipped === 0) built.add(text);
    },
    onClose(name) {
      if (skipped > 0) return void (skipped -= 1);
      if (name === 'p' || name === 'h') {
        paragraphs -= 1;
        if (paragraphs === 0) built.endParagraph(prefix);
      } else if (name === 'list') lists -= 1;
      else if (name === 'table-cell' || name === 'covered-table-cell') built.closeCell();
      else if (name === 'table') built.closeTable();
    },
  });
  return built.text();
}

function prefixOf(
  name: 'p' | 'h',
  attributes: Readonly<Record<string, string>>,
  lists: number,
): string {
  if (name === 'p') return lists > 0 ? '- ' : '';
  const level = Number(attributeOf(attributes, 'outline-level') ?? 1) || 1;
  return `${'#'.repeat(Math.max(1, Math.min(level, levelsMax)))} `;
}

/** The name of a sheet stands above it. */
function titleOf(built: TextBuilder, name: string | undefined): void {
  if (name === undefined || /^Table\d+$/.test(name)) return;
  built.add(name);
  built.endParagraph('## ');
}
