import { unflagged, type Verdict } from './moderator.ts';

/** Joins the verdicts about the pieces of each text. */
export class VerdictsByText {
  readonly #verdicts: Verdict[];

  constructor(texts: readonly string[]) {
    this.#verdicts = texts.map(() => unflagged);
  }

  add(index: number, verdict: Verdict): void {
    const known = this.#verdicts[index] ?? unflagged;
    if (verdict.isFlagged)
      this.#verdicts[index] = known.isFlagged ? joined(known, verdict) : verdict;
  }

  all(): readonly Verdict[] {
    return this.#verdicts;
  }
}

const confidences = ['high', 'medium', 'low'] as const;

function joined(one: Verdict, other: Verdict): Verdict {
  return {
    isFlagged: true,
    reasons: [...new Set([...one.reasons, ...other.reasons])],
    confidence:
      confidences.find((word) => word === one.confidence || word === other.confidence) ?? 'low',
  };
}
