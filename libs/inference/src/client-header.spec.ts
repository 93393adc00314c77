import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { clientApplication, decodeClient, encodeClient } from './index.ts';

const marks = fc.constantFrom(undefined, 'enabled', 'Enabled', 'disabled', '');
const texts = fc.option(fc.string({ maxLength: 100, unit: 'binary' }), { nil: undefined });

describe('what a client says of its application', () => {
  test('comes out of the header as it went in', () =>
    fc.assert(
      fc.property(texts, texts, texts, marks, (referer, userAgent, sessionId, metadata) => {
        const client = clientApplication({ referer, userAgent, sessionId, metadata });
        if (client) deepEqual(decodeClient(encodeClient(client)), client);
      }),
    ));

  test('is nothing when it said nothing', () => {
    equal(clientApplication({ referer: undefined, userAgent: '' }), undefined);
    deepEqual(clientApplication({ referer: 'https://app.example.com/', userAgent: undefined }), {
      referer: 'https://app.example.com/',
    });
  });

  test('is cut to a bound and has nothing that a terminal or a database would choke on', () => {
    const { userAgent = '' } =
      clientApplication({ userAgent: `a\0\u001b${'🚀'.repeat(1_000)}` }) ?? {};
    ok(userAgent.startsWith('a🚀'));
    ok(userAgent.length <= 512);
    ok(userAgent.isWellFormed());
  });

  test('names a session that is not too long, and asks for metadata in one word', () => {
    deepEqual(clientApplication({ sessionId: 's', metadata: 'ENABLED' }), {
      sessionId: 's',
      wantsMetadata: true,
    });
    equal(clientApplication({ sessionId: 's'.repeat(257), metadata: 'yes' }), undefined);
  });

  test('is not read out of what is no such header', () => {
    const odd = ['', '!', 'bnVsbA', 'MQ', encodeClient({ referer: 'x'.repeat(9_000) })];
    for (const header of [undefined, ...odd]) equal(decodeClient(header), undefined);
    const wrong = Buffer.from('{"referer":1,"userAgent":["a"]}').toString('base64url');
    equal(decodeClient(wrong), undefined);
  });
});
