import { join } from 'node:path';
import { readPrivateFile } from '@sluice/embedded';
import { defaultNamespace } from '@sluice/es';
import { InvalidConfig, Secret } from '@sluice/boot';
import { type FileEngines, openFileEngines } from '@sluice/routing/file-parser';
import { loadSearchEngines, type SearchEngine } from '@sluice/routing/web-search';
import { type Files, loadFileSettings, openFiles } from '@sluice/workspace/files';
import { type Environment, NoConnections, readConnectionsFile } from '../connections-file.ts';
import { requireUrl } from '../connections.ts';

/** Holds the addresses of an installation's data. A reason stands for an address that is not known. */
export interface DoctorSettings {
  readonly eventStore: Secret | Unknown;
  readonly postgres: Secret | Unknown;
  readonly nats: NatsSettings | Unknown;
  readonly peppers: PepperSettings | Unknown;
  readonly searchEngines: readonly SearchEngine[] | Unknown;
  readonly fileEngines: FileEngines | Unknown;
  readonly files: FilesPlace | Unknown;
  /** The sandbox service. Undefined where none is configured. */
  readonly sandbox: SandboxAddress | undefined;
  /** The event store's streams begin with it and a dot; empty for no namespace. */
  readonly namespace: string;
}

export interface SandboxAddress {
  /** `host:port` */
  readonly address: string;
  readonly token: string;
}

export interface FilesPlace {
  /** If undefined, contents lie on the disk of the workspace service. */
  readonly bucket: string | undefined;
  readonly open: (directory: string) => Promise<Files>;
}

export interface NatsSettings {
  readonly url: string;
  readonly token: Secret | undefined;
  readonly monitorUrl: string | undefined;
}

/** The peppers of the key service by their version; none if the doctor was not given them. */
export interface PepperSettings {
  readonly byVersion: ReadonlyMap<number, Secret>;
  /** Their place in a sentence. */
  readonly source: string;
}

/** A setting that is missing or wrong, as a sentence without its end. */
export interface Unknown {
  readonly unknown: string;
}

export function isUnknown(setting: object): setting is Unknown {
  return 'unknown' in setting;
}

/** Reads the environment. Missing settings come from `run/connections.json` of a local Sluice. */
export async function findDoctorSettings(env: Environment): Promise<DoctorSettings> {
  const file = await localConnections(env);
  const natsUrl = env['SLUICE_NATS_URL'] || file?.nats_url;
  const token = env['SLUICE_NATS_URL'] ? env['SLUICE_NATS_TOKEN'] : file?.nats_token;
  const monitorUrl = env['SLUICE_NATS_URL']
    ? env['SLUICE_NATS_MONITOR_URL']
    : file?.nats_monitor_url;
  return {
    eventStore: orUnknown(() =>
      requireUrl('eventStoreUrl', env['SLUICE_EVENTSTORE_URL'] || file?.eventstore_url),
    ),
    postgres: orUnknown(() =>
      requireUrl('postgresUrl', env['SLUICE_POSTGRES_URL'] || file?.postgres_url),
    ),
    nats: natsUrl
      ? {
          url: natsUrl,
          token: token ? new Secret(token) : undefined,
          monitorUrl: monitorUrl || undefined,
        }
      : { unknown: 'SLUICE_NATS_URL is not set' },
    peppers: await findPeppers(env, file?.postgres_url),
    searchEngines: loaded(() => loadSearchEngines(env)),
    fileEngines: loaded(() => openFileEngines(env)),
    files: loaded(() => ({
      bucket: loadFileSettings(env).SLUICE_FILES_S3_BUCKET,
      open: (directory) => openFiles(env, directory),
    })),
    sandbox: sandboxOf(
      env['SLUICE_SANDBOX_ADDRESS'] || file?.sandbox_address,
      env['SLUICE_RPC_TOKEN'] || file?.rpc_token,
    ),
    namespace: env['SLUICE_EVENTSTORE_NAMESPACE'] ?? file?.eventstore_namespace ?? defaultNamespace,
  };
}

/** Takes the file of a local Sluice only for the database of that Sluice. */
async function findPeppers(
  env: Environment,
  localPostgresUrl: string | undefined,
): Promise<PepperSettings | Unknown> {
  const [current, previous] = [env['SLUICE_KEY_PEPPER'], env['SLUICE_KEY_PEPPER_PREVIOUS']];
  const byVersion = new Map<number, Secret>();
  if (current) {
    const version = Number(env['SLUICE_KEY_PEPPER_VERSION'] || 1);
    byVersion.set(version, new Secret(current));
    if (previous) byVersion.set(version - 1, new Secret(previous));
    return { byVersion, source: 'SLUICE_KEY_PEPPER' };
  }
  const directory = env['SLUICE_DATA_DIR'] || '.data';
  const postgresUrl = env['SLUICE_POSTGRES_URL'];
  if (postgresUrl && postgresUrl !== localPostgresUrl) return { byVersion, source: '' };
  const path = join(directory, 'secrets', 'key-pepper');
  const pepper = (await readPrivateFile(path).catch(() => undefined))?.trim();
  if (pepper) byVersion.set(1, new Secret(pepper));
  else if (localPostgresUrl !== undefined) return { unknown: `${path} cannot be read` };
  return { byVersion, source: path };
}

function sandboxOf(
  address: string | undefined,
  token: string | undefined,
): SandboxAddress | undefined {
  return address && token ? { address, token } : undefined;
}

function loaded<Setting extends object>(load: () => Setting): Setting | Unknown {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    return { unknown: error.message.replaceAll(/\s+/g, ' ').replace(/\.$/, '') };
  }
}

async function localConnections(env: Environment) {
  try {
    return await readConnectionsFile(env, 'the settings');
  } catch (error) {
    // Each missing setting is a finding of its own.
    if (error instanceof NoConnections) return undefined;
    throw error;
  }
}

function orUnknown(url: () => string): Secret | Unknown {
  try {
    return new Secret(url());
  } catch (error) {
    if (!(error instanceof NoConnections)) throw error;
    return { unknown: error.message.replace(/\.$/, '') };
  }
}
