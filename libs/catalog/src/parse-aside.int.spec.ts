import { deepEqual, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCatalogFile } from './file.ts';
import { parseAside } from './parse-aside.ts';

const models = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `- { id: mine/m${index}, provider: mine, upstream_model: m, pricing: { prompt: '0', completion: '1' } }`,
  );
const text = (count: number) => `models:\n${models(count).join('\n')}\n`;

describe('a catalog file in a thread of its own', () => {
  test('says the same as here', async () => {
    deepEqual(await parseAside(text(3)), parseCatalogFile(text(3)));
    deepEqual(await parseAside(''), {});
  });

  test('leaves this one to its requests', async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    try {
      const { models: read = [] } = await parseAside(text(2_000));
      ok(read.length === 2_000 && turns > 10, String(turns));
    } finally {
      clearInterval(turning);
    }
  });

  test('is refused as it is here, and where it cannot be read in time', async () => {
    await rejects(parseAside('models: [{ id: nonsense }]'), {
      name: 'InvalidCatalog',
      message: /models\[0\]\.id/,
    });
    await rejects(parseAside('a: ['), { name: 'InvalidCatalog', message: /^Catalog: .*line 1/ });
    await rejects(parseAside(text(2_000), 1), {
      name: 'InvalidCatalog',
      message: /aborted/,
    });
  });
});
