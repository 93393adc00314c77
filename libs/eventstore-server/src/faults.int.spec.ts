import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { status, type ServiceError } from '@grpc/grpc-js';
import { describe, onTestFinished, test } from 'vitest';
import { Timeout } from '@sluice/protos/event_store/client/shared';
import type { AppendResp, BatchAppendResp } from '@sluice/protos/event_store/client/streams';
import { noFaults, type ElectionRefusal } from './index.ts';
import { chunk, event, options, proposed, readRequest } from './testing/requests.ts';
import { aNode, batchAppend, collect, failureOf } from './testing/wire.ts';

const farAwayMs = 3_600_000;
/** A node that answers does it much sooner. */
const silenceMs = 300;

type Client = Awaited<ReturnType<typeof aNode>>['client'];

async function aFaultyNode() {
  const faults = noFaults();
  return { faults, ...(await aNode({ faults })) };
}

function plainAppend(client: Client, message = proposed()) {
  const { promise, resolve } = Promise.withResolvers<ServiceError | AppendResp | undefined>();
  const call = client.append((error, response) => resolve(error ?? response));
  for (const content of [options(), event(message)]) call.write({ content });
  call.end();
  return { call, answer: promise };
}

const plainFailure = async (client: Client) => (await plainAppend(client).answer) as ServiceError;

async function storedCount(client: Client): Promise<number> {
  const messages = await collect(client.read(readRequest({})));
  return messages.filter(({ content }) => content?.$case === 'event').length;
}

/** A batch call that stays open. */
function batchCall(client: Client) {
  const call = client.batchAppend();
  const answers: BatchAppendResp[] = [];
  call.on('data', (answer: BatchAppendResp) => answers.push(answer));
  const ended = failureOf(call);
  onTestFinished(() => call.cancel());
  return { call, answers, ended };
}

describe('an election', () => {
  const cases: readonly (readonly [ElectionRefusal, string, status, string])[] = [
    ['not_ready', 'Server Is Not Ready', status.UNAVAILABLE, 'Server Is Not Ready'],
    ['busy', 'Server Is Busy', status.UNAVAILABLE, 'Server Is Too Busy'],
    [
      'no_leader',
      'No leader info available in response',
      status.UNKNOWN,
      'No leader info available in response',
    ],
  ];
  test.each(cases)(
    '(%s) refuses an append in a batch without a code, other calls with one',
    async (electionRefusal, batched, code, plain) => {
      const { client, faults } = await aFaultyNode();
      Object.assign(faults, { electionRefusal, electionUntilMs: Date.now() + farAwayMs });
      const { result } = await batchAppend(client, [chunk()]);
      ok(result?.$case === 'error');
      equal(result.value.code, status.OK);
      equal(result.value.message, batched);
      equal(result.value.details?.typeUrl, 'type.googleapis.com/event_store.client.Empty');
      for (const error of [
        await plainFailure(client),
        await failureOf(client.read(readRequest({}))),
      ])
        deepEqual([error.code, error.details], [code, plain]);
      faults.electionUntilMs = 0;
      equal(await storedCount(client), 0);
    },
  );

  test('ends by itself, and the batch call goes on', async () => {
    const { client, faults } = await aFaultyNode();
    const { call, answers } = batchCall(client);
    faults.electionUntilMs = Date.now() + 200;
    while (!answers.some(({ result }) => result?.$case === 'success')) {
      call.write(chunk());
      await delay(20);
    }
    equal(answers[0]?.result?.$case, 'error');
  });

  test('lets a subscription go on', async () => {
    const { client, faults } = await aFaultyNode();
    const countOption = { $case: 'subscription', value: {} } as const;
    const subscription = client.read(readRequest({ countOption }));
    onTestFinished(() => subscription.cancel());
    subscription.on('error', () => {});
    const caughtUp = new Promise<void>((resolve) =>
      subscription.on('data', ({ content }: { content?: { $case: string } }) => {
        if (content?.$case === 'event') resolve();
      }),
    );
    const { call } = batchCall(client);
    call.write(chunk());
    await caughtUp;
    faults.electionUntilMs = Date.now() + farAwayMs;
    equal((await failureOf(client.read(readRequest({})))).code, status.UNAVAILABLE);
    equal(subscription.destroyed, false);
  });

  test('of another leader ends an open batch call, with its address', async () => {
    const { client, faults } = await aFaultyNode();
    const { call, answers, ended } = batchCall(client);
    call.write(chunk());
    while (answers.length === 0) await delay(5);
    faults.notLeader = { host: 'node2.example', port: 2_113 };
    call.write(chunk());
    const error = await ended;
    deepEqual([error.code, error.details], [status.NOT_FOUND, 'Leader info available']);
    deepEqual(
      ['exception', 'leader-endpoint-host', 'leader-endpoint-port'].map(
        (key) => error.metadata.get(key)[0],
      ),
      ['not-leader', 'node2.example', '2113'],
    );
    equal(await storedCount(client), 1);
  });
});

