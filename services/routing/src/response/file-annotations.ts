import type { AnswerPart, LastPart } from '@sluice/inference';
import type { FileAnnotation } from '../request/file-annotation.ts';

/** Adds the files that a plugin read to the first text of an answer. */
export class FileAnnotations {
  readonly #files: readonly FileAnnotation[];
  #isTold = false;
  #partsMax = -1;

  constructor(files: readonly FileAnnotation[]) {
    this.#files = files;
  }

  annotate(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    return this.#isTold ? parts : parts.flatMap((part) => this.#annotated(part));
  }

  /**
   * Returns the parts that end an answer. One that calls functions and has no text gets an empty text with the files:
   * its client sends the conversation again.
   */
  end(last: LastPart): readonly AnswerPart[] {
    if (this.#isTold || last.type !== 'finish' || last.reason !== 'tool-calls') return [];
    const part = this.#partsMax + 1;
    return [{ type: 'text-start', part }, ...this.#annotations(part), { type: 'text-end', part }];
  }

  #annotated(part: AnswerPart): readonly AnswerPart[] {
    if ('part' in part) this.#partsMax = Math.max(this.#partsMax, part.part);
    if (this.#isTold || part.type !== 'text-start') return [part];
    return [part, ...this.#annotations(part.part)];
  }

  #annotations(part: number): readonly AnswerPart[] {
    this.#isTold = true;
    return this.#files.map((file) => ({
      type: 'text-annotation',
      part,
      annotation: { type: 'file', file },
    }));
  }
}
