import { Parser } from 'htmlparser2';
import { Unreadable } from './content.ts';
import { createDocument } from './document.ts';
import type { DomDocument, DomElement } from './dom.ts';

/** Bounds the work of the extraction. */
const elementsMax = 100_000;
/** The depth that functions which call themselves for each child can walk. */
const depthMax = 400;
const attributesMax = 100;
const attributeCharactersMax = 2_048;

/** Elements that no model reads, with all that is in them. */
const unread = new Set(
  'script style noscript template iframe object embed svg canvas link meta'.split(' '),
);
/** The document has these already. Pages leave them out, or have them twice. */
const unshown = new Set(['html', 'head', 'body', 'title', 'base']);
/** Readability writes the document and parses it again. Other names would break it. */
const safeName = /^[a-z][a-z0-9_-]*$/;

/**
 * Parses a page into a DOM that has only what the extraction reads: no scripts, styles, drawings, comments, nor images
 * in the text of the page. Throws Unreadable for a maze of elements, as soon as the parser has come to it.
 */
export function parsePage(html: string, url: string): DomDocument {
  const page = new PageBuilder(url);
  const parser = new Parser(page, { decodeEntities: true });
  parser.end(html);
  return page.document;
}

/** Adds to the document as the parser goes through the page, which names the methods. */
class PageBuilder {
  readonly document: DomDocument;
  /** Elements that are open, from the body on. */
  readonly #open: DomElement[];
  #elements = 0;
  #depth = 0;
  /** The number of open elements from one on that no model reads. */
  #unread = 0;
  /** The text since the last element began or ended. */
  #text = '';
  #hasTitle = false;
  #hasBase = false;

  constructor(url: string) {
    this.document = createDocument(url);
    this.#open = [this.document.body];
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements += 1;
    this.#depth += 1;
    if (this.#elements > elementsMax) throw new Unreadable('The document has too many elements');
    if (this.#depth > depthMax) throw new Unreadable('The document is nested too deeply');
    if (this.#unread > 0 || unread.has(name)) {
      this.#unread += 1;
      return;
    }
    if (name === 'base') this.#addBase(attributes['href']);
    if (name === 'title') this.#endText();
    if (!isShown(name)) return;
    this.#endText();
    const element = this.document.createElement(name);
    copyAttributes(attributes, element);
    this.#open.at(-1)?.appendChild(element);
    this.#open.push(element);
  }

  onclosetag(name: string): void {
    this.#depth -= 1;
    if (this.#unread > 0) this.#unread -= 1;
    else if (name === 'title') this.#endTitle();
    else if (isShown(name)) {
      this.#endText();
      this.#open.pop();
    }
  }

  ontext(text: string): void {
    if (this.#unread === 0) this.#text += text;
  }

  onend(): void {
    this.#endText();
  }

  #endText(): void {
    if (this.#text === '') return;
    this.#open.at(-1)?.appendChild(this.document.createTextNode(this.#text));
    this.#text = '';
  }

  /** The first title counts, wherever it stands. */
  #endTitle(): void {
    if (!this.#hasTitle) this.document.title = this.#text.trim();
    this.#hasTitle = true;
    this.#text = '';
  }

  /** The first base counts. */
  #addBase(href: string | undefined): void {
    if (this.#hasBase || href === undefined) return;
    this.#hasBase = true;
    const base = this.document.createElement('base');
    base.setAttribute('href', href);
    this.document.head.appendChild(base);
  }
}

/** The content of elements of other names is kept without them. */
function isShown(name: string): boolean {
  return !unshown.has(name) && safeName.test(name);
}

/** Leaves out images that stand in the text of the page, and other attributes that no one reads. */
function copyAttributes(from: Readonly<Record<string, string>>, to: DomElement): void {
  const kept = Object.entries(from).filter(
    ([name, value]) =>
      value.length <= attributeCharactersMax && !value.startsWith('data:') && safeName.test(name),
  );
  for (const [name, value] of kept.slice(0, attributesMax)) to.setAttribute(name, value);
}
