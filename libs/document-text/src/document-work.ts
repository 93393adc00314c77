import { createHash } from 'node:crypto';
import { decodeText } from './charset.ts';
import { type Content, Unreadable } from './content.ts';
import { cutToTokens } from './cut.ts';
import { readHtml } from './html.ts';
import { type Kind, kindOf } from './kind.ts';

export interface DocumentTask {
  /** Bytes, or their base64. */
  readonly source: Uint8Array | string;
  /** The media type, with its charset if there is one. */
  readonly contentType: string;
  /** Links of a page are relative to it. Empty: they stay as they are. */
  readonly url: string;
  readonly tokensMax: number;
  /** 500 if absent. */
  readonly pagesMax?: number;
  /** Another reader gets the text of a PDF. Its pages and its hash are wanted. */
  readonly skipsPdf?: boolean;
  /** The hash is wanted. The text of a document with one of these hashes is not. */
  readonly knownHashes?: readonly string[];
}

export type Extracted =
  | ({
      readonly title: string;
      readonly content: string;
      /** True: the document has more text than was asked for. */
      readonly isCut: boolean;
    } & Facts)
  | { readonly error: string };

interface Facts {
  readonly kind: Kind;
  /** Absent: the document has no pages. */
  readonly pages?: number;
  /** Pages without a text, as scanned ones are. Absent: none is known. */
  readonly emptyPages?: number;
  /** SHA-256 of the bytes, hexadecimal. Absent: it was not asked for. */
  readonly hash?: string;
}

const charactersPerToken = 4;
const pagesDefaultMax = 500;

/** Runs in a thread: reads a hostile document. */
export async function work(task: DocumentTask): Promise<Extracted> {
  const { source, contentType, skipsPdf = false, knownHashes } = task;
  try {
    const bytes = typeof source === 'string' ? Buffer.from(source, 'base64') : source;
    const hash = knownHashes && createHash('sha256').update(bytes).digest('hex');
    const kind = kindOf(contentType, bytes);
    if (kind === undefined)
      throw new Unreadable('The document is not HTML, PDF, an office document or another text');
    const named = { kind, ...(hash !== undefined && { hash }) };
    const isKnown = hash !== undefined && knownHashes?.includes(hash) === true;
    const wantsText = !isKnown && !(skipsPdf && kind === 'pdf');
    const { title, text, ...counts } = await read(bytes, kind, { ...task, wantsText });
    const facts = { ...named, ...counts };
    if (!wantsText) return { title, content: '', isCut: false, ...facts };
    if (text.trim() === '') throw new Unreadable('The document has no text');
    const { text: content, isCut } = cutToTokens(text, task.tokensMax);
    return { title, content, isCut, ...facts };
  } catch (error) {
    if (error instanceof Unreadable) return { error: error.message };
    return { error: 'The document could not be read' };
  }
}

async function read(
  bytes: Uint8Array,
  kind: Kind,
  task: DocumentTask & { readonly wantsText: boolean },
): Promise<Content> {
  const { url, contentType, tokensMax, pagesMax = pagesDefaultMax, wantsText } = task;
  const charactersMax = wantsText ? tokensMax * charactersPerToken : -1;
  // The readers of PDF and of office documents are large, and few documents need them.
  if (kind === 'pdf') {
    const { readPdf } = await import('./pdf.ts');
    return readPdf(bytes, { charactersMax, pagesMax });
  }
  if (!wantsText) return { title: '', text: '' };
  if (kind === 'office') {
    const { readOffice } = await import('./office/read-office.ts');
    return readOffice(bytes, charactersMax);
  }
  const text = decodeText(bytes, contentType);
  return kind === 'html' ? readHtml(text, url) : { title: '', text };
}
