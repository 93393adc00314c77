import type { StreamPart } from '@sluice/inference';
import { BlockOrder } from './block-order.ts';
import type { BlockStep } from './blocks.ts';
import { type Stop, stopOf } from './stop.ts';

/** Folds the parts of one answer into the steps of its blocks and its end. */
export class Answer {
  readonly #order = new BlockOrder();
  #hasOutput = false;
  #hasCalls = false;
  #hasRefused = false;
  #stop: Stop | undefined;

  get stop(): Stop | undefined {
    return this.#stop;
  }

  take(part: StreamPart): readonly BlockStep[] {
    if (part.type === 'finish' || part.type === 'error') {
      const { hasOutput, hasCalls, hasRefused } = {
        hasOutput: this.#hasOutput,
        hasCalls: this.#hasCalls,
        hasRefused: this.#hasRefused,
      };
      this.#stop ??= stopOf(part, { hasOutput, hasCalls, hasRefused });
      return this.#order.end();
    }
    // Events cannot be taken back.
    if (!('part' in part) || part.type === 'correction') return [];
    this.#hasCalls ||= part.type === 'tool-call-start';
    this.#hasRefused ||= part.type === 'refusal-delta';
    const steps = this.#order.take(part);
    this.#hasOutput ||= steps.length > 0;
    return steps;
  }
}
