import type { Answer } from './http.ts';

const [firstTurn, callOfTool] = [/^[^/]+\/\d+\/1$/, /\/tool\/\d+$/];

/** Remembers what clients heard of their generations. */
export class Heard {
  readonly #begun = new Set<string>();
  readonly #ended = new Set<string>();

  note({ generationId, status }: Pick<Answer, 'generationId' | 'status'>): void {
    if (generationId === '') return;
    this.#begun.add(generationId);
    if (status !== 0) this.#ended.add(generationId);
  }

  /**
   * Returns true if the client may have heard nothing of a call: no head of an answer came of the first one of its
   * generation, or no end of a later one. An engine is called when its intent is on disk.
   */
  isUnheard(usageId: string): boolean {
    if (callOfTool.test(usageId)) return false;
    const [generationId = ''] = usageId.split('/');
    return !(firstTurn.test(usageId) ? this.#begun : this.#ended).has(generationId);
  }
}
