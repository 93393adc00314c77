import { deepEqual, equal } from 'node:assert/strict';
import type { BusMessage } from '@sluice/bus';
import { writeFact } from '@sluice/usage-facts';
import { aFact, aRepeat, aRepeatedFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { type Observed, readUsage } from './read-parts.ts';

const accountId = 'org_1';
const observed: Observed = { isEmpty: false, observes: (workspaceId) => workspaceId === 'ws_seen' };

function factOf(workspaceId: string): object {
  return writeFact(aFact({ accountId, workspaceId }));
}

function messageOf(facts: readonly unknown[]): BusMessage {
  const bytes = Buffer.from(JSON.stringify({ facts }));
  return {
    subject: `usage.v1.recorded.${accountId}`,
    id: 'bundle-1',
    bytes,
    data: JSON.parse(bytes.toString()) as unknown,
    redelivered: false,
  };
}

describe('a bundle of usage', () => {
  test('has the facts of observed workspaces, in order', () => {
    const facts = [factOf('ws_seen'), factOf('ws_other'), factOf('ws_seen')];
    const { parts, unreadable } = readUsage(messageOf(facts), observed);
    deepEqual(
      parts.map(({ workspaceId }) => workspaceId),
      ['ws_seen', 'ws_seen'],
    );
    equal(unreadable, 0);
  });

  test('has a part for each answer that was repeated', () => {
    const repeats = [aRepeat(), aRepeat()];
    const fact = aRepeatedFact({ accountId, workspaceId: 'ws_seen', repeats });
    const { parts } = readUsage(messageOf([writeFact(fact)]), observed);
    deepEqual(
      parts.map(({ generationId }) => generationId),
      [fact, ...repeats].map(({ generationId }) => generationId),
    );
  });

  test('is not parsed while there are no destinations', () => {
    const message = {
      ...messageOf([]),
      get data(): unknown {
        throw new Error('parsed');
      },
    };
    deepEqual(readUsage(message, { ...observed, isEmpty: true }).parts, []);
  });

  test('counts facts that cannot be read, but for those of other workspaces', () => {
    const broken = (workspaceId: string) => ({ ...factOf(workspaceId), costNanoUsd: 'a' });
    const facts = [broken('ws_seen'), broken('ws_other'), 7, {}];
    equal(readUsage(messageOf(facts), observed).unreadable, 3);
  });
});
