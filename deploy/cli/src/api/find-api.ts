import { Secret } from '@sluice/boot';
import { type Static, Type } from 'typebox';
import { type Environment, NoConnections, readDataFile } from '../connections-file.ts';

/** The HTTP API of a Sluice and the key that opens its management plane. */
export interface Api {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly managementKey: Secret;
  /** Calls models; undefined where only a management key is given. */
  readonly apiKey: Secret | undefined;
}

const schema = Type.Object({
  base_url: Type.String(),
  management_key: Type.String(),
  api_key: Type.Optional(Type.String()),
  organization_id: Type.String(),
});

/** From the environment, or what the first start of a local Sluice left. Throws NoConnections. */
export async function findApi(env: Environment): Promise<Api> {
  const url = env['SLUICE_BASE_URL'];
  const key = env['SLUICE_MANAGEMENT_KEY'];
  const apiKey = env['SLUICE_API_KEY'];
  if (url && key) return apiOf(url, key, apiKey);
  const file = await readBootstrapFile(env, 'SLUICE_BASE_URL and SLUICE_MANAGEMENT_KEY');
  return apiOf(url || file.base_url, key || file.management_key, apiKey || file.api_key);
}

function apiOf(url: string, key: string, apiKey: string | undefined): Api {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new NoConnections('SLUICE_BASE_URL is not a URL that begins with http:// or https://.');
  return {
    baseUrl: url.replace(/\/+$/, ''),
    managementKey: new Secret(key),
    apiKey: apiKey ? new Secret(apiKey) : undefined,
  };
}

/** The organization that the first start of a local Sluice made. Throws NoConnections. */
export async function findOrganization(env: Environment): Promise<string> {
  return (await readBootstrapFile(env, '--account')).organization_id;
}

async function readBootstrapFile(
  env: Environment,
  instead: string,
): Promise<Static<typeof schema>> {
  return await readDataFile(env, {
    place: 'bootstrap.json',
    schema,
    lacking: 'No Sluice has been started',
    writer: 'a first start',
    otherwise: `give ${instead}`,
  });
}
