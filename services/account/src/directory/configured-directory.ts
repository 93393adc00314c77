import { fileURLToPath } from 'node:url';
import type { Secret } from '@sluice/boot';
import { type DirectorySource, noDirectory } from './directory-source.ts';
import { fileDirectory } from './file-directory.ts';
import { httpDirectory } from './http-directory.ts';

export interface DirectorySettings {
  /** Empty: none. */
  readonly url: string;
  readonly token: Secret | undefined;
}

/** The directory that the settings name: a folder (`file://…`), a service (`http(s)://…`) or none. */
export function configuredDirectory({ url, token }: DirectorySettings): DirectorySource {
  if (url === '') return noDirectory;
  if (url.startsWith('file:')) return fileDirectory(fileURLToPath(url));
  return httpDirectory({ url, token: token?.reveal() });
}
