import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { Moderator, Verdict } from '../moderator.ts';

export interface OpenedModerator {
  readonly moderator: Moderator;
  readonly close: () => Promise<void>;
}

const { signal } = new AbortController();
const threat = 'I am going to kill my neighbor tonight';
const greeting = 'What a lovely day!';

/** Declares the tests of all moderators. Each must flag a threat for violence and let a greeting pass. */
export function moderatorContract(name: string, open: () => Promise<OpenedModerator>): void {
  const judged = async (texts: readonly string[]): Promise<readonly Verdict[]> => {
    const { moderator, close } = await open();
    try {
      return await moderator.check(texts, { account: 'a', signal });
    } finally {
      await close();
    }
  };

  describe(`a moderator: ${name}`, () => {
    test('judges each text by itself, in order', async () => {
      const verdicts = await judged([greeting, threat, greeting]);
      deepEqual(
        verdicts.map(({ isFlagged }) => isFlagged),
        [false, true, false],
      );
      deepEqual(verdicts[0], { isFlagged: false, reasons: [], confidence: 'low' });
      ok(verdicts[1]?.reasons.includes('violence'));
      ok(['medium', 'high'].includes(verdicts[1]?.confidence ?? ''));
    });

    test('judges no text, and empty texts', async () => {
      deepEqual(await judged([]), []);
      const verdicts = await judged(['', ' \n', threat]);
      deepEqual(
        verdicts.map(({ isFlagged }) => isFlagged),
        [false, false, true],
      );
    });

    test('reads a long text to its end', async () => {
      const long = 'lorem ipsum dolor sit amet. '.repeat(4_000);
      const verdicts = await judged([long, `${long}${threat}${long}`, long + threat]);
      deepEqual(
        verdicts.map(({ isFlagged }) => isFlagged),
        [false, true, true],
      );
    });

    test('judges many texts', async () => {
      const verdicts = await judged(
        Array.from({ length: 500 }, (_, at) => (at === 300 ? threat : greeting)),
      );
      deepEqual(
        verdicts.flatMap(({ isFlagged }, at) => (isFlagged ? [at] : [])),
        [300],
      );
    });

    test('takes text that is not well formed', async () => {
      equal((await judged([`\ud83d\0\u200b${greeting}`]))[0]?.isFlagged, false);
    });

    test('ends with a request that is canceled', async () => {
      const { moderator, close } = await open();
      const canceled = moderator.check([threat], { account: 'a', signal: AbortSignal.abort() });
      await rejects(canceled, { name: 'Fault', code: 'moderation_unavailable' });
      await close();
    });
  });
}
