import { type Env, type Config, InvalidConfig, loadConfig, secret } from '@sluice/boot';
import { type FileStore, openLocalFileStore, openS3FileStore } from '@sluice/file-store';
import { Type } from 'typebox';
import type { FileLimits } from './domain/workspace-files/commands.ts';

const schema = Type.Object({
  SLUICE_FILES_MAX: Type.Integer({
    default: 1_000,
    minimum: 1,
    maximum: 10_000,
    description: 'Files of one workspace',
  }),
  SLUICE_FILES_MIB_MAX: Type.Integer({
    default: 10_240,
    minimum: 1,
    maximum: 1_048_576,
    description: 'The size of all files of one workspace',
  }),
  SLUICE_FILES_S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description: 'The bucket that contents lie in. Absent: they lie in SLUICE_DATA_DIR',
    }),
  ),
  SLUICE_FILES_S3_URL: Type.String({
    default: 'https://s3.amazonaws.com',
    // A name and a password in the address would show in errors.
    pattern: '^https?://[^\\s@?#]+$',
    description: 'The server of the bucket',
  }),
  SLUICE_FILES_S3_REGION: Type.String({ default: 'us-east-1', pattern: '^[a-z0-9-]{1,64}$' }),
  SLUICE_FILES_S3_PREFIX: Type.String({
    default: '',
    pattern: '^(?:[A-Za-z0-9_-]{1,64}/){0,8}$',
    description: 'Begins the names of the objects; ends with a slash',
  }),
  SLUICE_FILES_S3_ACCESS_KEY_ID: Type.Optional(Type.String({ pattern: '^[!-~]{1,128}$' })),
  SLUICE_FILES_S3_SECRET_ACCESS_KEY: Type.Optional(secret('The secret of that access key')),
  SLUICE_FILES_S3_SESSION_TOKEN: Type.Optional(secret('The token of a temporary access key')),
});

/** The files of workspaces: where contents lie, and how many a workspace may have. */
export interface Files {
  readonly store: FileStore;
  readonly limits: FileLimits;
}

const mebibyte = 1_048_576;

/**
 * Opens the store that the settings name. The folder holds the contents, or those on their way to a bucket. Throws
 * InvalidConfig with all problems.
 */
export async function openFiles(env: Env, directory: string): Promise<Files> {
  const settings = loadFileSettings(env);
  const limits = {
    filesMax: settings.SLUICE_FILES_MAX,
    bytesMax: settings.SLUICE_FILES_MIB_MAX * mebibyte,
  };
  return { store: await openStore(settings, directory), limits };
}

type Settings = Config<typeof schema>;

/** Throws InvalidConfig with all problems. */
export function loadFileSettings(env: Env): Settings {
  const settings = loadConfig(schema, env);
  if (settings.SLUICE_FILES_S3_BUCKET === undefined) return settings;
  // A bucket without a key is a mistake that would show with the first upload.
  const { SLUICE_FILES_S3_ACCESS_KEY_ID: id, SLUICE_FILES_S3_SECRET_ACCESS_KEY: key } = settings;
  const missing = [
    ...(id === undefined ? ['SLUICE_FILES_S3_ACCESS_KEY_ID is missing'] : []),
    ...(key === undefined ? ['SLUICE_FILES_S3_SECRET_ACCESS_KEY is missing'] : []),
  ];
  if (missing.length > 0) throw new InvalidConfig(missing.join('; '));
  return settings;
}

async function openStore(settings: Settings, directory: string): Promise<FileStore> {
  const {
    SLUICE_FILES_S3_BUCKET: bucket,
    SLUICE_FILES_S3_ACCESS_KEY_ID: accessKeyId,
    SLUICE_FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return await openLocalFileStore({ directory });
  return await openS3FileStore({
    endpoint: settings.SLUICE_FILES_S3_URL,
    bucket,
    region: settings.SLUICE_FILES_S3_REGION,
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    sessionToken: settings.SLUICE_FILES_S3_SESSION_TOKEN?.reveal(),
    prefix: settings.SLUICE_FILES_S3_PREFIX,
    directory,
  });
}
