import { join } from 'node:path';
import { type KeyManagement, localKeyManagement, transitKeyManagement } from '@sluice/envelope';
import { Type } from 'typebox';
import { type Env, InvalidConfig, loadConfig, secret } from './config.ts';

const envelopeSchema = Type.Object({
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_ENVELOPE_KEY_FILE: Type.Optional(
    Type.String({
      description:
        'The keys that credentials are sealed under; else secrets/envelope-keys of the data directory',
    }),
  ),
  SLUICE_TRANSIT_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'A transit engine that keeps those keys instead: https://host/v1/transit',
    }),
  ),
  SLUICE_TRANSIT_KEY: Type.String({ default: 'sluice', description: 'The name of the key there' }),
  SLUICE_TRANSIT_TOKEN: Type.Optional(secret('The token of the transit engine')),
});

/**
 * Opens the key-encryption keys: in a transit engine where the environment names one, else in a file that
 * the first start makes. Throws InvalidConfig and KeyFileProblem.
 */
export async function openKeyManagement(env: Env): Promise<KeyManagement> {
  const config = loadEnvelopeSettings(env);
  const { SLUICE_TRANSIT_URL: url, SLUICE_TRANSIT_TOKEN: token } = config;
  if (url === undefined || token === undefined) {
    const file = join(config.SLUICE_DATA_DIR, 'secrets', 'envelope-keys');
    return localKeyManagement(config.SLUICE_ENVELOPE_KEY_FILE ?? file);
  }
  return transitKeyManagement({ url, keyName: config.SLUICE_TRANSIT_KEY, token: token.reveal() });
}

/** Reads where the key-encryption keys are. Throws InvalidConfig. */
export function loadEnvelopeSettings(env: Env) {
  const config = loadConfig(envelopeSchema, env);
  if (config.SLUICE_TRANSIT_URL !== undefined && config.SLUICE_TRANSIT_TOKEN === undefined)
    throw new InvalidConfig(
      'Settings: SLUICE_TRANSIT_TOKEN is missing: SLUICE_TRANSIT_URL needs the token of that engine',
    );
  return config;
}
