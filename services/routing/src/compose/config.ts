import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { loadPriceList } from '@sluice/price-list';
import {
  type Env,
  checkSettings,
  type Config,
  InvalidConfig,
  lastKnownSettings,
  loadConfig,
  processSettings,
  secret,
} from '@sluice/boot';
import type { RemoteModeratorOptions } from '@sluice/moderation';
import { Type } from 'typebox';
import {
  areModelsKnown,
  type Catalog,
  type CatalogFile,
  InvalidCatalog,
  loadCatalog,
  parseCatalogFile,
  type Settings,
} from '@sluice/catalog';
import type { Durability } from '../turn/deps.ts';
import type { ByokTerms } from '../byok/byok-terms.ts';
import type { Limits } from '../turn/limits.ts';
import { loadAlignment } from './alignment-config.ts';
import { loadProxy } from './proxy-config.ts';
import { loadFileParser } from './file-parser-config.ts';
import { loadEgress } from './web-fetch-config.ts';
import { loadSearchEngines } from './web-search-config.ts';

type ParseFile = (text: string) => CatalogFile | Promise<CatalogFile>;
const url = Type.String({ pattern: '^https?://[^\\s]+$' });

const catalogSchema = Type.Object({
  SLUICE_CATALOG: Type.Optional(Type.String({ description: 'A YAML file' })),
  SLUICE_SIMULATOR_URL: Type.Optional(url),
});

const timeoutMs = Type.Integer({ minimum: 100, maximum: 600_000 });

const limitsSchema = Type.Object({
  SLUICE_UPSTREAM_TIMEOUT_MS: Type.Optional(timeoutMs),
  SLUICE_UPSTREAM_IDLE_TIMEOUT_MS: Type.Optional(timeoutMs),
});

const durabilitySchema = Type.Object({
  SLUICE_DURABILITY: Type.Enum(['strict', 'overlap'] as const, {
    type: 'string',
    default: 'overlap',
    description:
      'strict: an upstream is called when its intent is on disk, not some milliseconds before',
  }),
});

const memorySchema = Type.Object({
  SLUICE_ANSWERS_MEMORY_MIB: Type.Integer({
    default: 256,
    minimum: 16,
    maximum: 65_536,
    description: 'What all answers that are being read may keep; above it the largest is ended',
  }),
});

const moderationSchema = Type.Object({
  SLUICE_MODERATION_URL: Type.Optional(
    Type.String({
      // A name and a password in the address would show in errors.
      pattern: '^https?://[^\\s@?#]+$',
      description: 'Texts are posted to <url>/moderations; our own rules judge them when absent',
    }),
  ),
  SLUICE_MODERATION_KEY: Type.Optional(secret('The bearer token for the moderation endpoint')),
  SLUICE_MODERATION_MODEL: Type.Optional(Type.String({ maxLength: 256 })),
});

/** In whole dollars and hundredths of a per cent: an amount that has to be exact is no fraction. */
const byokSchema = Type.Object({
  SLUICE_BYOK_ALLOWANCE_USD: Type.Integer({
    default: 25_000,
    minimum: 0,
    maximum: 1_000_000,
    description: 'List price per account and month without a fee',
  }),
  SLUICE_BYOK_FEE_BASIS_POINTS: Type.Integer({ default: 500, minimum: 0, maximum: 10_000 }),
});

const listenAddress = (description: string) =>
  Type.String({ default: '127.0.0.1:0', pattern: '^[^\\s]+:\\d{1,5}$', description });

const processSchema = Type.Object({
  ...processSettings,
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_RPC_ADDRESS: listenAddress('gRPC, for other services'),
  SLUICE_INFERENCE_ADDRESS: listenAddress('HTTP, for the gateway'),
  SLUICE_RPC_TOKEN: secret('Between our own processes'),
  SLUICE_LEDGER_ADDRESS: Type.String({ minLength: 1 }),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ minLength: 1 }),
  SLUICE_GUARDRAIL_ADDRESS: Type.String({ minLength: 1 }),
  SLUICE_ACCOUNT_ADDRESS: Type.String({ minLength: 1 }),
  SLUICE_KEY_ADDRESS: Type.String({ minLength: 1 }),
  SLUICE_SANDBOX_ADDRESS: Type.Optional(
    Type.String({ description: 'host:port of the sandbox. Absent: no code of models runs' }),
  ),
  SLUICE_NATS_URL: Type.String({ minLength: 1 }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('For NATS')),
});

export type RoutingConfig = Config<typeof processSchema>;

/** The settings of routing as a process of its own. Throws InvalidConfig with the problems of all settings. */
export function loadRoutingConfig(env: Env): RoutingConfig {
  checkSettings([() => loadConfig(processSchema, env), () => checkRoutingSettings(env)]);
  return loadConfig(processSchema, env);
}

