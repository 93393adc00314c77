import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { destinations, wantedOf } from '../../scenarios/destinations/chosen.ts';
import { generationOf } from '../../scenarios/destinations/generations.ts';
import { auditDestination, auditOrder } from './audit-destination.ts';

const [all, key] = destinations;
const published = Array.from({ length: 40 }, (_, number) => generationOf(number));
const hasContents = (kind: string) => kind === 'contents' || kind === 'loop';
const right = published.map(({ id, kind }) => ({ id, hasContents: hasContents(kind) }));

describe('the audit of a destination', () => {
  test('finds nothing where all came, some of them twice', () => {
    const audited = auditDestination(wantedOf(all, published), [...right, ...right.slice(7, 9)]);
    deepEqual(audited, { findings: [], delivered: 40, repeated: 2 });
  });

  test('finds what is missing, what is not for it, and contents that are missing or not for it', () => {
    equal(auditDestination(wantedOf(all, published), right.slice(1)).findings.length, 1);
    equal(auditDestination(wantedOf(key ?? all, published), right).findings.length, 2);
    const bare = right.map(({ id }) => ({ id, hasContents: false }));
    equal(auditDestination(wantedOf(all, published), bare).findings.length, 1);
  });
});

describe('the audit of a destination that may get more', () => {
  const expected = new Set(right.slice(5).map(({ id }) => id));
  const wanted = { name: 'some', expected, mayGetOthers: true };

  test('finds what is missing, and nothing beyond', () => {
    const any = { ...wanted, contentsOf: () => undefined };
    deepEqual(auditDestination(any, right).findings, []);
    equal(auditDestination(any, right.slice(6)).findings.length, 1);
  });

  test('finds contents in privacy mode, also of generations that nobody is billed for', () => {
    const isPrivate = { ...wanted, contentsOf: () => false };
    equal(auditDestination(isPrivate, right).findings.length, 1);
    const bare = right.map(({ id }) => ({ id, hasContents: false }));
    deepEqual(auditDestination(isPrivate, bare).findings, []);
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
