import { Type } from 'typebox';
import { type Env, aggregateSettings, checkSettings, loadConfig, Secret } from '@sluice/boot';
import type { DirectorySettings } from './directory/configured-directory.ts';

const schema = Type.Object({
  ...aggregateSettings,
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
  SLUICE_ROUTING_ADDRESS: Type.String({ description: 'host:port of routing' }),
});

const directorySettings = Type.Object({
  SLUICE_DIRECTORY_URL: Type.String({
    default: '',
    pattern: '^(?:$|file:///|https?://)',
    description: 'A folder (file:///…) or a service (https://…) with the users and groups',
  }),
  SLUICE_DIRECTORY_TOKEN: Type.String({ default: '', description: 'The token for that service' }),
});

/** Throws InvalidConfig with all problems. */
export function loadAccountConfig(env: Env) {
  checkSettings([() => loadConfig(schema, env), () => loadDirectorySettings(env)]);
  return { ...loadConfig(schema, env), directory: loadDirectorySettings(env) };
}

/** Only the directory: for a process that runs this service together with others. */
export function loadDirectorySettings(env: Env): DirectorySettings {
  const given = loadConfig(directorySettings, env);
  const { SLUICE_DIRECTORY_URL: url, SLUICE_DIRECTORY_TOKEN: token } = given;
  return { url, token: token === '' ? undefined : new Secret(token) };
}
