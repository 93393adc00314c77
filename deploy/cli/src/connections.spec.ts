import { equal, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'vitest';
import type { Environment } from './connections-file.ts';
import { findConnections } from './connections.ts';

const env = {
  SLUICE_POSTGRES_URL: 'postgres://a:secret@127.0.0.1:5432/b',
  SLUICE_EVENTSTORE_URL: 'esdb://admin:secret@127.0.0.1:2113?tls=false',
};

const find = (given: Environment) => findConnections(given, 'postgresUrl', 'eventStoreUrl');

describe('the connections', () => {
  test.for([
    'esdb://admin:secret@a:2113,b:2113,c:2113?tls=true&tlsCAFile=/authority/ca.crt',
    'esdb://a,b,c?tls=false',
    'esdb+discover://admin:secret@cluster.example:2113',
  ])('take an event store of several hosts: %s', async (url) => {
    const found = await find({ ...env, SLUICE_EVENTSTORE_URL: url });
    equal(found.eventStoreUrl.reveal(), url);
    const alone = await findConnections({ SLUICE_EVENTSTORE_URL: url }, 'eventStoreUrl');
    equal(alone.eventStoreUrl.reveal(), url);
  });

  test('come from the environment, and nothing shows their passwords', async () => {
    const connections = await find(env);
    equal(connections.postgresUrl.reveal(), env.SLUICE_POSTGRES_URL);
    equal(connections.eventStoreUrl.reveal(), env.SLUICE_EVENTSTORE_URL);
    equal(inspect(connections).includes('secret'), false);
  });

  for (const [what, wrong] of [
    ['is of something else', 'mysql://a:secret@b/c'],
    ['is none', 'secret'],
  ] as const)
    test(`are refused when a URL ${what}, without showing it`, async () => {
      await rejects(find({ ...env, SLUICE_POSTGRES_URL: wrong }), {
        message: 'SLUICE_POSTGRES_URL is not a URL that begins with postgres://.',
      });
      await rejects(find({ ...env, SLUICE_EVENTSTORE_URL: wrong }), {
        message: 'SLUICE_EVENTSTORE_URL is not a URL that begins with esdb://.',
      });
    });
});
