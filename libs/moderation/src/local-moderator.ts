import { setImmediate } from 'node:timers/promises';
import { classify } from './classifier/classify.ts';
import type { Moderator } from './moderator.ts';
import { piecesOf } from './pieces.ts';
import { moderationUnavailable } from './unavailable.ts';
import { VerdictsByText } from './verdicts-by-text.ts';

export interface LocalModeratorOptions {
  /** For all texts of a check. */
  readonly deadlineMs?: number;
}

const deadlineMsDefault = 10_000;
/** More than a rule reaches. */
const overlap = 512;
const charactersMax = 8_192;
/** Other requests have a turn of the event loop after so much text. */
const charactersPerTurn = 32_768;

/** Creates a moderator of keywords and rules in this process. It reads English and sends nothing. */
export function localModerator({
  deadlineMs = deadlineMsDefault,
}: LocalModeratorOptions = {}): Moderator {
  return {
    async check(texts, { signal }) {
      const endMs = performance.now() + deadlineMs;
      const verdicts = new VerdictsByText(texts);
      let characters = 0;
      for (const { index, text } of piecesOf(texts, { charactersMax, overlap })) {
        if (signal.aborted) throw moderationUnavailable('the request is canceled');
        if (performance.now() > endMs) throw moderationUnavailable('the time for the texts is up');
        verdicts.add(index, classify(text));
        characters += text.length;
        if (characters < charactersPerTurn) continue;
        characters = 0;
        await setImmediate();
      }
      return verdicts.all();
    },
  };
}
