import { Type } from 'typebox';
import { aggregateSettings, loadConfig } from '@sluice/boot';

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
  SLUICE_KEY_ADDRESS: Type.String({ description: 'host:port of the key service' }),
  SLUICE_ROUTING_ADDRESS: Type.String({ description: 'host:port of routing' }),
});

/** Throws InvalidConfig with all problems. */
export function loadGuardrailConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
