import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Moderator, Verdict } from '@sluice/moderation';
import { describe, test } from 'vitest';
import { callOf, textCall } from '../../testing/text-call.ts';
import { textRequest } from '../../testing/text-request.ts';
import { runCandidateStages } from '../run-candidate-stages.ts';
import type { CandidateContext, CandidateStage } from '../stage.ts';
import { moderationStage } from './index.ts';
import { elided } from './judge-request.ts';
import { createVerdicts, verdictKey } from './verdicts.ts';

const bad: Verdict = { isFlagged: true, reasons: ['violence'], confidence: 'medium' };
const good: Verdict = { isFlagged: false, reasons: [], confidence: 'low' };

/** Flags each text with the word bad. */
function moderatorOf(): Moderator & { readonly judged: string[] } {
  const judged: string[] = [];
  return {
    judged,
    async check(texts) {
      judged.push(...texts);
      return texts.map((text) => (text.includes('bad') ? bad : good));
    },
  };
}

const candidate = (id: string, isModerated: boolean) => ({
  model: { id },
  endpoint: { isModerated, providerName: `provider of ${id}` },
});
const contextOf = (changes: Partial<CandidateContext> = {}): CandidateContext => ({
  principal: { accountId: 'a' } as CandidateContext['principal'],
  requestId: 'r',
  signal: new AbortController().signal,
  policy: {} as CandidateContext['policy'],
  candidates: [candidate('free', false)],
  ...changes,
});
const plugins = { moderation: { id: 'moderation' } } as const;
const demanding = (text: string) => textCall(text, { plugins });
const excludedOf = (result: object) =>
  'excludedModels' in result ? [...(result.excludedModels as Iterable<string>)] : undefined;

describe('the stage moderation', () => {
  test('judges nothing that nobody demands', async () => {
    const moderator = moderatorOf();
    deepEqual(await moderationStage({ moderator }).run(textCall('bad'), contextOf()), {});
    deepEqual(moderator.judged, []);
  });

  test('excludes each model that has an endpoint that demands it', async () => {
    const candidates = [candidate('one', false), candidate('one', true), candidate('two', false)];
    const stage = moderationStage({ moderator: moderatorOf() });
    const result = await stage.run(textCall('bad'), contextOf({ candidates }));
    deepEqual(excludedOf(result), ['one']);
  });

  test('refuses when no model is left, or the client demands it', async () => {
    const stage = moderationStage({ moderator: moderatorOf() });
    for (const [call, isModerated] of [
      [textCall('bad'), true],
      [demanding('bad'), false],
    ] as const) {
      const context = contextOf({ candidates: [candidate('one', isModerated)] });
      const result = await stage.run(call, context);
      ok('rejected' in result && result.rejected === 'moderation_flagged');
      ok(!JSON.stringify(result.reports).includes('bad'));
    }
  });

  test('refuses inputs that are tokens, which nobody can judge', async () => {
    const moderator = moderatorOf();
    const embedding = { dimensions: undefined, inputType: undefined, tokens: [[1, 2]] };
    const request = { ...textRequest(''), items: [], embedding };
    const stage = moderationStage({ moderator });
    deepEqual(await stage.run(callOf(request), contextOf()), {});
    const result = await stage.run(callOf(request, { plugins }), contextOf());
    ok('rejected' in result && result.rejected === 'invalid_request');
    deepEqual(moderator.judged, []);
  });

  test('judges a text once, and says that it was judged', async () => {
    const moderator = moderatorOf();
    const stage = moderationStage({ moderator });
    for (let count = 0; count < 3; count++) {
      const result = await stage.run(demanding('good'), contextOf());
      ok('moderationLatencyMs' in result);
    }
    deepEqual(moderator.judged, ['good']);
  });

  test('remembers nothing of a failure', async () => {
    let isDown = true;
    const working = moderatorOf();
    const moderator: Moderator = {
      check: (texts, options) =>
        isDown ? Promise.reject(new Error('down')) : working.check(texts, options),
    };
    const stage = moderationStage({ moderator });
    await rejects(stage.run(demanding('good'), contextOf()), { message: 'down' });
    isDown = false;
    ok('moderationLatencyMs' in (await stage.run(demanding('good'), contextOf())));
  });

  test('takes a moderator without a verdict for each text as a bug', async () => {
    const stage = moderationStage({ moderator: { check: async () => [] } });
    await rejects(stage.run(demanding('x'), contextOf()), /invariant/);
  });
});

test('each stage gets the candidates that the one before left', async () => {
  const seen: string[][] = [];
  const excluding = (name: string): CandidateStage => ({
    at: 'candidate',
    name: `no ${name}`,
    async run(_call, { candidates }) {
      seen.push(candidates.map(({ model }) => model.id));
      return { excludedModels: new Set([name]) };
    },
  });
  const candidates = ['one', 'two', 'three'].map((id) => candidate(id, false));
  const stages = [excluding('one'), excluding('two')];
  const staged = await runCandidateStages(stages, textCall('x'), contextOf({ candidates }));
  deepEqual(seen, [
    ['one', 'two', 'three'],
    ['two', 'three'],
  ]);
  ok(!('rejected' in staged));
  deepEqual(
    [...staged.excludedModels],
    [
      ['one', 'no one'],
      ['two', 'no two'],
    ],
  );
});

test('a shortened text has at most 100 characters, and no half of a pair', () => {
  equal(elided('short'), 'short');
  equal(elided('x'.repeat(100)).length, 100);
  for (let shift = 0; shift < 4; shift++) {
    const text = elided('x'.repeat(shift) + '\u{1f600}'.repeat(500));
    ok(text.length <= 100 && text.isWellFormed() && !text.includes('\ufffd'), text);
  }
});

test('verdicts are bounded, and of one account', () => {
  const verdicts = createVerdicts();
  for (let count = 0; count < 50_001; count++) verdicts.keep(String(count), good);
  equal(verdicts.find('0'), undefined);
  equal(verdicts.find('1'), good);
  ok(verdictKey('a', 'text') !== verdictKey('b', 'text'));
});
