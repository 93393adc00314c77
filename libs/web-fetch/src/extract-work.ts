import { decodeText } from './extract/charset.ts';
import { type Content, Unreadable } from './extract/content.ts';
import { cutToTokens } from './extract/cut.ts';
import { readHtml } from './extract/html.ts';
import { kindOf } from './extract/kind.ts';

export interface ExtractTask {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
  readonly tokensMax: number;
}

export type Extracted =
  | { readonly title: string; readonly content: string; readonly isCut: boolean }
  | { readonly error: string };

const charactersPerToken = 4;

/** Runs in a thread: reads a hostile body. */
export async function work(task: ExtractTask): Promise<Extracted> {
  try {
    const { title, text } = await read(task);
    if (text.trim() === '') return { error: 'The page has no text' };
    const { text: content, isCut } = cutToTokens(text, task.tokensMax);
    return { title, content, isCut };
  } catch (error) {
    if (error instanceof Unreadable) return { error: error.message };
    return { error: 'The page could not be read' };
  }
}

async function read({ bytes, contentType, url, tokensMax }: ExtractTask): Promise<Content> {
  const kind = kindOf(contentType, bytes);
  if (kind === undefined)
    throw new Unreadable('The page is not HTML, PDF, JSON or another kind of text');
  if (kind === 'pdf') {
    // The reader of PDFs is large, and few pages need it.
    const { readPdf } = await import('./extract/pdf.ts');
    return readPdf(bytes, tokensMax * charactersPerToken);
  }
  const text = decodeText(bytes, contentType);
  return kind === 'html' ? readHtml(text, url) : { title: '', text };
}
