import { Type } from 'typebox';
import { type Env, aggregateSettings, loadConfig } from '@sluice/boot';

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
  SLUICE_KEY_ADDRESS: Type.String({ description: 'host:port of the key service' }),
  SLUICE_ROUTING_ADDRESS: Type.String({ description: 'host:port of routing' }),
});

/** Throws InvalidConfig with all problems. */
export function loadGuardrailConfig(env: Env) {
  return loadConfig(schema, env);
}
