import { Type } from 'typebox';
import {
  type Env,
  aggregateSettings,
  busSettings,
  checkSettings,
  loadConfig,
  processSettings,
  readModelSettings,
  secret,
} from '@sluice/boot';
import { loadEnvelopeSettings } from '@sluice/boot/envelope-keys';
import type { Peppers } from './commands/key-digest.ts';

const pepperLengthMin = 32;
const pepper = (description: string) => ({
  ...secret(description),
  minLength: pepperLengthMin,
});

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_ACCOUNT_ADDRESS: Type.String({ description: 'host:port of the account service' }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
  SLUICE_KEY_PEPPER: pepper('The pepper that new keys are digested under'),
  SLUICE_KEY_PEPPER_VERSION: Type.Integer({ default: 1, minimum: 1 }),
  SLUICE_KEY_PEPPER_PREVIOUS: Type.Optional(pepper('The one before it, for the keys of its time')),
});

export type KeyConfig = ReturnType<typeof loadKeyConfig>;

/** Throws InvalidConfig with all problems. */
export function loadKeyConfig(env: Env) {
  checkSettings([() => loadConfig(schema, env), () => loadEnvelopeSettings(env)]);
  return loadConfig(schema, env);
}

const noteUsesSchema = Type.Object({ ...processSettings, ...readModelSettings, ...busSettings });

/** Returns the settings of the part that notes uses of keys. Throws InvalidConfig with all problems. */
export function loadNoteUsesConfig(env: Env) {
  return loadConfig(noteUsesSchema, env);
}

/** The peppers by version: the current one, and the one before it when there is one. */
export function peppersOf(config: KeyConfig): Peppers {
  const currentVersion = config.SLUICE_KEY_PEPPER_VERSION;
  const byVersion = new Map([[currentVersion, config.SLUICE_KEY_PEPPER]]);
  const previous = config.SLUICE_KEY_PEPPER_PREVIOUS;
  if (previous !== undefined) byVersion.set(currentVersion - 1, previous);
  return { currentVersion, byVersion };
}
