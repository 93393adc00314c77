import { equal, notEqual, ok } from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { scratchDirectory } from '../testing/scratch.ts';
import { keepCertificates, type CertificateOptions } from './certificates.ts';

const yearMs = 365 * 24 * 3_600_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');

async function kept(options: Partial<CertificateOptions> & { readonly directory: string }) {
  const pair = await keepCertificates({ hosts: ['127.0.0.1'], nowMs: startMs, ...options });
  const authority = await readFile(join(options.directory, 'ca.crt'), 'utf8');
  return { ...pair, authority };
}

describe('the certificates of the node', () => {
  test('are made once, and the same at each start', async () => {
    const directory = await scratchDirectory();
    const first = await kept({ directory });
    const second = await kept({ directory, nowMs: startMs + yearMs });
    equal(second.certificate, first.certificate);
    equal(second.authority, first.authority);
  });

  test('are renewed at a start long before they expire, under the same authority', async () => {
    const directory = await scratchDirectory();
    const first = await kept({ directory });
    const nowMs = startMs + 7 * yearMs;
    const second = await kept({ directory, nowMs });
    notEqual(second.certificate, first.certificate);
    equal(second.authority, first.authority);
    ok(new X509Certificate(second.certificate).validToDate.getTime() > nowMs + 8 * yearMs);
  });

  test('are renewed with their authority when that comes to its end', async () => {
    const directory = await scratchDirectory();
    const first = await kept({ directory });
    const second = await kept({ directory, nowMs: startMs + 25 * yearMs });
    notEqual(second.authority, first.authority);
    const authority = new X509Certificate(second.authority);
    ok(new X509Certificate(second.certificate).verify(authority.publicKey));
  });

  test('are made anew for another host', async () => {
    const directory = await scratchDirectory();
    const hosts = ['127.0.0.1', 'node.example'];
    const [before, after] = [await kept({ directory }), await kept({ directory, hosts })];
    equal(new X509Certificate(before.certificate).checkHost('node.example'), undefined);
    equal(new X509Certificate(after.certificate).checkHost('node.example'), 'node.example');
    equal(new X509Certificate(after.certificate).checkIP('127.0.0.1'), '127.0.0.1');
  });

  test.each(['ca.crt', 'ca.key', 'node.crt', 'node.key'])(
    'are made anew when a crash or a hand has spoiled %s',
    async (name) => {
      const directory = await scratchDirectory();
      const elsewhere = await scratchDirectory();
      await kept({ directory });
      await kept({ directory: elsewhere });
      const foreign = await readFile(join(elsewhere, name), 'utf8');
      for (const content of ['', 'nothing of the kind', foreign]) {
        await writeFile(join(directory, name), content);
        const { certificate, authority } = await kept({ directory });
        const { publicKey } = new X509Certificate(authority);
        ok(new X509Certificate(certificate).verify(publicKey));
      }
    },
  );

  test('are in files that only the owner may read', async () => {
    const directory = await scratchDirectory();
    await kept({ directory });
    const names = await readdir(directory);
    equal(names.length, 4);
    for (const name of names) equal((await stat(join(directory, name))).mode & 0o777, 0o600);
  });
});
