import { isDeepStrictEqual } from 'node:util';
import type { Loose, StreamEvent } from './event-shapes.ts';
import { rule } from './rules.ts';
import { differs, TextFlow, type TextEvent } from './text-flow.ts';

/** The events of a part, and the field of its text. */
interface PartKind {
  readonly family: string;
  readonly field: string;
}

const partKinds: Readonly<Record<string, PartKind>> = {
  output_text: { family: 'response.output_text', field: 'text' },
  refusal: { family: 'response.refusal', field: 'refusal' },
  reasoning_text: { family: 'response.reasoning_text', field: 'text' },
  summary_text: { family: 'response.reasoning_summary_text', field: 'text' },
};

/** The content parts, or the summaries, of one item. */
export class PartList {
  readonly #parts: PartChecker[] = [];
  readonly #kinds: readonly string[];
  readonly #mayCorrect: boolean;

  /** `kinds`: what parts the item may have here. */
  constructor(kinds: readonly string[], mayCorrect: boolean) {
    this.#kinds = kinds;
    this.#mayCorrect = mayCorrect;
  }

  open(index: number, part: Loose): void {
    const isNext = index === this.#parts.length;
    rule('parts-in-order', isNext, () => `${index} opens after ${this.#parts.length}`);
    const last = this.#parts.at(-1);
    rule(
      'parts-in-order',
      !last || last.isClosed,
      () => `${index} opens before the end of the last`,
    );
    const type = String(part['type']);
    rule('part-kind', this.#kinds.includes(type), () => `${type} in an item of another kind`);
    this.#parts.push(new PartChecker(part, this.#mayCorrect));
  }

  at(index: number): PartChecker {
    const part = this.#parts[index];
    const isOpen = part !== undefined && !part.isClosed;
    rule('part-open', isOpen, () => `part ${index} is not open`);
    return part;
  }

  allClosed(): void {
    const open = this.#parts.findIndex(({ isClosed }) => !isClosed);
    rule('all-closed', open < 0, () => `part ${open} is not done`);
  }

  /** Item or snapshot say the parts as they are by now. */
  compare(where: string, told: unknown): void {
    const list = (told ?? []) as readonly Loose[];
    const isList = Array.isArray(list) && list.length === this.#parts.length;
    rule('deltas-add-up', isList, () => `${where}: ${list.length} parts of ${this.#parts.length}`);
    for (const [index, part] of this.#parts.entries())
      part.compare(`${where} part ${index}`, list[index] ?? {});
  }
}

/** One part from its opening to its end. */
class PartChecker {
  readonly #kind: PartKind;
  readonly #type: string;
  readonly #flow: TextFlow;
  readonly #annotations: unknown[] = [];
  #isClosed = false;

  constructor(part: Loose, mayCorrect: boolean) {
    this.#flow = new TextFlow(mayCorrect);
    this.#type = String(part['type']);
    const kind = partKinds[this.#type];
    rule('part-kind', kind !== undefined, () => this.#type);
    this.#kind = kind;
    this.compare('the part that opens', part);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  text(told: TextEvent, event: StreamEvent): void {
    rule('part-kind', told.family === this.#kind.family, () => `${event.type} in ${this.#type}`);
    this.#flow.take(told, event);
  }

  annotation(event: StreamEvent): void {
    rule('part-kind', this.#type === 'output_text', () => `${event.type} in ${this.#type}`);
    const index = event['annotation_index'];
    const next = this.#annotations.length;
    rule('annotations', index === next, () => differs(event.type, index, next));
    this.#annotations.push(event['annotation']);
  }

  close(part: Loose): void {
    rule('all-closed', this.#flow.isDone, () => 'a part is done before its text');
    rule('part-kind', part['type'] === this.#type, () => `${this.#type} is done as another`);
    this.compare('the part that is done', part);
    this.#isClosed = true;
  }

  /** The part as it is by now. */
  compare(where: string, part: Loose): void {
    const { field } = this.#kind;
    const { text, logprobs } = this.#flow;
    rule('part-kind', part['type'] === this.#type, () => `${where} is no ${this.#type}`);
    rule('deltas-add-up', this.#flow.allows(part[field]), () => differs(where, part[field], text));
    if (this.#type !== 'output_text') return;
    const isNoted = isDeepStrictEqual(part['annotations'], this.#annotations);
    rule('annotations', isNoted, () => differs(where, part['annotations'], this.#annotations));
    const isLogged = isDeepStrictEqual(part['logprobs'] ?? [], logprobs);
    rule('logprobs', isLogged, () => differs(where, part['logprobs'], logprobs));
  }
}
