import type { WorkerPool } from '@sluice/worker-pool';
import { judgeTexts } from './judge-texts.ts';
import type { Moderator, Verdict } from './moderator.ts';
import { moderationUnavailable } from './unavailable.ts';

export interface LocalModeratorOptions {
  /** Judges long texts, in fair turns and with a deadline. */
  readonly pool: WorkerPool;
}

const module = new URL('judge-texts.ts', import.meta.url);
/** So many characters of the worst kind take 5 ms. More leave the event loop to others. */
const inlineCharactersMax = 2_500;

/** Creates a moderator of keywords and rules in this process. It reads English and sends nothing. */
export function localModerator({ pool }: LocalModeratorOptions): Moderator {
  return {
    async check(texts, { account, signal }) {
      if (signal.aborted) throw moderationUnavailable('the request is canceled');
      const characters = texts.reduce((sum, { length }) => sum + length, 0);
      if (characters <= inlineCharactersMax) return judgeTexts(texts);
      const outcome = await pool.run<readonly Verdict[]>({ account, signal, module, input: texts });
      if (outcome === 'late') throw moderationUnavailable('the time for the texts is up');
      if (outcome === 'busy') throw moderationUnavailable('no thread is free for the texts');
      if (outcome === 'broken') throw moderationUnavailable('the texts cannot be judged');
      return outcome.result;
    },
  };
}
