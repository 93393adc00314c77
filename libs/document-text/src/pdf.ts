import { getDocumentProxy } from 'unpdf';
import { type Content, Unreadable } from './content.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const titleCharactersMax = 500;

/** Bytes of a line. The reader of damaged files adds a line up character by character. */
const lineBytesMax = 2_000_000;
const [lineFeed, carriageReturn, lessThan] = [0x0a, 0x0d, 0x3c];
const headerBytes = 1_024;

interface PdfLimits {
  /** The text ends soon after so many characters. Negative: no page is read. */
  readonly charactersMax: number;
  readonly pagesMax: number;
}

/** Returns the text of a PDF, page by page. A page that is damaged is named in its place. */
export async function readPdf(
  bytes: Uint8Array,
  { charactersMax, pagesMax }: PdfLimits,
): Promise<Content> {
  checkLines(bytes);
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: true,
    maxImageSize: 0,
    verbosity: 0,
  }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(isLocked ? 'The PDF has a password' : 'The PDF is damaged or is none');
  });
  const { numPages: count } = pdf;
  if (count > pagesMax) throw new Unreadable(`The PDF has more than ${pagesMax} pages`);
  if (charactersMax < 0) return { title: '', text: '', pages: count };
  const pages: string[] = [];
  let characters = 0;
  let [damaged, empty] = [0, 0];
  for (let number = 1; number <= count && characters <= charactersMax; number += 1) {
    const text = await textOfPage(pdf, number);
    if (text === undefined) damaged += 1;
    if (text === '') {
      empty += 1;
      continue;
    }
    pages.push(text ?? `[Page ${number} is damaged and could not be read.]`);
    characters += text?.length ?? 0;
  }
  if (damaged > 0 && damaged === pages.length) throw new Unreadable('The PDF is damaged');
  if (pages.length === 0) throw new Unreadable('The PDF has no text, but images of it at most');
  const without = empty > 0 && { emptyPages: empty };
  return { title: await titleOf(pdf), text: pages.join('\n\n'), pages: count, ...without };
}

/** Refuses bytes that would take all memory of the reader, which would end the process and not the thread alone. */
function checkLines(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headerBytes));
  if (!head.includes('%PDF-', 0, 'latin1')) throw new Unreadable('The PDF is damaged or is none');
  let begin = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === lineFeed || byte === carriageReturn || byte === lessThan) begin = at;
    else if (at - begin > lineBytesMax) throw new Unreadable('The PDF has a line that is too long');
  }
}

/** Returns undefined for a page that is damaged. */
async function textOfPage(pdf: Pdf, number: number): Promise<string | undefined> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .trim();
  } catch {
    return undefined;
  }
}

async function titleOf(pdf: Pdf): Promise<string> {
  try {
    const { info } = await pdf.getMetadata();
    const title = (info as { readonly Title?: unknown }).Title;
    return typeof title === 'string' ? title.trim().slice(0, titleCharactersMax) : '';
  } catch {
    return '';
  }
}
