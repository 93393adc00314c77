import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const version = '2.12.15';
// These are the checksums that the project's own container images pin (nats-io/nats-docker, 2.12.x).
const sha256: Readonly<Record<string, string>> = {
  'linux-amd64': '58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e',
  'linux-arm64': 'b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6',
};
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const timeoutMs = 120_000;

/**
 * The official release, unpacked under `folder`; its checksum is pinned here. Undefined where
 * none is pinned for this machine. Throws when it cannot be fetched or is not what was pinned.
 */
export async function unpackRelease(folder: string): Promise<string | undefined> {
  const target = `${process.platform}-${architectures[process.arch]}`;
  const expected = sha256[target];
  if (expected === undefined) return undefined;
  const name = `nats-server-v${version}-${target}`;
  const response = await fetch(
    `https://github.com/nats-io/nats-server/releases/download/v${version}/${name}.tar.gz`,
    { signal: AbortSignal.timeout(timeoutMs) },
  );
  if (!response.ok) throw new Error(`the release answered ${response.status}`);
  const archive = Buffer.from(await response.arrayBuffer());
  requireChecksum(archive, expected);
  await writeFile(join(folder, 'release.tar.gz'), archive);
  await promisify(execFile)('tar', ['-xzf', 'release.tar.gz'], { cwd: folder, timeout: timeoutMs });
  return join(folder, name, 'nats-server');
}

/** Throws when the bytes are not those whose SHA-256 (hex) is expected. */
export function requireChecksum(bytes: Uint8Array, expected: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== expected) throw new Error(`checksum ${found} instead of ${expected}`);
}
