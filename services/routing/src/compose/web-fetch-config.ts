import { type Env, InvalidConfig, loadConfig } from '@sluice/boot';
import {
  type AllowList,
  type EgressOptions,
  InvalidAllowList,
  parseAllowList,
} from '@sluice/egress';
import { Type } from 'typebox';
import { isSimulatedWebWanted } from './web-search-config.ts';

const schema = Type.Object({
  SLUICE_EGRESS_ALLOW: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'Addresses besides the public ones that clients may have called: CIDR ranges, by commas',
    }),
  ),
  SLUICE_PRIVATE_ENDPOINTS_ALLOW: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'Addresses besides the public ones that private endpoints may have: CIDR ranges, by commas',
    }),
  ),
  SLUICE_SIMULATOR_URL: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$' })),
});

/** The end of the names of the simulator's pages. */
const simulatedHostEnd = '.corpus.example';

/** Reads how servers that clients name are reached. Throws InvalidConfig. */
export function loadEgress(env: Env): EgressOptions {
  const { SLUICE_EGRESS_ALLOW: allowed = '', SLUICE_SIMULATOR_URL: simulator } = loadConfig(
    schema,
    env,
  );
  return {
    allowList: allowListOf('SLUICE_EGRESS_ALLOW', allowed),
    isHttpAllowed: true,
    ...(simulator !== undefined &&
      isSimulatedWebWanted(env) && { reroute: simulatedWeb(simulator) }),
  };
}

/** Reads the addresses besides the public ones that private endpoints may have. Throws InvalidConfig. */
export function loadPrivateAddresses(env: Env): AllowList {
  const { SLUICE_PRIVATE_ENDPOINTS_ALLOW: allowed = '' } = loadConfig(schema, env);
  return allowListOf('SLUICE_PRIVATE_ENDPOINTS_ALLOW', allowed);
}

function allowListOf(name: string, text: string): AllowList {
  try {
    return parseAllowList(text);
  } catch (error) {
    if (!(error instanceof InvalidAllowList)) throw error;
    throw new InvalidConfig(`Settings: ${name}: ${error.message}`, { cause: error });
  }
}

function simulatedWeb(simulatorUrl: string): NonNullable<EgressOptions['reroute']> {
  const { hostname, port } = new URL(simulatorUrl);
  return { hostEnd: simulatedHostEnd, host: hostname, port: Number(port) || 80 };
}
