import { deepEqual, equal, ok } from 'node:assert/strict';
import { status, type ServiceError } from '@grpc/grpc-js';
import { describe, test } from 'vitest';
import type { BatchAppendResp } from '@sluice/protos/event_store/client/streams';
import { noFaults } from './fault-switches.ts';
import { chunk, event, options, proposed } from './testing/requests.ts';
import { aNode, collect, failureOf } from './testing/wire.ts';

const writeTimeoutMs = 2_000;

function resultOf({ result }: BatchAppendResp): string | undefined {
  return result?.$case === 'error' ? result.value.message : result?.$case;
}

/** A node whose disk is so slow that what is sent together is on its way together. */
async function slowNode(silentDuplicates = true) {
  const faults = { ...noFaults(), syncDelayMs: 100 };
  return await aNode({ faults, silentDuplicates });
}

describe('the same events at once', () => {
  test('get one answer, and the other append of the call a timeout after the time of a write', async () => {
    const { client } = await slowNode();
    const call = client.batchAppend();
    const answers: { readonly result: string | undefined; readonly atMs: number }[] = [];
    const startedMs = performance.now();
    call.on('data', (answer: BatchAppendResp) =>
      answers.push({ result: resultOf(answer), atMs: performance.now() - startedMs }),
    );
    const ended = new Promise((resolve) => call.once('end', resolve));
    const same = chunk();
    call.write(same);
    call.write({ ...same, correlationId: chunk().correlationId });
    call.write(chunk({ proposedMessages: [proposed()] }));
    call.end();
    await ended;
    deepEqual(
      answers.map(({ result }) => result),
      ['success', 'success', 'Timeout'],
    );
    ok((answers[2]?.atMs ?? 0) >= writeTimeoutMs, JSON.stringify(answers));
  });

  test('get one answer and ABORTED in calls of their own, and are answered when they are asked again', async () => {
    const { client } = await slowNode();
    const message = event();
    const append = () =>
      new Promise<ServiceError | null>((resolve) => {
        const call = client.append((error) => resolve(error));
        call.on('error', () => {});
        call.write({ content: options() });
        call.write({ content: message });
        call.end();
      });
    const errors = await Promise.all([append(), append()]);
    const refused = errors.filter((error) => error !== null);
    equal(refused.length, 1);
    equal(refused[0]?.code, status.ABORTED);
    equal(refused[0]?.details, 'Operation timed out');
    equal(await append(), null);
  });

  test('are answered together by a node that is told to', async () => {
    const { client } = await slowNode(false);
    const call = client.batchAppend();
    const answers = collect(call);
    const same = chunk();
    call.write(same);
    call.write({ ...same, correlationId: chunk().correlationId });
    call.end();
    deepEqual((await answers).map(resultOf), ['success', 'success']);
  });

  test('do not hold up a node that stops', async () => {
    const { client, server } = await slowNode();
    const call = client.batchAppend();
    const results: (string | undefined)[] = [];
    const failed = failureOf(call);
    const first = new Promise<void>((resolve) =>
      call.on('data', (answer: BatchAppendResp) => {
        results.push(resultOf(answer));
        resolve();
      }),
    );
    const same = chunk();
    call.write(same);
    call.write({ ...same, correlationId: chunk().correlationId });
    await first;
    await server.stop();
    equal((await failed).code, status.UNAVAILABLE);
    deepEqual(results, ['success', 'Timeout']);
  });
});
