import { equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type DocumentTask, work } from './document-work.ts';
import { pdfOf, pdfOfObjects } from './testing/pdf.ts';

const read = (source: Uint8Array | string, more: Partial<DocumentTask> = {}) =>
  work({ source, contentType: 'application/pdf', url: '', tokensMax: 10_000, ...more });

async function textOf(...args: Parameters<typeof read>): Promise<string> {
  const result = await read(...args);
  return 'error' in result ? `error: ${result.error}` : result.content;
}

const objects = (...bodies: readonly string[]) =>
  pdfOfObjects(bodies.map((body) => Buffer.from(body, 'latin1')));
const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]';
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';

describe('a hostile PDF', () => {
  test.each<[string, Buffer, RegExp]>([
    ['none', Buffer.from('%PDF-1.7 nonsense'), /is damaged or is none/],
    ['cut', pdfOf(['text']).subarray(0, 60), /is damaged/],
    ['of one line', Buffer.alloc(20_000_000, '%PDF-1.7'), /has a line that is too long/],
    ['of other bytes', Buffer.alloc(20_000_000, 1), /is damaged or is none/],
    ['a web page', Buffer.from('<!doctype html>'), /is damaged or is none/],
    [
      'that has itself as a page',
      objects(catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>', '<< >>'),
      /is damaged/,
    ],
    [
      'that says it has 100,000 pages',
      objects(catalog, '<< /Type /Pages /Kids [3 0 R] /Count 100000 >>', '<< >>'),
      /has no text|has more than 500 pages/,
    ],
    [
      'whose pages are in a cycle',
      objects(
        catalog,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
        '<< >>',
      ),
      /is damaged/,
    ],
    ['with a password', locked(), /has a password|is damaged/],
  ])('is an error: %s', async (_, pdf, error) => {
    match(await textOf(pdf), error);
  });

  test('is read but for its damaged pages, which are named', async () => {
    const pdf = objects(
      catalog,
      '<< /Type /Pages /Kids [4 0 R 8 0 R] /Count 2 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `${page} /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      '<< /Length 29 >>\nstream\nBT /F1 12 Tf (text) Tj ET    \nendstream',
      `${page} /Contents 7 0 R /Resources 8 0 R >>`,
      '<< /Length 5 /Filter /NoSuchFilter >>\nstream\nabcde\nendstream',
      '(none)',
      '<< >>',
    );
    const text = await textOf(pdf);
    match(text, /^text[^]*Page 2 is damaged/);
  });
});

describe('the facts of a document', () => {
  test('are its hash and its pages, without its text', async () => {
    const pdf = pdfOf(['one', 'two']);
    const known = await read(pdf.toString('base64'), { skipsPdf: true, knownHashes: [] });
    ok(!('error' in known));
    equal(known.pages, 2);
    equal(known.content, '');
    match(known.hash ?? '', /^[0-9a-f]{64}$/);
    const again = await read(pdf, { knownHashes: [known.hash ?? ''] });
    ok(!('error' in again));
    equal(again.content, '');
    match(await textOf(pdf, { knownHashes: ['another'] }), /one/);
  });

  test('are refused with the limit of pages', async () => {
    const result = await read(pdfOf(['one', 'two']), { skipsPdf: true, pagesMax: 1 });
    equal('error' in result && result.error, 'The PDF has more than 1 pages');
  });
});

/** A PDF that says that it is encrypted with a password of its reader. */
function locked(): Buffer {
  const plain = pdfOf(['secret']).toString('latin1');
  const key = '0'.repeat(64);
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -44 >> /ID [<00> <00>]`;
  return Buffer.from(plain.replace('/Root 1 0 R', `/Root 1 0 R ${encrypt}`), 'latin1');
}
