import type { Upstream } from '@sluice/providers';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Spending } from '@sluice/spend';
import type { Telemetry } from '@sluice/telemetry';
import type { Credentials } from '../credentials/credentials.ts';
import type { ByokTerms } from '../byok/byok-terms.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { RetryBudget } from '../health/retry-budget.ts';
import type { OutcomeFacts } from '../outcomes/outcome-facts.ts';
import type { StickyEndpoints } from '../sticky/sticky-endpoints.ts';
import type { FailureReports } from '../usage/reports/failure-reports.ts';
import type { UsageJournal } from '../usage/journal/journal.ts';
import type { Replica } from '../usage/journal/replica.ts';
import type { Limits } from './limits.ts';

/**
 * `strict`: the intent is on disk before the model is called. `overlap`: it is in the spool before the model is called,
 * and on disk before the client learns anything of the call. In both, usage is on disk before the client learns of the
 * end.
 */
export type Durability = 'strict' | 'overlap';

/** Runs one model call with these. */
export interface TurnDeps {
  readonly upstream: Pick<Upstream, 'call' | 'countInput'>;
  readonly spending: Spending;
  readonly credentials: Pick<Credentials, 'find' | 'secretOf' | 'forget'>;
  readonly byok: ByokTerms;
  readonly replica: Replica;
  readonly endpoints: Endpoints;
  readonly journal: UsageJournal;
  readonly outcomes: Pick<OutcomeFacts, 'failed'>;
  readonly failures: Pick<FailureReports, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Telemetry['metrics'];
  readonly tracing: Telemetry['tracing'];
  readonly limits: Limits;
  readonly durability: Durability;
  /**
   * Waits until a step of a loop may go on in the event loop; undefined: at once. Absent: the turn is of no loop of
   * server tools.
   */
  readonly fairly?: (() => Promise<void> | undefined) | undefined;
}

/** Knowledge of this replica about endpoints, to choose among them. */
export interface Endpoints {
  readonly health: EndpointHealth;
  readonly sticky: StickyEndpoints;
  readonly retries: RetryBudget;
  /** From 0 to below 1. */
  readonly random: () => number;
}
