import { deepEqual, equal, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { channelCredentials, clientSettings } from './client-settings.ts';
import { parseStoreAddress } from './store-address.ts';

const secret = 'hunter2';

function addressWith(options: string) {
  const address = parseStoreAddress(`esdb://user:${secret}@a?${options}`);
  if (!address) throw new Error('It is a connection string');
  return address;
}

function aFile(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'file.pem');
  writeFileSync(path, content);
  return path;
}

describe('the settings of a connection string', () => {
  test.for([
    ['tls=true', {}],
    [
      'keepAliveInterval=20000&keepAliveTimeout=-1',
      { keepAliveInterval: 20_000, keepAliveTimeout: -1 },
    ],
    ['keep_alive-interval=12000', { keepAliveInterval: 12_000 }],
    [
      'maxDiscoverAttempts=3&discoveryInterval=50&gossipTimeout=2',
      { maxDiscoverAttempts: 3, discoveryInterval: 50, gossipTimeout: 2 },
    ],
    [
      'defaultDeadline=700&connectionName=one%20name',
      { defaultDeadline: 700, connectionName: 'one name' },
    ],
    ['nodePreference=readOnlyReplica', { nodePreference: 'read_only_replica' }],
    ['NodePreference=Follower', { nodePreference: 'follower' }],
    ['tlsVerifyCert=true&throwOnAppendFailure=true&somethingElse=1', {}],
  ] as const)('%s are those of the client', ([options, settings]) =>
    deepEqual(clientSettings(addressWith(options)), settings),
  );

  test.for([
    ['keepAliveInterval=soon', /^keepAliveInterval of the event store URL/],
    ['gossipTimeout=1.5', /^gossipTimeout of/],
    ['maxDiscoverAttempts=9999999999', /^maxDiscoverAttempts of/],
    ['nodePreference=nearest', /^nodePreference of .* none of leader/],
  ] as const)('%s is refused by its name', ([options, message]) =>
    throws(
      () => clientSettings(addressWith(options)),
      (error) => {
        const { code, message: text } = error as { code: string; message: string };
        return code === 'event_store_unavailable' && message.test(text) && !text.includes(secret);
      },
    ),
  );
});

describe('the files of a connection string', () => {
  test('are read', () => {
    const [ca, certificate, key] = [aFile('ca'), aFile('certificate'), aFile('key')];
    const read = channelCredentials(
      addressWith(`tlsCAFile=${ca}&userCertFile=${certificate}&userKeyFile=${key}`),
    );
    equal(read.rootCertificate?.toString(), 'ca');
    equal(read.userCertFile?.toString(), 'certificate');
    equal(read.userKeyFile?.toString(), 'key');
  });

  test('are not looked for without TLS', () =>
    deepEqual(channelCredentials(addressWith('tls=false&tlsCAFile=/nowhere')), { insecure: true }));

  test.for([
    'userCertFile=/nowhere/c.pem',
    'userKeyFile=/nowhere/k.pem',
    'userCertFile=/nowhere/c.pem&userKeyFile=/nowhere/k.pem',
  ])('%s is refused', (options) =>
    throws(() => channelCredentials(addressWith(options)), {
      code: 'event_store_unavailable',
      message: /^userCertFile of the event store URL/,
    }),
  );
});