describe('an append that times out', () => {
  test('is written: the same ids are a success afterwards', async () => {
    const { client, faults } = await aFaultyNode();
    Object.assign(faults, { timedOutAppends: 1, timedOutAppendMs: 0 });
    const message = chunk();
    const { result } = await batchAppend(client, [message]);
    ok(result?.$case === 'error');
    equal(result.value.code, status.DEADLINE_EXCEEDED);
    equal(result.value.message, 'Timeout');
    deepEqual(Timeout.decode(result.value.details?.value ?? Buffer.from('no')), {});
    const again = await batchAppend(client, [message]);
    ok(again.result?.$case === 'success');
    equal(await storedCount(client), 1);
  });

  test('takes as long as a real node does, unless it is told to answer at once', async () => {
    const { client, faults } = await aFaultyNode();
    faults.timedOutAppends = 2;
    const startedMs = performance.now();
    const [error] = await Promise.all([plainFailure(client), batchAppend(client, [chunk()])]);
    ok(performance.now() - startedMs >= 1_990);
    deepEqual([error.code, error.details], [status.ABORTED, 'Operation timed out']);
    equal(await storedCount(client), 2);
  });
});

describe('an append without an answer', () => {
  test('is written, in a batch and alone, and the call goes on', async () => {
    const { client, faults } = await aFaultyNode();
    faults.unansweredAppends = 2;
    const { call, answers } = batchCall(client);
    const first = chunk();
    call.write(first);
    const { call: alone, answer } = plainAppend(client);
    while (faults.unansweredAppends > 0) await delay(5);
    const next = chunk();
    call.write(next);
    while (answers.length === 0) await delay(5);
    deepEqual(answers[0]?.correlationId, next.correlationId);
    equal(await Promise.race([answer, delay(silenceMs, 'silence')]), 'silence');
    alone.cancel();
    equal(((await answer) as ServiceError).code, status.CANCELLED);
    equal(await storedCount(client), 3);
  });
});

describe('a frozen node', () => {
  test('takes calls and answers nothing, and goes on where it was', async () => {
    const { client, faults } = await aFaultyNode();
    const { call, answers } = batchCall(client);
    call.write(chunk());
    while (answers.length === 0) await delay(5);
    faults.frozenUntilMs = Date.now() + farAwayMs;
    const reading = collect(client.read(readRequest({})));
    const messages = [chunk(), chunk()];
    for (const message of messages) call.write(message);
    const appending = plainAppend(client).answer;
    const silence = delay(silenceMs, 'silence');
    equal(await Promise.race([reading, appending, silence]), 'silence');
    equal(answers.length, 1);
    faults.frozenUntilMs = 0;
    ok((await reading).length > 0);
    ok(!((await appending) instanceof Error));
    while (answers.length < 3) await delay(5);
    deepEqual(
      answers.slice(1).map(({ correlationId }) => correlationId),
      messages.map(({ correlationId }) => correlationId),
    );
    equal(await storedCount(client), 4);
  });

  test('holds what it was about to send, in its order', async () => {
    const { client, faults } = await aFaultyNode();
    const proposedMessages = Array.from({ length: 50 }, (_, n) => proposed(`{"n":${n}}`));
    await batchAppend(client, [chunk({ proposedMessages })]);
    const countOption = { $case: 'subscription', value: {} } as const;
    const subscription = client.read(readRequest({ countOption }));
    onTestFinished(() => subscription.cancel());
    const seen: string[] = [];
    subscription.on('error', () => {});
    subscription.on('data', ({ content }: { content?: { $case: string; value: unknown } }) => {
      if (content?.$case !== 'event') return;
      const { event: told } = content.value as { event?: { data: Buffer } };
      seen.push(told?.data.toString() ?? '');
    });
    while (seen.length < 50) await delay(5);
    faults.syncDelayMs = 100;
    const appending = batchAppend(client, [chunk({ proposedMessages: [proposed('{"n":50}')] })]);
    await delay(20);
    faults.frozenUntilMs = Date.now() + farAwayMs;
    equal(await Promise.race([appending, delay(silenceMs, 'silence')]), 'silence');
    equal(seen.length, 50);
    faults.frozenUntilMs = 0;
    await appending;
    while (seen.length < 51) await delay(5);
    deepEqual(
      seen,
      Array.from({ length: 51 }, (_, n) => `{"n":${n}}`),
    );
  });
});
