import type { Scanner } from '@sluice/content-scanner';
import type { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { AccountReads, Queryable, Shown } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import type { CheckPatterns } from '../commands/check-patterns.ts';
import type { Catalog, Directory } from '../commands/directory.ts';
import type { Aggregates } from '../store/aggregates.ts';

export type Handlers = Calls<GuardrailServiceService>;

export interface AskingDependencies {
  readonly readModel: AccountReads & Queryable;
  readonly directory: Directory;
  /** Resolves with false when the read model has never held all guardrails, and does not in time. */
  readonly isComplete: () => Promise<boolean>;
}

export interface GuardrailRpcDependencies extends AskingDependencies {
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly checkPatterns: CheckPatterns;
  readonly scanner: Scanner;
  /** Notifies the other processes, best effort, that an effective policy of the account changed. */
  readonly publishChange: (accountId: string) => void;
  /** Waits until the read model holds a position, so that the next list sees the change. */
  readonly shown: Shown;
}
