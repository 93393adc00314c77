import { Unreadable } from './content.ts';

/** Bounds the work of the parser, which is quadratic in the depth. */
const elementsMax = 100_000;
const depthMax = 2_000;

const tag = /<(\/?)([a-z][a-z0-9-]*)/gi;
/** Elements without an end, or whose end pages leave out. */
const unclosed = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd tr td th option tbody thead'.split(
    ' ',
  ),
);

/** Refuses a page that the parser could not read in time. It counts tags, without a parser. */
export function refuseMaze(html: string): void {
  let elements = 0;
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(tag)) {
    if (slash === '/') {
      depth = Math.max(0, depth - 1);
      continue;
    }
    elements += 1;
    if (elements > elementsMax) throw new Unreadable('The page has too many elements');
    if (!unclosed.has(name.toLowerCase())) depth += 1;
    if (depth > depthMax) throw new Unreadable('The page is nested too deeply');
  }
}

const outer = [/<html[\s>]/i, /<head[\s>]/i, /<body[\s>]/i];
const outerTags = /<(?:\/?(?:html|head|body)|!doctype)(?:\s[^<>]*)?>/gi;
const titleElement = /<title(?:\s[^<>]*)?>[^<]*<\/title>/i;

/** Adds the elements `html`, `head` and `body` to a page that leaves them out. The parser does not. */
export function completePage(html: string): string {
  if (outer.every((element) => element.test(html))) return html;
  const title = titleElement.exec(html)?.[0] ?? '';
  const body = html.replace(titleElement, '').replace(outerTags, '');
  return `<!doctype html><html><head>${title}</head><body>${body}</body></html>`;
}
