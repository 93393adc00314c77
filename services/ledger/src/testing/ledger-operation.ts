import type { UsageFact } from '@sluice/usage-facts';
import type { Testimony } from '../commands/correct-usage.ts';
import type { CreditEntry } from '../domain/credit/credit-entry.ts';
import type { LeaseRequest } from '../domain/lease/lease-request.ts';
import type { ScopeLimits } from '../domain/limit/scope-limits.ts';
import type { CorrectionSource } from '../domain/usage/correction.ts';
import type { Decoded } from '../messages/decode.ts';
import type { ReplicaEpoch } from '../store/record-replica.ts';

/** All that changes the ledger's tables, each in one transaction; and the one question of routing. */
export type LedgerOperation =
  | { readonly do: 'settle usage'; readonly decoded: readonly Decoded<UsageFact>[] }
  | {
      readonly do: 'correct usage';
      readonly testimonies: readonly Testimony[];
      readonly source: CorrectionSource;
    }
  | { readonly do: 'add credit'; readonly entry: CreditEntry }
  | { readonly do: 'set limits'; readonly fact: ScopeLimits }
  | {
      readonly do: 'acquire';
      readonly writer: ReplicaEpoch;
      readonly requests: readonly LeaseRequest[];
    }
  | { readonly do: 'close epochs'; readonly writer: ReplicaEpoch }
  | { readonly do: 'read watermark'; readonly writer: ReplicaEpoch };

/** An operation as it was carried out. */
export interface Carried {
  readonly operation: LedgerOperation;
  readonly atMs: number;
  /** The answer, or the code of the fault that was thrown. */
  readonly answer: unknown;
}
