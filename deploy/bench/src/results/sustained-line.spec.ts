import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { sustainedLine } from './sustained-line.ts';

const sustained = {
  sustained_rps: 2_345.6,
  vs_bare: 0.2,
  vs_portkey: null,
  lag_p99_s: 0.3,
  date: '2026-11-27T12:00:00.000Z',
  commit: '0123456789abcdef',
};

test('the sustained figure stands in one line, or the command that finds it', () => {
  equal(
    sustainedLine({ sustained }),
    'Sustained on the whole machine: 2346 requests/s; 0.20 times the bare proxy on one processor; ' +
      'lag 0.30 s; 2026-11-27, 01234567',
  );
  const unknown = 'Sustained: make bench-sustained has not been run here.';
  equal(sustainedLine({}), unknown);
  equal(sustainedLine({ sustained: { ...sustained, sustained_rps: null } }), unknown);
});
