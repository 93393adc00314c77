import { InvalidConfig, loadConfig } from '@sluice/boot';
import { type EgressOptions, InvalidAllowList, parseAllowList } from '@sluice/egress';
import { Type } from 'typebox';
import { isSimulatedWebWanted } from './web-search-config.ts';

type Env = Readonly<Record<string, string | undefined>>;

const schema = Type.Object({
  SLUICE_EGRESS_ALLOW: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'Addresses besides the public ones that clients may have called: CIDR ranges, by commas',
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
    allowList: allowListOf(allowed),
    isHttpAllowed: true,
    ...(simulator !== undefined &&
      isSimulatedWebWanted(env) && { reroute: simulatedWeb(simulator) }),
  };
}

function allowListOf(text: string) {
  try {
    return parseAllowList(text);
  } catch (error) {
    if (!(error instanceof InvalidAllowList)) throw error;
    throw new InvalidConfig(`Settings: SLUICE_EGRESS_ALLOW: ${error.message}`, { cause: error });
  }
}

function simulatedWeb(simulatorUrl: string): NonNullable<EgressOptions['reroute']> {
  const { hostname, port } = new URL(simulatorUrl);
  return { hostEnd: simulatedHostEnd, host: hostname, port: Number(port) || 80 };
}
