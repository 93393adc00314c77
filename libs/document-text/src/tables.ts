import type Turndown from 'turndown';
import type { DomElement } from './dom.ts';

/** Writes tables of data as tables of Markdown. A table without headings, or with one inside, is a layout: its text. */
export function addTables(markdown: Turndown): void {
  const known = new WeakMap<DomElement, boolean>();
  const isData = (element: DomElement): boolean => {
    const table = tableOf(element);
    if (!table) return false;
    const found = known.get(table);
    if (found !== undefined) return found;
    const isTable = has(table, 'th') && !has(table, 'table');
    known.set(table, isTable);
    return isTable;
  };
  markdown.addRule('cell', {
    filter: (node) => /^T[HD]$/.test(node.nodeName) && isData(node),
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  markdown.addRule('row', {
    filter: (node) => node.nodeName === 'TR' && isData(node),
    replacement: (content, node) => {
      const row = `\n|${content.replaceAll('\n', '')}`;
      if (tableOf(node)?.getElementsByTagName('tr')[0] !== node) return row;
      const cells = ['th', 'td'].flatMap((name) => node.getElementsByTagName(name));
      return `${row}\n|${' --- |'.repeat(cells.length)}`;
    },
  });
  markdown.addRule('rows', {
    filter: (node) => /^T(HEAD|BODY|FOOT)$/.test(node.nodeName) && isData(node),
    replacement: (content) => content,
  });
  markdown.addRule('table', {
    filter: (node) => node.nodeName === 'TABLE' && isData(node),
    replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n`,
  });
}

function tableOf(element: DomElement): DomElement | undefined {
  let node: DomElement | null = element;
  while (node && node.nodeName !== 'TABLE') node = node.parentNode;
  return node ?? undefined;
}

const has = (element: DomElement, name: string) => element.getElementsByTagName(name).length > 0;
