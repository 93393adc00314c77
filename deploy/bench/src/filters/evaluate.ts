/** A place in a text with the kind of its content, as `EMAIL`. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

export interface Sample {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

export interface Score {
  readonly label: string;
  readonly true: number;
  readonly wrong: number;
  readonly missed: number;
  /** 1 if nothing was found. */
  readonly precision: number;
  /** 1 if there was nothing to find. */
  readonly recall: number;
}

/** Fuzzy kinds have no exact ends. */
const fuzzy = new Set(['PERSON_NAME', 'ADDRESS']);

/**
 * Compares what is found with what is there. A found place counts if it has the same ends but for punctuation and
 * hidden characters, or, for names and addresses, if it shares at least half of the joint length.
 */
export function evaluate(
  samples: Iterable<Sample>,
  find: (text: string) => readonly LabelledSpan[],
  onError: (error: EvaluationError) => void = () => undefined,
): readonly Score[] {
  const counts = new Map<string, { true: number; wrong: number; missed: number }>();
  const of = (label: string) => {
    const known = counts.get(label) ?? { true: 0, wrong: 0, missed: 0 };
    counts.set(label, known);
    return known;
  };
  for (const { text, spans } of samples) {
    const open = new Set(spans);
    for (const found of find(text)) {
      const match = [...open].find((span) => agree(text, span, found));
      if (match) {
        open.delete(match);
        of(found.label).true++;
      } else {
        of(found.label).wrong++;
        onError({ kind: 'wrong', text, span: found });
      }
    }
    for (const span of open) {
      of(span.label).missed++;
      onError({ kind: 'missed', text, span });
    }
  }
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, count]) => ({
      label,
      ...count,
      precision: ratio(count.true, count.true + count.wrong),
      recall: ratio(count.true, count.true + count.missed),
    }));
}

export interface EvaluationError {
  readonly kind: 'wrong' | 'missed';
  readonly text: string;
  readonly span: LabelledSpan;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function agree(text: string, one: LabelledSpan, other: LabelledSpan): boolean {
  if (one.label !== other.label) return false;
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  if (shared <= 0) return false;
  const joint = Math.max(one.end, other.end) - Math.min(one.start, other.start);
  if (fuzzy.has(one.label)) return shared * 2 >= joint;
  return trimmed(text, one) === trimmed(text, other);
}

function trimmed(text: string, { start, end }: LabelledSpan): string {
  return text.slice(start, end).replaceAll(/^[\s\p{P}\p{M}\p{Cf}+]+|[\s\p{P}\p{M}\p{Cf}]+$/gu, '');
}
