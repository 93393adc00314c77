import { type Problem, problemsOf } from '@sluice/client-schemas';
import { repeatedHeaders, reservedHeaders } from './headers.ts';
import { type AnyConfig, configSchemas, type DestinationType } from './types.ts';

interface Field {
  readonly isSecret?: boolean;
  readonly isUrl?: boolean;
  readonly default?: unknown;
}

/** A URL that the service will call, and its place in the settings. */
export interface ConfigUrl {
  readonly path: string;
  readonly url: string;
}

const problemsMax = 20;
const path = 'config';
const shownAtStart = 3;
const shownAtEnd = 4;
/** Shorter ones are not shown at all: their ends would be most of them. */
const shownLengthMin = 16;

/** Lists the problems of the settings of a type, with paths that begin with `config`. */
export function configProblems(type: DestinationType, config: AnyConfig): readonly Problem[] {
  const problems = problemsOf(configSchemas[type], config, { path, max: problemsMax });
  if (problems.length > 0) return problems;
  const headers = headersOf(config);
  return [
    ...reservedHeaders(headers).map((name) => ({
      path: `${path}.headers.${name}`,
      message: 'must not be set: the sender sets it',
    })),
    ...repeatedHeaders(headers).map((name) => ({
      path: `${path}.headers.${name}`,
      message: 'stands in the headers already',
    })),
  ];
}

/** Adds the defaults of fields that are absent, and leaves out those that are null. */
export function completeConfig(type: DestinationType, config: AnyConfig): AnyConfig {
  const defaults = fieldsOf(type).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(given) };
}

/**
 * Merges a change into the settings, key by key. A value that equals the masked form of the current one keeps it; null
 * takes a field away. `headers` is replaced as a whole, except for masked values.
 */
export function mergeConfig(
  type: DestinationType,
  current: AnyConfig,
  change: AnyConfig,
): AnyConfig {
  const masked = maskConfig(type, current);
  const kept = (name: string, value: unknown): unknown => {
    if (name === 'headers') return mergeHeaders(headersOf(current), value);
    return value === masked[name] ? current[name] : value;
  };
  const changes = Object.entries(change).map(([name, value]) => [name, kept(name, value)] as const);
  return completeConfig(type, { ...current, ...Object.fromEntries(changes) });
}

function mergeHeaders(current: Readonly<Record<string, string>>, change: unknown): unknown {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const byName = new Map(Object.entries(current).map(([name, it]) => [name.toLowerCase(), it]));
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      const before = byName.get(name.toLowerCase());
      return [name, before !== undefined && value === mask(before) ? before : value];
    }),
  );
}

/** Returns the settings that may be shown and stored in clear: of each secret and each header only its ends. */
export function maskConfig(type: DestinationType, config: AnyConfig): AnyConfig {
  const secrets = new Set(
    fieldsOf(type).flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])),
  );
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (name === 'headers') return [name, maskedValues(headersOf(config))];
      return [name, secrets.has(name) && typeof value === 'string' ? mask(value) : value];
    }),
  );
}

/** Returns the URLs of settings that have no problem. */
export function configUrls(type: DestinationType, config: AnyConfig): readonly ConfigUrl[] {
  return fieldsOf(type).flatMap(([name, { isUrl }]) => {
    const url = config[name];
    return isUrl && typeof url === 'string' ? [{ path: `${path}.${name}`, url }] : [];
  });
}

function maskedValues(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(value)]));
}

function headersOf(config: AnyConfig): Readonly<Record<string, string>> {
  return (config['headers'] ?? {}) as Readonly<Record<string, string>>;
}

function fieldsOf(type: DestinationType): readonly (readonly [string, Field])[] {
  return Object.entries(configSchemas[type].properties) as [string, Field][];
}

function mask(secret: string): string {
  if (secret.length < shownLengthMin) return '...';
  return `${secret.slice(0, shownAtStart)}...${secret.slice(-shownAtEnd)}`;
}
