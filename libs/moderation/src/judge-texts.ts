import { classify } from './classifier/classify.ts';
import type { Verdict } from './moderator.ts';
import { piecesOf } from './pieces.ts';
import { VerdictsByText } from './verdicts-by-text.ts';

/** More than a rule reaches. */
const overlap = 512;
const charactersMax = 8_192;

/** Judges texts by our own rules. The work grows with their length. A thread runs it for long ones, as `work`. */
export function judgeTexts(texts: readonly string[]): readonly Verdict[] {
  const verdicts = new VerdictsByText(texts);
  for (const { index, text } of piecesOf(texts, { charactersMax, overlap }))
    verdicts.add(index, classify(text));
  return verdicts.all();
}

export { judgeTexts as work };
