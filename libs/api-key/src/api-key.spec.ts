import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { inspectApiKey, maskApiKey, mintApiKey } from './index.ts';

const zeros = (size: number) => new Uint8Array(size);
const ones = (size: number) => new Uint8Array(size).fill(255);
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kinds = fc.constantFrom('regular' as const, 'management' as const);

describe('a minted key', () => {
  test('has the prefix of its kind and a fixed length', () => {
    match(mintApiKey('regular', randomBytes), /^sk-sluice-v1-[0-9A-Za-z]{49}$/);
    match(mintApiKey('management', randomBytes), /^mk-sluice-v1-[0-9A-Za-z]{49}$/);
    equal(mintApiKey('regular', zeros).slice(13, 56), '0'.repeat(43));
    equal(mintApiKey('regular', ones).length, 62);
  });

  test('is recognised, with the SHA-256 of the whole key as its hash', () => {
    fc.assert(
      fc.property(kinds, bytes, (kind, random) => {
        const secret = mintApiKey(kind, () => random);
        const hash = createHash('sha256').update(secret).digest('hex');
        deepEqual(inspectApiKey(secret), { kind, hash });
      }),
    );
  });

  test('differs whenever a random byte differs', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        notEqual(
          mintApiKey('regular', () => one),
          mintApiKey('regular', () => other),
        );
      }),
    );
  });
});

describe('a text that is no key', () => {
  test('is refused when any one character of a key was changed', () => {
    const secret = mintApiKey('regular', randomBytes);
    for (let index = 0; index < secret.length; index++) {
      const other = secret[index] === 'a' ? 'b' : 'a';
      const changed = secret.slice(0, index) + other + secret.slice(index + 1);
      equal(inspectApiKey(changed), undefined, `position ${index}`);
    }
  });

  test('is refused when the kind was exchanged', () => {
    equal(inspectApiKey(mintApiKey('regular', randomBytes).replace('sk', 'mk')), undefined);
  });

  test('is refused whatever it is', () => {
    const secret = mintApiKey('regular', randomBytes);
    for (const text of ['', 'sk-', secret.slice(1), `${secret}0`, ` ${secret}`, `${secret}\n`])
      equal(inspectApiKey(text), undefined, JSON.stringify(text));
    fc.assert(fc.property(fc.string(), (text) => equal(inspectApiKey(text), undefined)));
  });
});

test('a mask shows six characters of the secret at most', () => {
  const secret = mintApiKey('management', zeros);
  equal(maskApiKey(secret), `mk-sluice-v1-000...${secret.slice(-3)}`);
});
