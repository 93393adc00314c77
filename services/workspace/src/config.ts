import { Type } from 'typebox';
import { type Env, aggregateSettings, checkSettings, loadConfig } from '@sluice/boot';
import { loadEnvelopeSettings } from '@sluice/boot/envelope-keys';
import { loadTargets } from './targets-config.ts';
import { loadFileSettings } from './files-config.ts';

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_KEY_ADDRESS: Type.String({ description: 'host:port of the key service' }),
});

/** Throws InvalidConfig with all problems. */
export function loadWorkspaceConfig(env: Env) {
  checkSettings([
    () => loadConfig(schema, env),
    () => loadFileSettings(env),
    () => loadEnvelopeSettings(env),
    () => loadTargets(env),
  ]);
  return loadConfig(schema, env);
}
