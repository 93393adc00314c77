import type { TokenUsage } from '@sluice/inference';

/** The usage of an answer that an upstream reports afterwards. */
export type ServedUsage =
  | {
      readonly type: 'served';
      readonly usage: TokenUsage;
      /** The upstream declared it failed: it has no price. */
      readonly isFailed: boolean;
    }
  /** It has not ended: to be asked again. */
  | { readonly type: 'running' }
  /** The upstream does not know it, or not what it used. */
  | { readonly type: 'unknown' };
