import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { clientApplication, decodeClient, encodeClient } from './index.ts';

const marks = fc.constantFrom(undefined, 'enabled', 'Enabled', 'disabled', '');
const lists = fc.constantFrom(undefined, '', 'game', 'legal,game', 'prompt-caching-2024-07-31');
const texts = fc.option(fc.string({ maxLength: 100, unit: 'binary' }), { nil: undefined });

describe('what a client says of its application', () => {
  test('comes out of the header as it went in', () =>
    fc.assert(
      fc.property(
        fc.record({
          referer: texts,
          title: texts,
          categories: lists,
          userAgent: fc.oneof(texts, fc.constantFrom('codex_exec/1', 'claude-cli/2', 'node')),
          originator: fc.constantFrom(undefined, 'codex_exec', 'somebody'),
          sessionId: texts,
          metadata: marks,
          anthropicBeta: lists,
          unsupportedFeatures: fc.constantFrom(undefined, 'strict', 'Lenient', 'x'),
          cache: fc.constantFrom(undefined, 'true', 'False', '1', ''),
          cacheTtl: fc.oneof(texts, fc.constantFrom('60', '0', '-3', '1e9', '99999999')),
          cacheClear: fc.constantFrom(undefined, 'true', 'no'),
        }),
        (headers) => {
          const client = clientApplication(headers);
          if (client) deepEqual(decodeClient(encodeClient(client)), client);
        },
      ),
    ));

  test('names an application by its referer, with its title and two known categories', () => {
    const referer = 'https://app.example.com/';
    const categories = 'Game, ide-extension,unheard-of,,cli-agent, ide-extension,legal';
    const told = { title: 'My\u0007 app', categories };
    deepEqual(clientApplication({ referer, ...told }), {
      referer,
      title: 'My app',
      categories: ['ide-extension', 'cli-agent'],
    });
    equal(clientApplication(told), undefined);
    equal(clientApplication({ referer: '\u0007', ...told }), undefined);
    deepEqual(clientApplication({ referer, categories: 'a,'.repeat(9_000) }), { referer });
  });

  test("asks for those of Anthropic's features that cost nothing besides tokens", () => {
    const asked = 'mcp-client-2025-04-04, interleaved-thinking-2025-05-14,x\r\ny: z';
    deepEqual(clientApplication({ anthropicBeta: asked }), {
      anthropicBetas: ['interleaved-thinking-2025-05-14'],
    });
    equal(clientApplication({ anthropicBeta: 'code-execution-2025-05-22' }), undefined);
  });

  test('says in one of two words what happens to features that nothing serves', () => {
    deepEqual(clientApplication({ unsupportedFeatures: 'STRICT' }), {
      unsupportedFeatures: 'strict',
    });
    equal(clientApplication({ unsupportedFeatures: 'none' }), undefined);
  });

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

  test('withholds its contents by any word but true, and across two processes', () => {
    for (const logContent of ['false', 'FALSE', '0', 'no', '', 'false, false', 'true, false']) {
      const client = clientApplication({ logContent });
      deepEqual(client, { withholdsContents: true }, logContent);
      deepEqual(decodeClient(encodeClient(client)), client);
    }
    for (const logContent of [undefined, 'true', 'True'])
      equal(clientApplication({ logContent }), undefined);
  });

  test('is not read out of what is no such header', () => {
    const odd = ['', '!', 'bnVsbA', 'MQ', encodeClient({ referer: 'x'.repeat(9_000) })];
    for (const header of [undefined, ...odd]) equal(decodeClient(header), undefined);
    const wrong = Buffer.from('{"referer":1,"userAgent":["a"]}').toString('base64url');
    equal(decodeClient(wrong), undefined);
  });
});
