import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';
import { type Content, Unreadable } from './content.ts';
import { completePage, refuseMaze } from './page-source.ts';
import { addTables } from './tables.ts';
import type { DomDocument, DomElement } from './dom.ts';

/** The depth that functions which call themselves for each child can walk. */
const depthMax = 400;
const attributeCharactersMax = 2_048;
const titleCharactersMax = 500;

/** Elements that no model reads. */
const unread = 'script,style,noscript,template,iframe,object,embed,svg,canvas,link,meta';

const markdown = new Turndown({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
});
addTables(markdown);
markdown.remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'input', 'select']);

/** Returns the article of a page as Markdown, or all of its body if no article is found. */
export function readHtml(html: string, url: string): Content {
  const whole = completePage(html);
  refuseMaze(whole);
  const document = parse(whole, url);
  checkElements(document);
  const pageTitle = document.title;
  // A node: its text would have to be parsed again.
  const article = new Readability<DomElement>(document, {
    serializer: (node) => node,
    disableJSONLD: true,
  }).parse();
  // Readability has changed the first document.
  const root = article?.content ?? parse(whole, url).body;
  const title = (article?.title || pageTitle).trim().slice(0, titleCharactersMax);
  return { title, text: root ? toMarkdown(root) : '' };
}

function parse(html: string, url: string): DomDocument {
  const { document } = parseHTML(html) as unknown as { readonly document: DomDocument };
  for (const element of document.querySelectorAll(unread)) element.remove();
  Object.defineProperty(document, 'baseURI', { value: baseOf(document, url) });
  Object.defineProperty(document, 'documentURI', { value: url });
  return document;
}

function toMarkdown(root: DomElement): string {
  // Turndown copies each node that it gets. This one has no other reader.
  Object.defineProperty(root, 'cloneNode', { value: () => root });
  return markdown.turndown(root).trim();
}

/** Refuses a document that the recursion of the extraction could not walk. Shortens what no model reads. */
function checkElements(document: DomDocument): void {
  let depth = 0;
  let node: DomElement | null = document.documentElement;
  while (node) {
    if (depth > depthMax) throw new Unreadable('The page is nested too deeply');
    shortenAttributes(node);
    if (node.firstElementChild) {
      depth += 1;
      node = node.firstElementChild;
      continue;
    }
    while (node && !node.nextElementSibling) {
      node = node.parentElement;
      depth -= 1;
    }
    node = node?.nextElementSibling ?? null;
  }
}

/** Removes images that stand in the text of the page, and other attributes that no one reads. */
function shortenAttributes(element: DomElement): void {
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? '';
    if (value.length > attributeCharactersMax || value.startsWith('data:'))
      element.removeAttribute(name);
  }
}

function baseOf(document: DomDocument, url: string): string {
  const base = document.querySelector('base[href]')?.getAttribute('href');
  return (base && URL.parse(base, url)?.href) || url;
}
