import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, onTestFinished, test } from 'vitest';
import { ArchiveFile, freeName, readLines, sumFile } from './archive-file.ts';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-archive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function linesOf(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(path)) lines.push(line);
  return lines;
}

describe('an archive', () => {
  test('has its name only once it is whole', async () => {
    const folder = join(await aFolder(), 'made');
    const file = await ArchiveFile.create(folder, 'a.gz');
    await file.write(['one']);
    deepEqual(await readdir(folder), ['a.gz.part']);
    await file.finish();
    deepEqual(await readdir(folder), ['a.gz']);
  });

  test('has all lines, whatever is in them, and the sum that is told', async () => {
    const folder = await aFolder();
    const file = await ArchiveFile.create(folder, 'a.gz');
    const lines = Array.from(
      { length: 5_000 },
      (_one, at) => `{"at":${at},"text":"ü€𝄞 ${'x'.repeat(at % 97)}"}`,
    );
    for (let at = 0; at < lines.length; at += 500) await file.write(lines.slice(at, at + 500));
    await file.write([]);
    const sum = await file.finish();
    const path = join(folder, 'a.gz');
    deepEqual(await linesOf(path), lines);
    deepEqual(await sumFile(path), sum);
    equal(gunzipSync(await readFile(path)).toString(), `${lines.join('\n')}\n`);
  });

  test('that is given up leaves nothing, and one that was left is written again', async () => {
    const folder = await aFolder();
    await writeFile(join(folder, 'a.gz.part'), 'left by a process that ended');
    const given = await ArchiveFile.create(folder, 'b.gz');
    await given.write(['one']);
    await given.discard();
    const file = await ArchiveFile.create(folder, 'a.gz');
    await file.write(['two']);
    await file.finish();
    deepEqual(await readdir(folder), ['a.gz']);
    deepEqual(await linesOf(join(folder, 'a.gz')), ['two']);
  });

  test('that is not there has no sum, and one that is cut off cannot be read', async () => {
    const folder = await aFolder();
    equal(await sumFile(join(folder, 'none.gz')), undefined);
    const file = await ArchiveFile.create(folder, 'a.gz');
    await file.write(Array.from({ length: 1_000 }, (_one, at) => `${at * 7919}`));
    const sum = await file.finish();
    const path = join(folder, 'a.gz');
    await writeFile(path, (await readFile(path)).subarray(0, -20));
    ok((await sumFile(path))?.sha256 !== sum.sha256);
    await rejects(linesOf(path));
  });
});

test('a name says the day, and is that of no other file', async () => {
  const folder = await aFolder();
  equal(await freeName(folder, '2026-11-18'), 'sluice-ledger-2026-11-18.jsonl.gz');
  await writeFile(join(folder, 'sluice-ledger-2026-11-18.jsonl.gz'), '');
  equal(await freeName(folder, '2026-11-18'), 'sluice-ledger-2026-11-18-2.jsonl.gz');
  equal(await freeName(join(folder, 'none'), '2026-11-18'), 'sluice-ledger-2026-11-18.jsonl.gz');
});
