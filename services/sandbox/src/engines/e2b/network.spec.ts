import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { networkOf } from './network.ts';

const allowing = (...allowedDomains: string[]) => ({ type: 'allowlist', allowedDomains }) as const;

test('a sandbox without a network denies all traffic, in both directions', () => {
  deepEqual(networkOf({ type: 'disabled' }), {
    allowInternetAccess: false,
    network: { allowPublicTraffic: false, denyOut: ['0.0.0.0/0'] },
  });
});

test('an allowlist denies everything else', () => {
  deepEqual(networkOf(allowing('Example.com', '*.example.com', 'example.com')).network, {
    allowPublicTraffic: false,
    denyOut: ['0.0.0.0/0'],
    allowOut: ['example.com', '*.example.com'],
  });
});

test('an entry that means something else at E2B is refused', () => {
  for (const entry of ['*', '*.*', 'api-*.example.com', 'a.*.com', '1.2.3.4', '10.0.0.0', 'local'])
    throws(() => networkOf(allowing('example.com', entry)), {
      code: 'invalid_request',
      message: new RegExp(String.raw`allowed_domains\.1: `),
    });
});
