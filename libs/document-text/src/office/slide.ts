import { TextBuilder } from './text-builder.ts';
import { walkXml } from './walk-xml.ts';

/** Returns the text of one slide of a PPTX as Markdown. */
export function readSlide(xml: string): string {
  const built = new TextBuilder();
  let isText = false;
  let skipped = 0;
  walkXml(xml, {
    onOpen(name) {
      if (skipped > 0 || name === 'Fallback') return void (skipped += 1);
      if (name === 't') isText = true;
      else if (name === 'br') built.add('\n');
      else if (name === 'tbl') built.openTable();
      else if (name === 'tr') built.openRow();
    },
    onText(text) {
      if (isText && skipped === 0) built.add(text);
    },
    onClose(name) {
      if (skipped > 0) return void (skipped -= 1);
      if (name === 't') isText = false;
      else if (name === 'p') built.endParagraph();
      else if (name === 'tc') built.closeCell();
      else if (name === 'tbl') built.closeTable();
    },
  });
  return built.text();
}
