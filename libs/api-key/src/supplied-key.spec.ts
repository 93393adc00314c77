import { deepEqual, equal } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'vitest';
import { inspectApiKey, mintApiKey } from './api-key.ts';
import {
  hashOfSuppliedKey,
  inspectPresentedKey,
  isSuppliedKey,
  maskSuppliedKey,
} from './supplied-key.ts';

const secret = randomBytes(32).toString('base64url');

describe('a supplied key', () => {
  test('is any printable text of 32 characters and more that is random enough', () => {
    for (const text of [secret, randomBytes(16).toString('hex'), `${secret}!`.padEnd(512, secret)])
      equal(isSuppliedKey(text), true, text);
  });

  test.each([
    ['too short', secret.slice(0, 31)],
    ['too long', secret.padEnd(513, secret)],
    ['one character over and over', 'a'.repeat(64)],
    ['few characters over and over', 'abc'.repeat(16)],
    ['broken by a space', `${secret} ${secret}`],
    ['not ASCII', `${secret}é`],
    ['empty', ''],
    ['in our own form', mintApiKey('regular', randomBytes)],
    ['in our own form, mistyped', `${mintApiKey('management', randomBytes).slice(0, -1)}-`],
  ])('is refused when it is %s', (_why, text) => equal(isSuppliedKey(text), false));

  test('is shown by three characters of either end', () =>
    equal(maskSuppliedKey('abcdefghijklmnopqrstuvwxyz0123456789'), 'abc...789'));
});

describe('what a caller presents', () => {
  test('is recognised in either form', () => {
    const minted = mintApiKey('management', randomBytes);
    deepEqual(inspectPresentedKey(minted), inspectApiKey(minted));
    const hash = hashOfSuppliedKey(secret);
    deepEqual(inspectPresentedKey(secret), { kind: 'regular', hash });
  });

  test('is refused without a look-up when it is a mistyped key of ours, or neither form', () => {
    const minted = mintApiKey('regular', randomBytes);
    const last = minted.endsWith('a') ? 'b' : 'a';
    for (const text of [`${minted.slice(0, -1)}${last}`, 'hello', ''])
      equal(inspectPresentedKey(text), undefined, text);
  });
});
