import {
  providerPresets,
  type ChatOptions,
  type Dialect,
  type ProviderPreset,
} from '@sluice/providers';
import { Secret } from '@sluice/boot';
import type { DataPolicy, ProviderFacts } from './catalog.ts';

/** An account at an upstream: how its endpoints are reached. */
export interface Provider {
  readonly slug: string;
  readonly name: string;
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly apiKey: Secret | undefined;
  /** Certificates in PEM that are trusted there instead of the public authorities. */
  readonly authorities?: string | undefined;
  readonly chat: ChatOptions;
  /** The models of the provider are not known beforehand, and cost nothing. */
  readonly isLocal: boolean;
  /** Answers are sent to be stored there, so that usage can be asked for after a crash. */
  readonly keepsAnswers?: boolean;
  /** It stops generating, and charging, when a stream is closed. */
  readonly cancelsStreams?: boolean;
  /** It has functions alone, whatever its dialect: namespaces and freeform tools become functions. */
  readonly hasFunctionsOnly?: boolean;
  /** Only accounts with a credential of their own are served by it. */
  readonly isByokOnly?: boolean;
  /** The policy of endpoints without one. Absent: prompts are kept. */
  readonly dataPolicy?: DataPolicy | undefined;
  readonly facts?: ProviderFacts;
}

/** The value of a setting by its name; undefined: it is not set. */
export type Settings = (name: string) => string | undefined;

/** Returns the built-in providers whose setting is present. Throws a TypeError that names a wrong setting. */
export function builtInProviders(settings: Settings): readonly Provider[] {
  const byokOnly = byokProviders(settings);
  return providerPresets.flatMap((preset) => {
    const providers = switchedOn(preset, settings);
    return providers.length > 0 || !byokOnly.has(preset.slug) ? providers : [servedByOwn(preset)];
  });
}

const byokSetting = 'SLUICE_BYOK_PROVIDERS';
/** The address of a provider whose credentials carry their own. */
const nowhere = 'https://provider.invalid';

function byokProviders(settings: Settings): ReadonlySet<string> {
  const hosted = providerPresets.filter(({ isLocal }) => !isLocal).map(({ slug }) => slug);
  const named = (settings(byokSetting) ?? '').split(',').map((slug) => slug.trim());
  const slugs = named.includes('all') ? hosted : named.filter((slug) => slug !== '');
  const unknown = slugs.find((slug) => !hosted.includes(slug));
  if (unknown !== undefined)
    throw new TypeError(`${byokSetting} names ${unknown}: there is no such provider`);
  return new Set(slugs);
}

function servedByOwn(preset: ProviderPreset): Provider {
  const { slug, name, dialect, chat, baseUrl = nowhere, cancelsStreams = false } = preset;
  return {
    cancelsStreams,
    slug,
    name,
    dialect,
    chat,
    baseUrl,
    apiKey: undefined,
    isLocal: false,
    isByokOnly: true,
  };
}

function switchedOn(preset: ProviderPreset, settings: Settings): readonly Provider[] {
  const { slug, name, dialect, chat, keySetting, isLocal = false, cancelsStreams = false } = preset;
  const key = keySetting === undefined ? undefined : settings(keySetting) || undefined;
  const baseUrl =
    preset.addressSetting === undefined ? preset.baseUrl : addressOf(preset, settings);
  if (baseUrl === undefined) return [];
  if (preset.addressSetting === undefined && key === undefined) return [];
  const apiKey = key === undefined ? undefined : new Secret(key);
  return [{ slug, name, dialect, chat, baseUrl, apiKey, isLocal, cancelsStreams }];
}

/** `127.0.0.1:11434` or a URL, with or without the path of the API. */
function addressOf(preset: ProviderPreset, settings: Settings): string | undefined {
  const { addressSetting = '', addressPath = '' } = preset;
  const address = settings(addressSetting);
  if (!address) return undefined;
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `http://${address}`);
  if (!url) throw new TypeError(`${addressSetting} is no address`);
  const root = url.href.replace(/\/+$/, '');
  return root.endsWith(addressPath) ? root : `${root}${addressPath}`;
}
