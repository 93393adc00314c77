import { getDocumentProxy } from 'unpdf';
import { type Content, Unreadable } from './content.ts';

const pagesMax = 500;
const titleCharactersMax = 500;

/** Returns the text of a PDF, page by page, until it has enough characters. */
export async function readPdf(bytes: Uint8Array, charactersMax: number): Promise<Content> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: true,
    maxImageSize: 0,
    verbosity: 0,
  }).catch(() => {
    throw new Unreadable('The PDF is damaged or has a password');
  });
  if (pdf.numPages > pagesMax) throw new Unreadable(`The PDF has more than ${pagesMax} pages`);
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages && characters <= charactersMax; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .trim();
    page.cleanup();
    if (text === '') continue;
    pages.push(text);
    characters += text.length;
  }
  if (pages.length === 0) throw new Unreadable('The PDF has no text');
  return { title: await titleOf(pdf), text: pages.join('\n\n') };
}

async function titleOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string> {
  const { info } = await pdf.getMetadata();
  const title = (info as { readonly Title?: unknown }).Title;
  return typeof title === 'string' ? title.trim().slice(0, titleCharactersMax) : '';
}
