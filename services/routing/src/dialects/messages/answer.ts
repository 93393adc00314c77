import type { AnswerPart, LastPart } from '@sluice/inference';
import { BlockOrder } from './block-order.ts';
import { type BlockStep, isBlockPart } from './blocks.ts';
import { type Stop, stopOf } from './stop.ts';

/** The end of an answer, and the steps that close its blocks. */
interface AnswerEnd {
  readonly stop: Stop;
  readonly steps: readonly BlockStep[];
}

/** Folds the parts of one answer into the steps of its blocks and its end. */
export class Answer {
  readonly #order = new BlockOrder();
  #hasOutput = false;
  #hasCalls = false;
  #hasRefused = false;

  take(part: AnswerPart): readonly BlockStep[] {
    if (!isBlockPart(part)) return [];
    this.#hasCalls ||= part.type === 'tool-call-start';
    this.#hasRefused ||= part.type === 'refusal-delta';
    const steps = this.#order.take(part);
    this.#hasOutput ||= steps.length > 0;
    return steps;
  }

  end(last: LastPart): AnswerEnd {
    const [hasOutput, hasCalls, hasRefused] = [this.#hasOutput, this.#hasCalls, this.#hasRefused];
    const stop = stopOf(last, { hasOutput, hasCalls, hasRefused });
    return { stop, steps: this.#order.end() };
  }
}
