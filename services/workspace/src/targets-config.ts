import { InvalidConfig, loadConfig } from '@sluice/boot';
import { InvalidAllowList, parseAllowList, type TargetRules } from '@sluice/egress';
import { Type } from 'typebox';

const schema = Type.Object({
  SLUICE_EGRESS_ALLOW: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'Addresses besides the public ones that clients may have called: CIDR ranges, by commas',
    }),
  ),
});

/**
 * Reads which URLs destinations may have: https and public addresses, and what the operator allows, by http too.
 * Throws InvalidConfig.
 */
export function loadTargets(env: Readonly<Record<string, string | undefined>>): TargetRules {
  const { SLUICE_EGRESS_ALLOW: allowed = '' } = loadConfig(schema, env);
  try {
    return { allowList: parseAllowList(allowed), isHttpAllowed: false };
  } catch (error) {
    if (!(error instanceof InvalidAllowList)) throw error;
    throw new InvalidConfig(`Settings: SLUICE_EGRESS_ALLOW: ${error.message}`, { cause: error });
  }
}
