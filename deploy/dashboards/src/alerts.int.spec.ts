import { deepEqual, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePromtool } from '@sluice/testing/promtool';
import { describe, test } from 'vitest';

const folder = join(import.meta.dirname, '../prometheus');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('every alert', () => {
  test('has a case of promtool, which begins without it', () => {
    const rules = [...read('alerts.yaml').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
    const cases = read('alerts.test.yaml')
      .split(/^ {2}- name: /m)
      .slice(1);
    deepEqual(
      cases.map((text) => text.split('\n')[0]),
      rules,
    );
    for (const text of cases) {
      match(text, /values: '[01][ +]/);
      match(text, /eval_time: 0m,\s+exp_samples: \[\]/);
    }
  });

  test('fires after its first event, says promtool', async () => {
    const promtool = await ensurePromtool();
    const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', 'alerts.test.yaml'], {
      cwd: folder,
    });
    match(stdout, /SUCCESS/);
  });
});
