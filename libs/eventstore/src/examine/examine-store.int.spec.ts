import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreServer, type EventStoreServer } from '@sluice/eventstore-server';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectEventStore } from '../connect.ts';
import { startRestrictedNode } from '../testing/restricted-node.ts';
import { examineStore } from './examine-store.ts';

let directory: string;
let server: EventStoreServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-examine-'));
  server = await startEventStoreServer({ directory, port: 0 });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const granted = { kind: 'granted' };
const problemsOf = async (url: string) =>
  (await examineStore(url, 'doctor-1')).hosts.map(({ problem }) => problem);

describe('the examination of an event store', () => {
  test('finds what it can do, and writes one event into the stream that it was given', async () => {
    const { hosts, asked, user, tls } = await examineStore(server.url, 'sluice.doctor-1');
    deepEqual([user, tls, hosts.map(({ problem }) => problem)], ['admin', true, [undefined]]);
    ok((hosts[0]?.validUntil ?? 0) > new Date());
    ok(asked?.version);
    equal(asked.members.length, 1);
    const { append, readAll, subscribeAll, clockAheadMs } = asked.rights ?? {};
    deepEqual([append, readAll, subscribeAll, clockAheadMs], [granted, granted, granted, 0]);
    const store = await connectEventStore({ url: server.url, namespace: '' });
    try {
      equal((await Array.fromAsync(store.read('sluice.doctor-1'))).length, 1);
    } finally {
      await store.stop();
    }
  });

  test('tells a wrong password from a right that is missing', async () => {
    const wrong = await examineStore(server.url.replace(/:[^:@]+@/, ':wrong-password@'), 'a-1');
    deepEqual([wrong.asked?.version, wrong.asked?.reason], [undefined, 'wrong_credentials']);
    const without = await examineStore(server.url.replace(/\/\/[^@]+@/, '//'), 'a-1');
    const denied = { kind: 'no_right' };
    deepEqual([without.asked?.rights?.append, without.asked?.rights?.readAll], [denied, denied]);
    const node = await startRestrictedNode();
    try {
      const url = `esdb://127.0.0.1:${node.port}?tls=false`;
      const { asked } = await examineStore(url, 'a-1');
      const { append, readAll, subscribeAll } = asked?.rights ?? {};
      deepEqual([append, readAll, subscribeAll], [granted, denied, denied]);
    } finally {
      node.stop();
    }
  });

  test('says why a host is not reached', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'));
    const node = await startRestrictedNode();
    try {
      deepEqual(await problemsOf(`esdb://localhost:${port}?tls=true`), ['untrusted']);
      deepEqual(await problemsOf(`esdb://localhost:${node.port}?tls=true`), ['no_tls']);
      deepEqual(await problemsOf('esdb://no-such-host.invalid,127.0.0.1:1?tls=true'), [
        'unknown_name',
        'refused',
      ]);
    } finally {
      node.stop();
    }
  });

  test('says so when a server that asks for TLS is asked without', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'));
    const { asked } = await examineStore(`esdb://localhost:${port}?tls=false`, 'a-1');
    equal(asked?.version, undefined);
    ok(asked?.reason);
  });
});
