import { deepEqual, rejects } from 'node:assert/strict';
import type { LeaseRequest } from '@sluice/spend';
import { createTelemetry } from '@sluice/telemetry';
import { test } from 'vitest';
import { ledgerAuthority } from './ledger-authority.ts';

const request = (number: bigint, more: Partial<LeaseRequest>): LeaseRequest => ({
  number,
  budget: {
    accountId: 'account',
    scopeKind: 'account',
    scopeId: 'account',
    windowKind: 'lifetime',
    windowStart: '1970-01-01T00:00:00.000Z',
  },
  grantedNanoUsd: 0n,
  returnedNanoUsd: 0n,
  needNanoUsd: 0n,
  wantedNanoUsd: 0n,
  usualHoldNanoUsd: 0n,
  limitNanoUsd: undefined,
  includeByok: false,
  close: false,
  ...more,
});

test('what the ledger is asked about leases is counted by purpose, and how long that took', async () => {
  const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  let isUp = true;
  const authority = ledgerAuthority(
    {
      async acquireLeases() {
        if (!isUp) throw new Error('away');
        return { leases: [], replicas: 1n };
      },
    },
    { id: 'replica', epoch: 1n },
    telemetry.metrics,
  );
  await authority.acquire([
    request(1n, { needNanoUsd: 1n }),
    request(2n, { wantedNanoUsd: 1n }),
    request(3n, {}),
    request(4n, { close: true }),
  ]);
  isUp = false;
  await rejects(authority.acquire([request(1n, {})]));
  const lines = (await telemetry.prometheus())
    .split('\n')
    .filter((line) => /^spend_(lease_requests_total|authority_duration\w*_count)/.test(line))
    .map((line) => line.replace(/,?otel_scope_name="sluice"/, '').replace(/ \d{13}$/, ''));
  deepEqual(lines.toSorted(), [
    'spend_authority_duration_seconds_count{outcome="answered"} 1',
    'spend_authority_duration_seconds_count{outcome="failed"} 1',
    'spend_lease_requests_total{purpose="close"} 1',
    'spend_lease_requests_total{purpose="refill"} 2',
    'spend_lease_requests_total{purpose="renew"} 2',
  ]);
  await telemetry.stop();
});
