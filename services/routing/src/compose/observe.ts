import type { Spending } from '@sluice/spend';
import type { Telemetry } from '@sluice/telemetry';
import type { Credentials } from '../credentials/credentials.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { Policies } from '../policy/policies.ts';

interface Observed {
  readonly spending: Spending;
  readonly policies: Policies;
  readonly credentials: Credentials;
  readonly health: EndpointHealth;
}

/** Shows what the parts of the service hold as gauges. */
export function observe(
  telemetry: Pick<Telemetry, 'observe'>,
  { spending, policies, credentials, health }: Observed,
): void {
  telemetry.observe('spend.open', () => spending.openCount);
  telemetry.observe('spend.leases', () => spending.leases.count);
  telemetry.observe('spend.lease.age.seconds', () => spending.leases.ageMsMax / 1_000);
  telemetry.observe('routing.endpoints.out', () => health.outCount);
  telemetry.observe('policy.known', () => policies.size);
  telemetry.observe('credential.known', () => credentials.size);
}
