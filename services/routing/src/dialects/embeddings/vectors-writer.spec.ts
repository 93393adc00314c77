import { deepEqual, equal, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { EmbeddingVector } from '@sluice/inference';
import { wholeText } from '@sluice/inference-port';
import { describe, test } from 'vitest';
import { settlement } from '../testing/write-answer.ts';
import { VectorsWriter } from './vectors-writer.ts';

const head = {
  name: '1',
  model: 'a/"b"',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};

function written(vectors: readonly EmbeddingVector[], isBase64: boolean) {
  const writer = new VectorsWriter(head, { isBase64 });
  writer.write([{ type: 'embeddings', vectors }]);
  const body = writer.end({ ...settlement, usage: undefined });
  equal(writer.status, 'completed');
  return body;
}

const list = (embeddings: readonly unknown[]) => ({
  object: 'list',
  id: 'gen-1',
  model: 'a/"b"',
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
});

const base64Of = (numbers: readonly number[]) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

/** So many vectors of 1,024 numbers that 32 bits have exactly. */
const vectorsOf = (count: number) =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: 1_024 }, (_number, column) => (row - column) / 4_096),
  );

describe('the answer of few vectors', () => {
  test.each([false, true])('is one text, from either form: base64 %s', (isBase64) => {
    const numbers = [0.5, -1.25, 3e-5];
    const floats = [...Float32Array.from(numbers)];
    const expected = isBase64 ? base64Of(numbers) : floats;
    const text = written([floats, base64Of(numbers)], isBase64);
    ok(typeof text === 'string');
    deepEqual(JSON.parse(text), list([expected, expected]));
  });

  test('may be without any', async () => {
    deepEqual(JSON.parse(await wholeText(written([], false))), list([]));
  });
});

describe('the answer of many vectors', () => {
  test.each([false, true])('is whole, in pieces, from base64: base64 %s', async (isBase64) => {
    const vectors = vectorsOf(500);
    const body = written(vectors.map(base64Of), isBase64);
    ok(typeof body !== 'string');
    const expected = list(isBase64 ? vectors.map(base64Of) : vectors);
    deepEqual(JSON.parse(await wholeText(body)), expected);
  });

  test('leaves an event loop tick to other requests between two pieces', async () => {
    const body = written(vectorsOf(500), false);
    ok(typeof body !== 'string');
    let ticks = 0;
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) {
        await setImmediate();
        ticks += 1;
      }
    })();
    let pieces = 0;
    for await (const piece of body) {
      pieces += 1;
      ok(piece.byteLength < 512 * 1024);
    }
    over.abort();
    await others;
    ok(pieces > 5, String(pieces));
    ok(ticks >= pieces - 1, `${String(ticks)} ticks for ${String(pieces)} pieces`);
  });
});
