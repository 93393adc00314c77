import type { Upstream } from '@sluice/providers';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Spending } from '@sluice/spend';
import type { Telemetry } from '@sluice/telemetry';
import type { Catalog } from '@sluice/catalog';
import type { Credentials } from '../credentials/credentials.ts';
import type { ByokTerms } from '../byok/byok-terms.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { RetryBudget } from '../health/retry-budget.ts';
import type { OutcomeFacts } from '../outcomes/outcome-facts.ts';
import type { StickyEndpoints } from '../sticky/sticky-endpoints.ts';
import type { FailureReports } from '../usage/reports/failure-reports.ts';
import type { UsageJournal } from '../usage/journal/journal.ts';
import type { Policies } from '../policy/policies.ts';
import type { Replica } from '../usage/journal/replica.ts';
import type { Drains } from './drains.ts';
import type { Limits } from './limits.ts';
import type { Pseudonyms } from '../request/pseudonyms.ts';
import type { Running } from './running.ts';

/**
 * What is on disk before an upstream is called: its intent, or (fast) not yet. Usage is on disk before the client
 * learns of the end in both.
 */
export type Durability = 'strict' | 'fast';

/** What the story of a request needs. */
export interface Pipeline {
  readonly catalog: Catalog;
  readonly upstream: Pick<Upstream, 'call'>;
  readonly spending: Spending;
  readonly policies: Pick<Policies, 'find'>;
  readonly credentials: Pick<Credentials, 'find' | 'secretOf' | 'forget'>;
  readonly byok: ByokTerms;
  readonly replica: Replica;
  readonly endpoints: Endpoints;
  readonly journal: UsageJournal;
  readonly pseudonyms: Pseudonyms;
  readonly failures: Pick<FailureReports, 'add'>;
  readonly outcomes: Pick<OutcomeFacts, 'failed' | 'refused'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Telemetry['metrics'];
  readonly tracing: Telemetry['tracing'];
  readonly limits: Limits;
  readonly durability: Durability;
  /** Generations that run, also those whose client has left. */
  readonly running: Running;
  readonly drains: Drains;
  /** Why nothing is admitted now; undefined: it is. */
  readonly closedBecause: () => string | undefined;
}

/** What this replica knows of endpoints, for choosing among them. */
export interface Endpoints {
  readonly health: EndpointHealth;
  readonly sticky: StickyEndpoints;
  readonly retries: RetryBudget;
  /** From 0 to below 1. */
  readonly random: () => number;
}
