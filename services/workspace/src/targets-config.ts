import { loadEgressAddresses } from '@sluice/boot/egress-addresses';
import type { TargetRules } from '@sluice/egress';

/**
 * Reads which URLs destinations may have: https and public addresses, and those of SLUICE_EGRESS_ALLOW, by http too.
 * Throws InvalidConfig.
 */
export function loadTargets(env: Readonly<Record<string, string | undefined>>): TargetRules {
  return { allowList: loadEgressAddresses(env), isHttpAllowed: false };
}
