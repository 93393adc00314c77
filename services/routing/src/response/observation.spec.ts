import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { contentErrorOf, observationOf as decide } from './observation.ts';

type Planned = Parameters<typeof decide>[1];
type Call = Parameters<typeof decide>[0];

const principal = { accountId: 'a', workspaceId: 'w', keyHash: `00000000002a${'e'.repeat(52)}` };
const observationOf = (call: Partial<Call>, asked: Planned, id = 'gen-1') =>
  decide({ principal, ...call } as unknown as Call, asked, id);

function planned({
  observation = 'contents',
  zdr = false,
  guardrails = [],
  contentLogging,
  sessionId,
  trace = '',
  ...rest
}: object & Record<string, unknown> = {}) {
  return {
    policy: { observation, guardrails, contentLogging },
    request: { preferences: { demandsZeroRetention: zdr }, sources: undefined, sessionId, trace },
    serverTools: undefined,
    beginning: undefined,
    turnStages: [],
    outputs: [],
    detections: [],
    work: { usage: undefined },
    ...rest,
  } as unknown as Planned;
}

describe('the contents of a response', () => {
  test('are kept if a destination wants them', () => {
    ok(observationOf({}, planned())?.answer);
  });

  test('are never kept under zero data retention, of the request or of a guardrail', () => {
    equal(observationOf({}, planned({ zdr: true })), undefined);
    const guardrails = [{ rules: { zeroRetention: { openai: true } } }];
    equal(observationOf({}, planned({ guardrails })), undefined);
  });

  test('are not kept if the request says so, or no destination wants them', () => {
    equal(observationOf({ client: { withholdsContents: true } }, planned()), undefined);
    equal(observationOf({}, planned({ observation: 'ends' })), undefined);
    equal(observationOf({}, planned({ observation: '' })), undefined);
  });
});

test('the end of a response is reported if it may have more than one usage fact', () => {
  const ends = planned({ observation: 'ends', serverTools: new Map() });
  const observation = observationOf({}, ends);
  ok(observation);
  equal(observation.answer, undefined);
  equal(observation.reportsEnd, true);
  equal(observationOf({}, planned({ observation: '', serverTools: new Map() })), undefined);
});

test.each(['detections', 'outputs'])(
  'the end of a response is reported if guardrails may have found something: %s',
  (name) => {
    equal(observationOf({}, planned({ observation: 'ends', [name]: [{}] }))?.reportsEnd, true);
    equal(observationOf({}, planned({ observation: '', [name]: [{}] })), undefined);
  },
);

describe('the contents that a workspace stores', () => {
  const all = { samplingRate: 1 };
  const logs = (asked: Parameters<typeof planned>[0], call: Partial<Call> = {}, id = 'gen-1') =>
    observationOf(call, planned({ observation: '', contentLogging: all, ...asked }), id)
      ?.isLogged ?? false;

  test('are those of each request, and no end is reported for them', () => {
    const observation = observationOf({}, planned({ observation: '', contentLogging: all }));
    ok(observation?.answer);
    deepEqual(
      [observation.isLogged, observation.reportsEnd, observation.isForDestinations],
      [true, false, false],
    );
  });

  test('do not go to destinations that want no contents', () => {
    const both = planned({
      observation: 'ends',
      contentLogging: all,
      serverTools: new Map(),
    });
    const { isLogged, reportsEnd, isForDestinations } = observationOf({}, both) ?? {};
    deepEqual([isLogged, reportsEnd, isForDestinations], [true, true, false]);
    const open = observationOf({}, planned({ observation: 'contents', contentLogging: all }));
    deepEqual([open?.isLogged, open?.reportsEnd, open?.isForDestinations], [true, true, true]);
  });

  test('are none if the request, zero data retention, or a guardrail says so', () => {
    equal(logs({}), true);
    equal(logs({}, { client: { withholdsContents: true } }), false);
    equal(logs({ zdr: true }), false);
    equal(logs({ guardrails: [{ rules: { zeroRetention: { openai: true } } }] }), false);
    equal(logs({ inner: {} }), false);
  });

  test('are those of the listed keys', () => {
    const listed = (...ids: number[]) => ({
      contentLogging: { samplingRate: 1, keyIds: new Set(ids) },
    });
    equal(logs(listed(41, 42)), true);
    equal(logs(listed(41)), false);
    equal(logs(listed()), false);
  });

  test('are a share of the sessions, of the traces, and of what has neither', () => {
    const half = { contentLogging: { samplingRate: 0.5 } };
    const ids = Array.from({ length: 400 }, (_, index) => `id-${String(index)}`);
    const bySession = ids.filter((sessionId) => logs({ ...half, sessionId }));
    const byTrace = ids.filter((id) => logs({ ...half, trace: JSON.stringify({ trace_id: id }) }));
    const byGeneration = ids.filter((id) => logs(half, {}, id));
    ok(bySession.length > 140 && bySession.length < 260, String(bySession.length));
    deepEqual([byTrace, byGeneration], [bySession, bySession]);
    // Each generation of a session has the same answer.
    ok(bySession.every((sessionId) => logs({ ...half, sessionId }, {}, 'gen-2')));
    const byHeader = ids.filter((sessionId) => logs(half, { client: { sessionId } }));
    deepEqual(byHeader, bySession);
  });
});

describe('the error beside contents', () => {
  const attempt = (errorCode: string, provider: string, status?: number) => ({
    turn: 1,
    provider,
    model: 'm',
    errorCode,
    status,
    isByok: false,
  });

  test('has the attempts before the one that failed last', () => {
    const tried = [
      attempt('provider_timeout', 'a'),
      attempt('', 'b'),
      attempt('provider_unavailable', 'c', 503),
      attempt('provider_overloaded', 'd', 529),
    ];
    const rejected = { rejected: 'provider_overloaded' as const, message: 'No' };
    deepEqual(contentErrorOf(rejected, tried), {
      code: 'provider_overloaded',
      message: 'No',
      provider: 'd',
      previous: [
        { code: 'provider_timeout', provider: 'a' },
        { code: 'provider_unavailable', provider: 'c', status: 503 },
      ],
    });
  });

  test('is absent if the answer came to its end, and bounded', () => {
    const finish = { type: 'finish', reason: 'stop' } as Parameters<typeof contentErrorOf>[0];
    equal(contentErrorOf(finish, []), undefined);
    equal(contentErrorOf(undefined, []), undefined);
    const long = { rejected: 'internal' as const, message: 'x'.repeat(100_000) };
    equal(contentErrorOf(long, [])?.message.length, 4_096);
  });
});