/** Throws InvalidConfig if a setting of routing is wrong: before anything starts. */
export function checkRoutingSettings(env: Env): void {
  checkSettings(
    [
      loadLimits,
      loadDurability,
      loadKeptBytesMax,
      loadModeration,
      loadLastKnownMsMax,
      loadByokTerms,
      loadCatalogSettings,
      loadProxy,
      loadSearchEngines,
      loadFileParser,
      loadEgress,
      loadAlignment,
    ].map((load) => () => load(env)),
  );
}

/** Throws InvalidConfig where the catalog file cannot be read: its contents are checked when it is loaded. */
function loadCatalogSettings(env: Env) {
  const settings = loadConfig(catalogSchema, env);
  const { SLUICE_CATALOG: path } = settings;
  if (path === undefined) return settings;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new InvalidConfig('Settings: SLUICE_CATALOG must be the path of a readable file', {
      cause: error,
    });
  }
  return settings;
}

/** Returns the time limits of upstreams that the environment sets. Throws InvalidConfig. */
export function loadLimits(env: Env): Partial<Limits> {
  const settings = loadConfig(limitsSchema, env);
  const { SLUICE_UPSTREAM_TIMEOUT_MS: outputMs, SLUICE_UPSTREAM_IDLE_TIMEOUT_MS: idleMs } =
    settings;
  return {
    ...(outputMs === undefined
      ? {}
      : {
          firstOutputTimeoutMs: outputMs,
          wholeTimeoutMs: outputMs,
          reasoningTimeoutMs: outputMs,
        }),
    ...(idleMs === undefined ? {} : { idleTimeoutMs: idleMs }),
  };
}

/** Reads which record is on disk before an upstream is called. Throws InvalidConfig. */
export function loadDurability(env: Env): Durability {
  return loadConfig(durabilitySchema, env).SLUICE_DURABILITY;
}

const bytesPerMebibyte = 1_048_576;

/** Reads the memory for all answers in progress, in bytes. Throws InvalidConfig. */
export function loadKeptBytesMax(env: Env): number {
  return loadConfig(memorySchema, env).SLUICE_ANSWERS_MEMORY_MIB * bytesPerMebibyte;
}

/** Reads the moderation endpoint; undefined: there is none. Throws InvalidConfig. */
export function loadModeration(
  env: Env,
): Pick<RemoteModeratorOptions, 'url' | 'key' | 'model'> | undefined {
  const settings = loadConfig(moderationSchema, env);
  const { SLUICE_MODERATION_URL: url, SLUICE_MODERATION_KEY: key } = settings;
  const { SLUICE_MODERATION_MODEL: model } = settings;
  if (url !== undefined) return { url, key, model };
  if (key !== undefined || model !== undefined)
    throw new InvalidConfig(
      'Settings: SLUICE_MODERATION_URL is missing, and moderation has others',
    );
  return undefined;
}

const nanoUsdPerUsd = 1_000_000_000n;

/** Returns the bound for the age of the last answer that is used while there is no newer one. Throws InvalidConfig. */
export function loadLastKnownMsMax(env: Env): number {
  const settings = loadConfig(Type.Object(lastKnownSettings), env);
  return settings.SLUICE_LAST_KNOWN_MINUTES_MAX * 60_000;
}

/** On what terms accounts use credentials of their own. Throws InvalidConfig. */
export function loadByokTerms(env: Env): ByokTerms {
  const settings = loadConfig(byokSchema, env);
  return {
    allowanceNanoUsd: BigInt(settings.SLUICE_BYOK_ALLOWANCE_USD) * nanoUsdPerUsd,
    feeBasisPoints: settings.SLUICE_BYOK_FEE_BASIS_POINTS,
  };
}

/** Loads the catalog of the environment at the prices of an instant. Throws InvalidConfig or InvalidCatalog. */
export async function catalogOf(
  env: Env,
  { instant, parse = parseCatalogFile }: { readonly instant: Date; readonly parse?: ParseFile },
): Promise<Catalog> {
  const settings = loadCatalogSettings(env);
  const path = settings.SLUICE_CATALOG;
  const named: Settings = (name) => env[name];
  const file = path === undefined ? undefined : await parse(await readCatalogFile(path));
  return loadCatalog({
    // The list takes time and memory that a catalog without such a provider has no use for.
    list: areModelsKnown(named) ? { prices: await loadPriceList(), instant } : undefined,
    simulatorUrl: settings.SLUICE_SIMULATOR_URL,
    file,
    settings: named,
    certificates: await readCertificates(file?.providers ?? []),
  });
}

/** Reads each `ca_file`, by its path. A file that cannot be read is left out, and the catalog names its provider. */
async function readCertificates(
  providers: NonNullable<CatalogFile['providers']>,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Set(
    providers.flatMap(({ ca_file: path }) => (path === undefined ? [] : [path])),
  );
  const read = [...paths].map(async (path) => [path, await readFile(path, 'utf8')] as const);
  const results = await Promise.allSettled(read);
  return new Map(results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

async function readCatalogFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new InvalidCatalog([error instanceof Error ? error.message : `${path} cannot be read`]);
  }
}
