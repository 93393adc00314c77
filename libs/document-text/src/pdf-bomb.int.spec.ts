import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createDeflate } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { onTestFinished, test } from 'vitest';
import { createDocumentReader } from './document-reader.ts';
import { pdfOf, pdfOfObjects } from './testing/pdf.ts';

const mebibyte = Buffer.alloc(1_048_576, ' ');

/** Returns a PDF of some kilobytes. Its page has so many mebibytes, which are packed twice. */
async function bombOf(mebibytes: number): Promise<Buffer> {
  let packed: AsyncIterable<Uint8Array> = spaces(mebibytes);
  for (let time = 0; time < 2; time += 1) packed = deflated(packed);
  const content = await buffer(packed);
  const head = `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`;
  return pdfOfObjects([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>'),
    Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]),
    Buffer.from('<< /Title (bomb) >>'),
  ]);
}

async function* spaces(mebibytes: number) {
  for (let count = 0; count < mebibytes; count += 1) yield mebibyte;
}

async function* deflated(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflate({ level: 9 });
  const writing = (async () => {
    for await (const part of parts)
      if (!deflate.write(part)) await new Promise((resolve) => deflate.once('drain', resolve));
    deflate.end();
  })();
  yield* deflate as AsyncIterable<Uint8Array>;
  await writing;
}

test('a PDF that unpacks to more than the memory of its thread is refused, and the next one is read', async () => {
  const documents = createDocumentReader();
  onTestFinished(() => documents.stop());
  const read = async (source: Buffer) =>
    await documents.read({
      account: 'a',
      source,
      contentType: 'application/pdf',
      url: '',
      tokensMax: 10_000,
    });
  const bomb = await bombOf(2_048);
  ok(bomb.length < 100_000, String(bomb.length));
  const refused = await read(bomb);
  equal('reason' in refused && refused.reason, 'unreadable');
  match('error' in refused ? refused.error : '', /could not be read|takes too long|is damaged/);
  const next = await read(pdfOf(['still here']));
  deepEqual('content' in next && next.content.trim(), 'still here');
});
