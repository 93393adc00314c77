import JSDOMParser from '@mozilla/readability/JSDOMParser.js';
import type { DomDocument } from './dom.ts';
import { makeFaster } from './faster-dom.ts';

/** Creates a document with an empty head and body. Links are relative to its URL. */
export function createDocument(url: string): DomDocument {
  return new JSDOMParser().parse('<html><head></head><body></body></html>', url);
}

const sample = createDocument('');
const element = Object.getPrototypeOf(sample.body) as object;
const text = Object.getPrototypeOf(sample.createTextNode('')) as object;
makeFaster({ node: Object.getPrototypeOf(element) as object, element, text });
// Readability calls the content of a text by one name. Turndown has two others.
const content = Object.getOwnPropertyDescriptor(text, 'textContent') ?? {};
Object.defineProperties(text, { data: content, nodeValue: content });
