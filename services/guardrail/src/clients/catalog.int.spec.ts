import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { internalHttp } from '@sluice/inference-port';
import { describe, test } from 'vitest';
import { listedModels } from './catalog.ts';
import { listsOverHttp } from './lists-over-http.ts';

const token = 'a-token';
const models = [
  { id: 'mine/one', canonical_slug: 'mine/one-2026-01-31' },
  { id: 'mine/two', canonical_slug: 'mine/two' },
];

/** Answers as routing's internal server does; whatever was asked for. */
async function routing(answers: Readonly<Record<string, object>>) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const isKnown = request.headers[internalHttp.tokenHeader] === token;
    const answer = isKnown ? answers[request.url ?? ''] : undefined;
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { url, asked, stop: () => server.close() };
}

describe('what can be named in a guardrail', () => {
  test('is what routing lists, the providers that only this installation has included', async () => {
    const server = await routing({
      [internalHttp.modelsPath]: { data: models },
      [`${internalHttp.catalogPath}providers`]: { data: [{ slug: 'mine', name: 'Mine' }] },
    });
    try {
      const known = await listedModels(listsOverHttp({ url: server.url, token })).models();
      deepEqual(
        ['mine/one', 'mine/one-2026-01-31', 'mine/three'].map((slug) => known.canonical(slug)),
        ['mine/one-2026-01-31', 'mine/one-2026-01-31', undefined],
      );
      deepEqual(
        ['mine', 'simulator', 'nobodys', 'constructor'].map((slug) => known.hasProvider(slug)),
        [true, true, false, false],
      );
      equal(server.asked.length, 2);
    } finally {
      server.stop();
    }
  });

  test('is not known while routing lacks one of its lists', async () => {
    const server = await routing({ [internalHttp.modelsPath]: { data: models } });
    try {
      const catalog = listedModels(listsOverHttp({ url: server.url, token }));
      await rejects(catalog.models(), { code: 'unavailable' });
    } finally {
      server.stop();
    }
    const nobody = listedModels(listsOverHttp({ url: server.url, token }));
    await rejects(nobody.models(), { code: 'unavailable' });
  });
});
