import type { StreamPart } from '@sluice/inference';
import type { OutputReport, OutputStage, StageReport } from '../stage.ts';
import { parseJson } from '../../request/parse-json.ts';

interface HealingParts {
  readonly mode: 'json_object' | 'json_schema';
  /** Returns the repaired text. undefined: it stays as it is. Never rejects. */
  readonly heal: (text: string) => Promise<string | undefined>;
}

type TextPart = Extract<
  StreamPart,
  { type: 'text-delta' | 'text-annotation' | 'correction'; part: number }
>;

/** Repairs the texts of one answer. Holds the answer back from its first text to its end. */
export class Healing implements OutputStage {
  readonly #mode: HealingParts['mode'];
  readonly #heal: HealingParts['heal'];
  readonly #reports: StageReport[] = [];
  #held: StreamPart[] = [];

  constructor({ mode, heal }: HealingParts) {
    this.#mode = mode;
    this.#heal = heal;
  }

  async parts(parts: readonly StreamPart[]): Promise<readonly StreamPart[]> {
    if (this.#held.length === 0 && !parts.some(({ type }) => type === 'text-start')) return parts;
    this.#held.push(...parts);
    const last = parts.at(-1);
    if (last?.type !== 'finish' && last?.type !== 'error') return [];
    const held = this.#held;
    this.#held = [];
    return isWhole(last) ? await this.#healed(held) : held;
  }

  report(): OutputReport {
    return { reports: this.#reports, detections: [], isBlocked: false };
  }

  async #healed(held: readonly StreamPart[]): Promise<readonly StreamPart[]> {
    const healed = new Map<number, Healed>();
    for (const [part, original] of textsOf(held)) {
      if (parseJson(original) !== undefined) continue;
      const text = await this.#heal(original);
      this.#reports.push(this.#reportOf(original, text));
      if (text !== undefined) healed.set(part, { text, begin: original.indexOf(text) });
    }
    if (healed.size === 0) return held;
    return held.flatMap((one) => replaced(one, healed));
  }

  #reportOf(original: string, text: string | undefined): StageReport {
    return {
      type: 'response_healing',
      name: 'response-healing',
      summary: text === undefined ? 'left as it was' : 'repaired',
      data: {
        mode: this.#mode,
        improved: text !== undefined,
        original_length: original.length,
        healed_length: (text ?? original).length,
      },
    };
  }
}

interface Healed {
  readonly text: string;
  /** The place of the text in the original; -1: it is none of its parts. */
  readonly begin: number;
}

/** An answer that was cut is not repaired. */
function isWhole(last: StreamPart): boolean {
  return last.type === 'finish' && (last.reason === 'stop' || last.reason === 'tool-calls');
}

function textsOf(parts: readonly StreamPart[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const part of parts) {
    if (part.type === 'text-start') texts.set(part.part, '');
    const before = 'part' in part ? texts.get(part.part) : undefined;
    if (before === undefined) continue;
    if (part.type === 'text-delta') texts.set(part.part, before + part.delta);
    if (part.type === 'correction' && part.difference === 'contrary' && part.text !== undefined)
      texts.set(part.part, part.text);
  }
  return texts;
}

function isOfText(part: StreamPart): part is TextPart {
  return (
    part.type === 'text-delta' || part.type === 'text-annotation' || part.type === 'correction'
  );
}

/** Returns the parts that stand for one part of an answer whose texts were repaired. */
function replaced(part: StreamPart, healed: ReadonlyMap<number, Healed>): readonly StreamPart[] {
  if (part.type === 'text-start') {
    const text = healed.get(part.part)?.text;
    if (text === undefined) return [part];
    return [part, { type: 'text-delta', part: part.part, delta: text }];
  }
  const found = isOfText(part) ? healed.get(part.part) : undefined;
  if (!found) return [part];
  if (part.type !== 'text-annotation') return [];
  return moved(part, found);
}

type Annotation = Extract<StreamPart, { type: 'text-annotation' }>;

/** Moves an annotation with its text. One whose text is gone is gone with it. */
function moved(part: Annotation, { text, begin }: Healed): readonly StreamPart[] {
  const { start_index: start, end_index: end } = part.annotation;
  if (typeof start !== 'number' || typeof end !== 'number') return [part];
  const [from, to] = [start - begin, end - begin];
  if (begin < 0 || from < 0 || to > text.length) return [];
  return [{ ...part, annotation: { ...part.annotation, start_index: from, end_index: to } }];
}
