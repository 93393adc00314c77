import { describe, expect, test } from 'vitest';
import { accepted, issuePaths, type Body } from '../testing/request-body.ts';

const trace = {
  trace_id: 't',
  trace_name: 'n',
  span_name: 's',
  generation_name: 'g',
  parent_span_id: 'p',
  anything: { goes: [1, true, null] },
};

describe('a trace', () => {
  test('is kept as it came, known keys and others', () => {
    expect(JSON.parse(accepted({ trace }).trace)).toEqual(trace);
  });

  test.each<Body>([{}, { trace: null }, { trace: {} }])('is nothing in %o', (fields) => {
    expect(accepted(fields).trace).toBe('');
  });

  test('may be large, within its bound', () => {
    const note = 'x'.repeat(8_192 - '{"note":""}'.length);
    expect(accepted({ trace: { note } }).trace).toHaveLength(8_192);
    expect(issuePaths({ trace: { note: `${note}x` } })).toEqual(['trace']);
  });

  test('may talk of escapes, but hold nothing that no table keeps', () => {
    const talk = String.raw`\u0000 and \ud83d`;
    expect(JSON.parse(accepted({ trace: { talk } }).trace)).toEqual({ talk });
    for (const odd of [{ a: 'x\0' }, { 'b\0': 1 }, { c: ['\ud83d'] }, { d: '\\\udc00' }])
      expect(issuePaths({ trace: odd })).toEqual(['trace']);
    expect(accepted({ trace: { whole: '\ud83d\ude00' } }).trace).toContain('\u{1f600}');
  });

  test.each<[unknown, string]>([
    ['t', 'trace'],
    [[], 'trace'],
    [{ trace_id: 1 }, 'trace.trace_id'],
    [{ span_name: {} }, 'trace.span_name'],
    [{ parent_span_id: 'p'.repeat(257) }, 'trace.parent_span_id'],
  ])('%o is none', (odd, path) => {
    expect(issuePaths({ trace: odd })).toEqual([path]);
  });
});
