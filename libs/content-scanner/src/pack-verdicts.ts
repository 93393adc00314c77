import type { GroupVerdict } from './scan-group.ts';

/** Verdicts as numbers: an object for each place would keep the event loop when it comes from a thread. */
export interface PackedVerdict {
  /** Names of rules and placeholders. */
  readonly words: readonly string[];
  /** Filter, rule, start and end of each detection. */
  readonly detections: Int32Array<ArrayBuffer>;
  /** Start, end and placeholder of each redaction. */
  readonly redactions: Int32Array<ArrayBuffer>;
  readonly isCut: boolean;
}

export function packVerdict({ detections, redactions, isCut }: GroupVerdict): PackedVerdict {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const found = new Int32Array(4 * detections.length);
  detections.forEach(({ filter, rule, start, end }, index) =>
    found.set([filter, numberOf(rule), start, end], 4 * index),
  );
  const redacted = new Int32Array(3 * redactions.length);
  redactions.forEach(({ start, end, placeholder }, index) =>
    redacted.set([start, end, numberOf(placeholder)], 3 * index),
  );
  return { words: [...numbers.keys()], detections: found, redactions: redacted, isCut };
}

export function unpackVerdict(packed: PackedVerdict): GroupVerdict {
  const { words, detections, redactions, isCut } = packed;
  return {
    detections: Array.from({ length: detections.length / 4 }, (_, index) => ({
      filter: detections[4 * index] ?? 0,
      rule: words[detections[4 * index + 1] ?? 0] ?? '',
      start: detections[4 * index + 2] ?? 0,
      end: detections[4 * index + 3] ?? 0,
    })),
    redactions: Array.from({ length: redactions.length / 3 }, (_, index) => ({
      start: redactions[3 * index] ?? 0,
      end: redactions[3 * index + 1] ?? 0,
      placeholder: words[redactions[3 * index + 2] ?? 0] ?? '',
    })),
    isCut,
  };
}
