import { type Env, type Config, loadConfig, secret } from '@sluice/boot';
import { createFileEngine, type FileEngineName } from '@sluice/file-engines';
import { viaProxy } from '@sluice/web-search';
import { Type } from 'typebox';
import type { FileEngines } from '../stages/file-parser/read-with-engine.ts';
import type { FileParserSettings } from './file-parser-of.ts';
import { loadProxy } from './proxy-config.ts';

export type { FileEngines } from '../stages/file-parser/read-with-engine.ts';

const url = Type.String({
  // A name and a password in the address would show in errors.
  pattern: '^https?://[^\\s@?#]+$',
});

const schema = Type.Object({
  MISTRAL_API_KEY: Type.Optional(secret('The key for Mistral, whose OCR reads PDFs')),
  MISTRAL_OCR_BASE_URL: Type.Optional(
    Type.With(url, { description: 'Replaces the address of Mistral for its OCR' }),
  ),
  CLOUDFLARE_API_TOKEN: Type.Optional(secret('The token for Workers AI, which reads PDFs')),
  CLOUDFLARE_ACCOUNT_ID: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The account of the token' }),
  ),
  CLOUDFLARE_BASE_URL: Type.Optional(
    Type.With(url, { description: 'Replaces https://api.cloudflare.com/client/v4' }),
  ),
  SLUICE_FILE_ENGINE_TIMEOUT_MS: Type.Integer({
    default: 120_000,
    minimum: 1_000,
    maximum: 120_000,
    description: 'Milliseconds that an engine may take for one file',
  }),
  SLUICE_FILE_BYTES_MAX: Type.Optional(
    Type.Integer({
      minimum: 1_024,
      maximum: 104_857_600,
      description: 'Bytes of one file that the plugin file-parser reads; 20,971,520 when absent',
    }),
  ),
  SLUICE_FILE_PAGES_MAX: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Pages of one PDF that the plugin file-parser reads; 1,000 when absent',
    }),
  ),
  SLUICE_FILE_READ_MS: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 60_000,
      description: 'Milliseconds of processor time for one file; 10,000 when absent',
    }),
  ),
});

const cloudflareUrl = 'https://api.cloudflare.com/client/v4';

/** Reads the limits of the plugin `file-parser` that the environment sets. Throws InvalidConfig. */
export function loadFileParser(env: Env): Partial<FileParserSettings> {
  const settings = loadConfig(schema, env);
  const limits = {
    bytesMax: settings.SLUICE_FILE_BYTES_MAX,
    pagesMax: settings.SLUICE_FILE_PAGES_MAX,
    readMs: settings.SLUICE_FILE_READ_MS,
  };
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Partial<FileParserSettings>;
}

/** Returns the engines that read PDFs. The platform has those whose keys are set. Throws InvalidConfig. */
export function openFileEngines(env: Env): FileEngines {
  const settings = loadConfig(schema, env);
  const { SLUICE_FILE_ENGINE_TIMEOUT_MS: deadlineMs } = settings;
  const dial = viaProxy(loadProxy(env));
  const hosted = hostedBy(settings);
  return {
    names: (Object.keys(hosted) as FileEngineName[]).filter((name) => hosted[name].isOpen),
    open(name, ownKey) {
      const { key: platforms, baseUrl } = hosted[name];
      const key = ownKey ?? platforms;
      return key && createFileEngine({ name, key, baseUrl, deadlineMs, dial });
    },
  };
}

function hostedBy(settings: Config<typeof schema>) {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = settings;
  const cloudflare = `${settings.CLOUDFLARE_BASE_URL ?? cloudflareUrl}/accounts/${account ?? ''}`;
  return {
    'mistral-ocr': {
      key: settings.MISTRAL_API_KEY,
      baseUrl: settings.MISTRAL_OCR_BASE_URL,
      isOpen: settings.MISTRAL_API_KEY !== undefined,
    },
    'cloudflare-ai': {
      key: token,
      baseUrl: cloudflare,
      isOpen: token !== undefined && account !== undefined,
    },
  };
}
