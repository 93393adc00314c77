import type { TokenUsage } from '@sluice/inference';

/** The usage that an upstream reports after an answer. */
export type ServedUsage =
  | {
      readonly type: 'served';
      readonly usage: TokenUsage;
      /** The upstream declared the generation failed. It has no price. */
      readonly isFailed: boolean;
    }
  /** The generation has not ended. Ask again later. */
  | { readonly type: 'running' }
  /** The upstream does not know the generation or its usage. */
  | { readonly type: 'unknown' };
