import { Type } from 'typebox';
import { aggregateSettings, loadConfig } from '@sluice/boot';

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_KEY_ADDRESS: Type.String({ description: 'host:port of the key service' }),
});

export type WorkspaceConfig = ReturnType<typeof loadWorkspaceConfig>;

/** Throws InvalidConfig with all problems. */
export function loadWorkspaceConfig(env: Readonly<Record<string, string | undefined>>) {
  return loadConfig(schema, env);
}
