import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, test } from 'vitest';
import { classify } from './classifier/classify.ts';
import { remoteModerator, type RemoteModeratorOptions } from './remote-moderator.ts';
import { moderatorContract } from './testing/moderator-contract.ts';

const secret = 'sk-moderation-canary';
const key = { reveal: () => secret };
const { signal } = new AbortController();

async function serving(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url, close };
}

interface Asked {
  readonly input: readonly string[];
  readonly model?: string;
}

/** An endpoint that judges with our own rules. */
const judging =
  (asked: Asked[] = []): RequestListener =>
  (request, response) => {
    void (async () => {
      const chunks = (await request.toArray()) as Buffer[];
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      asked.push(body);
      const results = body.input.map((text) => {
        const { isFlagged, reasons } = classify(text);
        const categories = { violence: reasons.includes('violence'), hate: false, illicit: null };
        return { flagged: isFlagged, categories, category_scores: { violence: 0.93, hate: 1 } };
      });
      response.end(JSON.stringify({ id: 'modr-1', model: 'm', results }));
    })();
  };

moderatorContract('an endpoint', async () => {
  const { url, close } = await serving(judging());
  return { moderator: remoteModerator({ url, key, model: undefined }), close };
});

const text = 'I will kill my neighbor';
/** Returns what one text leads to at an endpoint: the verdict, or the error. */
async function outcome(
  listener: RequestListener,
  options: Partial<RemoteModeratorOptions> = {},
): Promise<unknown> {
  const { url, close } = await serving(listener);
  const moderator = remoteModerator({ url, key, model: undefined, ...options });
  try {
    return await moderator.check([text], { account: 'a', signal });
  } catch (error) {
    return error;
  } finally {
    await close();
  }
}

const answering =
  (body: string, status = 200): RequestListener =>
  (_request, response) => {
    response.statusCode = status;
    response.end(body);
  };
const resultsOf = (...results: readonly object[]) => answering(JSON.stringify({ results }));

describe('an endpoint', () => {
  test('gets the key, the model and pieces of bounded size', async () => {
    const asked: Asked[] = [];
    const seen: unknown[] = [];
    const { url, close } = await serving((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      judging(asked)(request, response);
    });
    const moderator = remoteModerator({ url, key, model: 'omni' });
    await moderator.check(['x '.repeat(100_000), ...Array<string>(40).fill('y')], {
      account: 'a',
      signal,
    });
    await close();
    deepEqual(seen[0], ['POST', '/v1/moderations', `Bearer ${secret}`]);
    ok(asked.length > 2);
    for (const { input, model } of asked) {
      equal(model, 'omni');
      ok(input.length <= 32 && input.join('').length <= 64_000);
    }
  });

  test.each([
    [0.8, 'high'],
    [0.5, 'medium'],
    [0.2, 'low'],
    ['much', 'medium'],
    [7, 'medium'],
  ])('with the score %s is sure: %s', async (score, confidence) => {
    const categories = { violence: true, 'self-harm/intent': true, hate: false };
    const listener = resultsOf({ flagged: true, categories, category_scores: { violence: score } });
    const reasons = ['violence', 'self-harm/intent'];
    deepEqual(await outcome(listener), [{ isFlagged: true, reasons, confidence }]);
  });

  test('that names no category, or strange ones, flags without them', async () => {
    const flagged = [{ isFlagged: true, reasons: ['unspecified'], confidence: 'medium' }];
    deepEqual(await outcome(resultsOf({ flagged: true })), flagged);
    const categories = { '<script>': true, ['x'.repeat(100)]: true, violence: 'yes' };
    deepEqual(await outcome(resultsOf({ flagged: true, categories })), flagged);
  });

  test.each<[string, RequestListener]>([
    ['with 500', answering(`${secret} ${text}`, 500)],
    ['with 401', answering(`${secret} ${text}`, 401)],
    ['with 429', answering('{}', 429)],
    ['no JSON', answering(`<html>${secret} ${text}`)],
    ['no object', answering('[]')],
    ['without results', answering('{}')],
    ['with a result too few', resultsOf()],
    ['with a result too many', resultsOf({ flagged: false }, { flagged: false })],
    ['without flagged', resultsOf({ categories: {} })],
    ['with a word for flagged', resultsOf({ flagged: 'no' })],
    ['with 2 MiB', answering(`{"results":[{"flagged":false}],"x":"${'x'.repeat(2_097_152)}"}`)],
    ['nothing, and hangs up', (request) => request.socket.destroy()],
    [
      'half, and hangs up',
      (request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"results":', () => request.socket.destroy());
      },
    ],
    ['with another address', (_, response) => response.writeHead(302, { location: '/x' }).end()],
  ])('that answers %s is a fault, which shows nothing', async (_, listener) => {
    const error = await outcome(listener);
    ok(error instanceof Error && 'code' in error && error.code === 'moderation_unavailable');
    const shown = inspect(error, { depth: 10 }) + JSON.stringify(error);
    ok(!shown.includes(secret) && !shown.includes('neighbor'), shown);
  });

  test.each<[string, RequestListener]>([
    ['never', () => undefined],
    ['without an end', (_, response) => void response.write('{"results":')],
  ])('that answers %s is a fault at the deadline', async (_, listener) => {
    const error = await outcome(listener, { deadlineMs: 50 });
    ok(error instanceof Error && 'code' in error && error.code === 'moderation_unavailable');
    equal((error.cause as Error).message, 'the moderation endpoint is late');
  });

  test('that is not there is a fault', async () => {
    const { url, close } = await serving(() => undefined);
    await close();
    const error = await remoteModerator({ url, key, model: undefined })
      .check([text], { account: 'a', signal })
      .catch((reason: unknown) => reason);
    ok(error instanceof Error && 'code' in error && error.code === 'moderation_unavailable');
  });

  test('is not opened with a key that would show in an error', () => {
    const broken = { reveal: () => 'sk-canary\n' };
    throws(
      () => remoteModerator({ url: 'http://127.0.0.1', key: broken, model: undefined }),
      (error) => !inspect(error).includes('canary'),
    );
  });
});
