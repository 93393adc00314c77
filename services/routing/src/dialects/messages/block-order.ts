import { type BlockPart, type BlockStep, PartBlock } from './blocks.ts';

interface WaitingPart {
  readonly block: PartBlock;
  readonly steps: BlockStep[];
  isEnded: boolean;
}

/**
 * Brings the parts of an answer, which may grow side by side, into blocks that stand one after the other. The parts
 * behind the open one wait.
 */
export class BlockOrder {
  readonly #parts = new Map<number, WaitingPart>();

  take(part: BlockPart): readonly BlockStep[] {
    const waiting = this.#of(part.part);
    waiting.steps.push(...waiting.block.take(part));
    if (isEnd(part)) waiting.isEnded = true;
    return this.#ready();
  }

  /** Closes what is open at the end of an answer. */
  end(): readonly BlockStep[] {
    for (const waiting of this.#parts.values())
      if (!waiting.isEnded) {
        waiting.steps.push(...waiting.block.cut());
        waiting.isEnded = true;
      }
    return this.#ready();
  }

  #of(part: number): WaitingPart {
    const known = this.#parts.get(part);
    if (known) return known;
    const waiting = { block: new PartBlock(), steps: [], isEnded: false };
    this.#parts.set(part, waiting);
    return waiting;
  }

  /** Takes the steps of the first part, and those of the next ones as far as the ones before have ended. */
  #ready(): readonly BlockStep[] {
    const ready: BlockStep[] = [];
    for (const [number, waiting] of this.#parts) {
      ready.push(...waiting.steps.splice(0));
      if (!waiting.isEnded) break;
      this.#parts.delete(number);
    }
    return ready;
  }
}

function isEnd({ type }: BlockPart): boolean {
  return type.endsWith('-end') || type === 'image';
}
