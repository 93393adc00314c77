import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { parseCpuList } from '../harness/machine/cpu-list.ts';
import { measureCell } from './measure-cell.ts';
import { headlineCell, latencyCell } from './plan.ts';
import { rowsOf } from './rows.ts';
import { pinSubjects, startSurroundings, type Surroundings } from './surroundings.ts';

const short = { closedMs: 200, openMs: 200 };
let surroundings: Surroundings;
beforeAll(async () => {
  surroundings = await startSurroundings({
    folder: tmpdir(),
    names: ['direct', 'bare'],
    settings: {},
    onProgress() {},
  });
});
afterAll(() => surroundings?.stop());

describe('a cell', () => {
  test('is measured with everyone in it, in figures that are there', async () => {
    const samples = await measureCell(surroundings, { ...headlineCell, ...short }, 1);
    const rows = rowsOf(samples);
    deepEqual(
      rows.map(({ name, faults }) => [name, faults]),
      [
        ['direct', {}],
        ['bare', {}],
      ],
    );
    for (const row of rows) {
      for (const figure of [row.rps, row.p50_ms, row.rss_mb])
        ok(figure !== null && figure > 0, JSON.stringify(row));
      // The kernel counts in hundredths of a second.
      ok(row.cpu_us_per_request !== null && row.cpu_us_per_request >= 0, JSON.stringify(row));
    }
    equal(rows[1]?.ratios.vs_bare_proxy, 1);
  });

  test('of lone requests asks everyone at the same rate', async () => {
    const samples = await measureCell(surroundings, { ...latencyCell, ...short }, 2);
    equal(new Set(samples.map((sample) => sample.figures?.open_rps)).size, 1);
    // Another round begins with another one.
    equal(samples[0]?.name, 'bare');
  });

  test('in which one answers wrongly has no figures of that one, and those of the others', async () => {
    const subjects = surroundings.subjects.map((subject) =>
      subject.name === 'bare' ? { ...subject, path: '/v1/nothing' } : subject,
    );
    const cell = { ...headlineCell, ...short };
    const rows = rowsOf(await measureCell({ ...surroundings, subjects }, cell, 1));
    const [direct, bare] = rows;
    ok(direct?.rps);
    deepEqual([bare?.rps, bare?.p50_ms, direct.ratios.vs_bare_proxy], [null, null, null]);
    match(Object.keys(bare?.faults ?? {}).join(), /^bare: status 404/);
  });
});

test('what is measured runs where it was put', async () => {
  await pinSubjects(surroundings);
  const bare = surroundings.subjects.find(({ name }) => name === 'bare');
  const { placement } = surroundings.pinning;
  for (const pid of (await bare?.pids())?.measured ?? []) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const allowed = parseCpuList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
    if (placement) deepEqual(allowed, placement.subject);
    else ok(allowed.length > 0);
  }
});
