import { deepEqual, rejects } from 'node:assert/strict';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { expect, onTestFinished, test } from 'vitest';
import { catalogRpc } from './catalog-rpc.ts';

const token = 'a-token';

async function asked(catalog: Parameters<typeof catalogRpc>[0]) {
  const server = await startRpcServer({
    services: [catalogRpc(catalog)],
    address: '127.0.0.1:0',
    token,
    onBug: (error) => expect.fail(String(error)),
  });
  const clientWith = (given: string) => {
    const { address } = server;
    const client = rpcClient(CatalogServiceService, { address, token: given, deadlineMs: 5_000 });
    onTestFinished(() => client.close());
    return client;
  };
  onTestFinished(() => server.stop());
  return { client: clientWith(token), stranger: clientWith('another') };
}

test('the names that the catalog has are found, as it is at that time', async () => {
  const mine = sampleModel('mine/one', {
    canonicalSlug: 'mine/one-2026-01-31',
    endpoints: [sampleEndpoint('mine/one', 'mine')],
  });
  const hidden = sampleModel('mine/two', {
    endpoints: [sampleEndpoint('mine/two', 'theirs', { isHidden: true })],
  });
  const catalog = { listed: [mine, hidden] };
  const { client } = await asked(catalog);
  const names = {
    models: ['mine/one', 'mine/one-2026-01-31', 'mine/two', 'mine/three', 'constructor'],
    providers: ['mine', 'simulator', 'theirs', 'nobodys', 'constructor'],
  };
  deepEqual(await client.findNames(names), {
    models: [
      { name: 'mine/one', canonicalSlug: 'mine/one-2026-01-31' },
      { name: 'mine/one-2026-01-31', canonicalSlug: 'mine/one-2026-01-31' },
    ],
    providers: ['mine', 'simulator', 'theirs'],
  });
  catalog.listed = [];
  deepEqual(await client.findNames(names), { models: [], providers: ['simulator'] });
});

test('another token is refused', async () => {
  const { stranger } = await asked({ listed: [] });
  await rejects(stranger.findNames({ models: [], providers: [] }), {
    code: 'authentication_invalid',
  });
});
