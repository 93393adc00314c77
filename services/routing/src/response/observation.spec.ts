import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { observationOf } from './observation.ts';

type Planned = Parameters<typeof observationOf>[1];

function planned({
  observation = 'contents',
  zdr = false,
  guardrails = [],
  ...rest
}: object & Record<string, unknown> = {}) {
  return {
    policy: { observation, guardrails },
    request: { preferences: { demandsZeroRetention: zdr }, sources: undefined },
    serverTools: undefined,
    beginning: undefined,
    turnStages: [],
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
  equal(observationOf({}, planned({ observation: '', serverTools: new Map() })), undefined);
});
