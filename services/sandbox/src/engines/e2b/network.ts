import { Fault } from '@sluice/errors';
import type { NetworkPolicy } from '../../engine/engine.ts';

const allTraffic = '0.0.0.0/0';
/** A host, or all below a domain: `*.example.com`. E2B's other entries are addresses, which would open each port. */
const domain =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export interface E2bNetwork {
  readonly allowInternetAccess: boolean;
  readonly network: {
    readonly allowPublicTraffic: false;
    readonly allowOut?: string[];
    readonly denyOut: string[];
  };
}

/**
 * Returns the network of a sandbox. A `*` at the front means at E2B the same as here: any subdomain, at any depth, and
 * not the domain itself. Throws invalid_request for an entry that E2B has no word for.
 */
export function networkOf(policy: NetworkPolicy): E2bNetwork {
  // The ports of a sandbox would have addresses in the internet otherwise.
  const closed = { allowPublicTraffic: false, denyOut: [allTraffic] } as const;
  if (policy.type === 'disabled')
    return { allowInternetAccess: false, network: { ...closed, denyOut: [allTraffic] } };
  const issues = policy.allowedDomains.flatMap((entry, index) =>
    domain.test(entry) ? [] : [`allowed_domains.${index}: ${entry}`],
  );
  if (issues.length > 0)
    throw new Fault('invalid_request', {
      message: `The sandbox allows hosts as example.com or *.example.com only: ${issues.join(', ')}`,
    });
  const allowOut = [...new Set(policy.allowedDomains.map((entry) => entry.toLowerCase()))];
  return { allowInternetAccess: true, network: { ...closed, denyOut: [allTraffic], allowOut } };
}
