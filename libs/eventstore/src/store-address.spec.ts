import { deepEqual, equal, ok } from 'node:assert/strict';
import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, test } from 'vitest';
import { parseStoreAddress } from './store-address.ts';

const one = { host: 'a', port: 2113 };

describe('a connection string', () => {
  test.for([
    ['esdb://a:1?tls=false', { hosts: [{ host: 'a', port: 1 }], tls: false }],
    ['esdb://u:p%40ss@a', { credentials: { username: 'u', password: 'p@ss' } }],
    [
      'esdb://u:p@a,b:2,c.example:3?tls=true',
      {
        hosts: [one, { host: 'b', port: 2 }, { host: 'c.example', port: 3 }],
        discovers: true,
        credentials: { username: 'u', password: 'p' },
      },
    ],
    ['esdb+discover://a', { discovers: true }],
    ['esdb://u:p/a?b@a', { credentials: { username: 'u', password: 'p/a?b' } }],
    ['esdb://a?tls=true&tlsCAFile=/etc/the%20ca.crt', { caFile: '/etc/the ca.crt' }],
    ['esdb://a/?TLS_CA-file=ca.crt&connectionName=x', { caFile: 'ca.crt' }],
  ] as const)('%s says where the store is', ([url, parts]) => {
    const plain = { discovers: false, credentials: undefined, tls: true, caFile: undefined };
    const { options, ...read } = parseStoreAddress(url) ?? {};
    ok(options);
    deepEqual(read, { hosts: [one], ...plain, ...parts });
  });

  test.for([
    'esdb://a:1,b:2?tls=false',
    'esdb://u:p@a,b,c?tls=false',
    'esdb+discover://a?tls=false',
  ])('%s is one for the client as well', (url) => void EventStoreDBClient.connectionString(url));

  test.for([
    '',
    'esdb://',
    'http://a',
    'postgres://a',
    'esdb://a:b:c',
    'esdb://a:70000',
    'esdb://a,,b',
    'esdb://a?tls',
    'esdb://%zz:p@a',
  ])('%s is none', (text) => equal(parseStoreAddress(text), undefined));
});
