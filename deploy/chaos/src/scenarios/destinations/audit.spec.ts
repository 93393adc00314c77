import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { auditDestination, auditOrder } from './audit.ts';
import { destinations } from './chosen.ts';
import { generationOf } from './generations.ts';

const [all, key] = destinations;
const published = Array.from({ length: 40 }, (_, number) => generationOf(number));
const hasContents = (kind: string) => kind === 'contents' || kind === 'loop';
const right = published.map(({ id, kind }) => ({ id, hasContents: hasContents(kind) }));

describe('the audit of a destination', () => {
  test('finds nothing where all came, some of them twice', () => {
    const audited = auditDestination(all, published, [...right, ...right.slice(7, 9)]);
    deepEqual(audited, { findings: [], delivered: 40, repeated: 2 });
  });

  test('finds what is missing, what is not for it, and contents that are missing or not for it', () => {
    equal(auditDestination(all, published, right.slice(1)).findings.length, 1);
    equal(auditDestination(key ?? all, published, right).findings.length, 2);
    const bare = right.map(({ id }) => ({ id, hasContents: false }));
    equal(auditDestination(all, published, bare).findings.length, 1);
  });
});

describe('the audit of the order', () => {
  test('compares the generations that both have, and their first deliveries', () => {
    const left = { name: 'left', taken: right };
    const some = right.filter((_, index) => index % 3 === 0);
    deepEqual(auditOrder(left, { name: 'right', taken: [...some, ...some] }), []);
    equal(auditOrder(left, { name: 'right', taken: some.toReversed() }).length, 1);
  });
});
