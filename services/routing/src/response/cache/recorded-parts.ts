import type { AnswerPart } from '@sluice/inference';

/** About the memory of a part beside its texts. */
const partBytes = 128;
const numberBytes = 8;

/** The parts of an answer in progress, as long as they are within a bound. */
export class RecordedParts {
  readonly #bytesMax: number;
  #parts: AnswerPart[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns undefined if the answer is too long. */
  get parts(): readonly AnswerPart[] | undefined {
    return this.#bytes > this.#bytesMax ? undefined : this.#parts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(parts: readonly AnswerPart[]): void {
    if (this.#bytes > this.#bytesMax) return;
    for (const part of parts) {
      this.#parts.push(part);
      this.#bytes += partBytes + sizeOf(part);
    }
    if (this.#bytes > this.#bytesMax) this.#parts = [];
  }
}

/** Returns the size of the texts and numbers in a value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return numberBytes;
  let bytes = 0;
  for (const each of Object.values(value)) bytes += sizeOf(each);
  return bytes;
}
