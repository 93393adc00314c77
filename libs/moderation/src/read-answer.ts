import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Confidence, unflagged, type Verdict } from './moderator.ts';

const words = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));
const answer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({ flagged: Type.Boolean(), categories: words, category_scores: words }),
    ),
  }),
);

const reasonsMax = 32;
const reasonPattern = /^[a-z][a-z0-9/_-]{0,63}$/iu;
/** The reason of a flag without a category. */
const unnamed = 'unspecified';
const highMin = 0.8;
const mediumMin = 0.5;

/** Returns the verdicts in an answer of `POST /moderations`; undefined: it does not have one for each text. */
export function readAnswer(text: string, count: number): readonly Verdict[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!answer.Check(value) || value.results.length !== count) return undefined;
  return value.results.map(({ flagged, categories, category_scores: scores }) => {
    if (!flagged) return unflagged;
    const named = Object.entries(categories ?? {})
      .filter(([name, isTrue]) => isTrue === true && reasonPattern.test(name))
      .map(([name]) => name)
      .slice(0, reasonsMax);
    const reasons = named.length > 0 ? named : [unnamed];
    return { isFlagged: true, reasons, confidence: confidenceOf(reasons, scores ?? {}) };
  });
}

/** Returns the band of the highest score. An endpoint without scores is as sure as most. */
function confidenceOf(
  reasons: readonly string[],
  scores: Readonly<Record<string, unknown>>,
): Confidence {
  const known = reasons
    .map((name) => (Object.hasOwn(scores, name) ? scores[name] : undefined))
    .filter((score) => typeof score === 'number' && score >= 0 && score <= 1);
  if (known.length === 0) return 'medium';
  const highest = Math.max(...(known as readonly number[]));
  if (highest >= highMin) return 'high';
  return highest >= mediumMin ? 'medium' : 'low';
}
