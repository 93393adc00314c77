import { TextBuilder } from './text-builder.ts';
import { attributeOf, walkXml } from './walk-xml.ts';

/** The text of these is in the document another time, or was deleted. */
const unread = new Set(['Fallback', 'del', 'moveFrom']);

/** Returns the text of a part of a DOCX as Markdown. */
export function readWord(xml: string): string {
  const built = new TextBuilder();
  let skipped = 0;
  let isText = false;
  let prefix = '';
  walkXml(xml, {
    onOpen(name, attributes) {
      if (skipped > 0 || unread.has(name)) return void (skipped += 1);
      if (name === 't') isText = true;
      else if (name === 'p') prefix = '';
      else if (name === 'pStyle') prefix = headingOf(attributeOf(attributes, 'val')) ?? prefix;
      else if (name === 'numPr') prefix ||= '- ';
      else if (name === 'tab') built.add('\t');
      else if (name === 'br' || name === 'cr') built.add('\n');
      else if (name === 'tbl') built.openTable();
      else if (name === 'tr') built.openRow();
    },
    onText(text) {
      if (isText && skipped === 0) built.add(text);
    },
    onClose(name) {
      if (skipped > 0) return void (skipped -= 1);
      if (name === 't') isText = false;
      else if (name === 'p') built.endParagraph(prefix);
      else if (name === 'tc') built.closeCell();
      else if (name === 'tbl') built.closeTable();
    },
  });
  return built.text();
}

const levelsMax = 6;

function headingOf(style: string | undefined): string | undefined {
  if (style === 'Title') return '# ';
  const level = /^heading\s?([1-9])$/i.exec(style ?? '')?.[1];
  return level === undefined ? undefined : `${'#'.repeat(Math.min(Number(level), levelsMax))} `;
}
