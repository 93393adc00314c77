import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The first that knows `sync_interval: always`, without which a power cut loses acknowledged messages. */
export const oldestVersion = '2.10';

/** Returns true if a version such as `2.10.27-1+b2` or `v2.12.0` is new enough. */
export function isNewEnough(version: string): boolean {
  const found = /^v?(\d+)\.(\d+)/.exec(version.trim());
  if (!found) return false;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > 2 || (major === 2 && minor >= 10);
}

/** Returns the version that `nats-server --version` prints. undefined: it does not run. */
export async function versionOf(binary: string): Promise<string | undefined> {
  const answer = await promisify(execFile)(binary, ['--version']).catch(() => undefined);
  return /nats-server: v(\S+)/.exec(answer?.stdout ?? '')?.[1];
}
