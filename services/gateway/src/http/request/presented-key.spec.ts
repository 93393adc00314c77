import { randomBytes } from 'node:crypto';
import { deepEqual, equal } from 'node:assert/strict';
import { Socket } from 'node:net';
import { inspectApiKey, mintApiKey } from '@sluice/api-key';
import { describe, test } from 'vitest';
import { presentedKey } from './presented-key.ts';

describe('a connection', () => {
  test('may present another key with each request, and no key of before counts', () => {
    const socket = new Socket();
    const [one, other] = [
      mintApiKey('regular', randomBytes),
      mintApiKey('management', randomBytes),
    ];
    for (const secret of [one, one, other, one, other, other]) {
      const presented = presentedKey(`Bearer ${secret}`, socket);
      deepEqual([presented?.secret, presented?.hash], [secret, inspectApiKey(secret)?.hash]);
      equal(presentedKey(`Bearer ${secret}0`, socket), undefined);
      equal(presentedKey('Bearer', socket), undefined);
    }
  });

  test('says nothing of what another one presents', () => {
    const secret = mintApiKey('regular', randomBytes);
    presentedKey(`Bearer ${secret}`, new Socket());
    equal(presentedKey(`Bearer ${secret.slice(0, -1)}`, new Socket()), undefined);
  });
});
