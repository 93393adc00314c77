import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** A part of the system that commands see, read-only. */
export type SystemPart =
  | { readonly kind: 'bind'; readonly source: string; readonly path: string }
  | { readonly kind: 'link'; readonly target: string; readonly path: string };

const etcNames = ['alternatives', 'ca-certificates', 'ld.so.cache', 'ssl/certs', 'ssl/openssl.cnf'];

/** Returns the parts of a system: its `/usr`, where `/bin` and its like lie in there, and a few files of `/etc`. */
export async function findSystem(rootDirectory: string): Promise<readonly SystemPart[]> {
  const parts: SystemPart[] = [bind(rootDirectory, 'usr')];
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64']) {
    const stats = await lstat(join(rootDirectory, name)).catch(() => undefined);
    if (stats?.isSymbolicLink())
      parts.push({ kind: 'link', target: `usr/${name}`, path: `/${name}` });
    else if (stats?.isDirectory()) parts.push(bind(rootDirectory, name));
  }
  for (const name of etcNames) {
    const part = bind(rootDirectory, join('etc', name));
    const isThere = await access(part.source).then(
      () => true,
      () => false,
    );
    if (isThere) parts.push(part);
  }
  return parts;
}

const bind = (rootDirectory: string, name: string) =>
  ({ kind: 'bind', source: join(rootDirectory, name), path: `/${name}` }) as const;
