import type { Principal } from '@sluice/inference';
import type { Rejection } from '@sluice/errors';

export interface WindowFigures {
  readonly lifetime: bigint;
  readonly daily: bigint;
  readonly weekly: bigint;
  readonly monthly: bigint;
}

/** One snapshot of the ledger: figures and the watermark up to which they hold ours. Nano-USD. */
export interface Standing {
  readonly accountId: string;
  readonly keyHash: string;
  /** When it was asked for: its windows are those of this instant. */
  readonly at: Date;
  readonly creditsNanoUsd: bigint;
  readonly usageNanoUsd: bigint;
  readonly keyUsage: WindowFigures;
  readonly keyByokUsage: WindowFigures;
  /** All finals of this replica up to it are in the figures, per epoch. An absent epoch: none. */
  readonly watermarks: ReadonlyMap<bigint, bigint>;
}

/** The place of a final usage fact of this replica: dense within an epoch. */
export interface Place {
  readonly epoch: bigint;
  readonly sequence: bigint;
}

/** An open reservation. It counts in the window of `at`, however long it stays open. */
export interface Hold {
  readonly principal: Principal;
  readonly amountNanoUsd: bigint;
  readonly at: Date;
}

/** A final that an earlier run of this replica wrote and the ledger may not have counted. */
export interface PendingFinal extends Place {
  readonly accountId: string;
  readonly keyHash: string;
  readonly costNanoUsd: bigint;
  readonly at: Date;
}

export type SpendRefusal = Rejection<'credits_exhausted' | 'key_limit_exceeded'>;
