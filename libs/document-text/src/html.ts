import { Readability } from '@mozilla/readability';
import Turndown from 'turndown';
import type { Content } from './content.ts';
import { addTables } from './tables.ts';
import type { DomElement } from './dom.ts';
import { parsePage } from './parse-page.ts';

const titleCharactersMax = 500;

const markdown = new Turndown({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
});
addTables(markdown);
markdown.remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'input', 'select']);

/**
 * Readability holds a shorter article for a wrong guess. A short page is shown whole: it costs few tokens, and its
 * article may be left out of the guess.
 */
const articleCharactersMin = 500;

/** Returns the article of a page as Markdown, or all of its body if no article is found. */
export function readHtml(html: string, url: string): Content {
  const document = parsePage(html, url);
  const pageTitle = document.title;
  // A node: its text would have to be parsed again.
  const article = new Readability<DomElement>(document, {
    serializer: (node) => node,
    disableJSONLD: true,
    charThreshold: articleCharactersMin,
  }).parse();
  const isFound = (article?.length ?? 0) >= articleCharactersMin;
  // Readability has changed the first document.
  const root = (isFound && article?.content) || parsePage(html, url).body;
  const title = (article?.title || pageTitle).trim().slice(0, titleCharactersMax);
  return { title, text: toMarkdown(root) };
}

function toMarkdown(root: DomElement): string {
  // Turndown copies each node that it gets. This one has no other reader.
  Object.defineProperty(root, 'cloneNode', { value: () => root });
  return markdown.turndown(root).trim();
}
