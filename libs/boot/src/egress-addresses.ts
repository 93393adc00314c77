import { type AllowList, InvalidAllowList, parseAllowList } from '@sluice/egress';
import { Type } from 'typebox';
import { type Env, InvalidConfig, loadConfig } from './config.ts';

/** The setting of a service that calls servers which clients name. */
export const egressSettings = {
  SLUICE_EGRESS_ALLOW: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'Addresses besides the public ones that clients may have called, by http too: CIDR ranges, by commas',
    }),
  ),
};

/** Returns the addresses besides the public ones that clients may have called. Throws InvalidConfig. */
export function loadEgressAddresses(env: Env): AllowList {
  const { SLUICE_EGRESS_ALLOW: text = '' } = loadConfig(Type.Object(egressSettings), env);
  try {
    return parseAllowList(text);
  } catch (error) {
    if (!(error instanceof InvalidAllowList)) throw error;
    throw new InvalidConfig(`Settings: SLUICE_EGRESS_ALLOW: ${error.message}`, { cause: error });
  }
}
