import {
  type Bus,
  connectBus,
  endStream,
  failureStream,
  subjects,
  usageBundleFactsMax,
  usageStream,
} from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import { publishEnd, publishUntilStored } from '@sluice/observer/testing/processes';
import { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { aFact, aToolFact } from '@sluice/usage-facts/testing';
import type { Broker } from '../../parts/broker.ts';
import { nameOf } from './taken.ts';

export const accountId = 'acct_1';
export const workspaceId = 'workspace-1';
export const chosenKey = 'key2';
export const chosenModel = 'sim/large';

/** A generation that is published. */
export interface Given {
  readonly id: string;
  readonly kind: 'fact' | 'failed' | 'contents' | 'loop';
  readonly isOfKey: boolean;
  readonly isOfModel: boolean;
}

/** Returns the generation of a number: most are one usage fact, others failed, have contents, or are loops. */
export function generationOf(number: number): Given {
  const kinds = { 0: 'failed', 5: 'contents', 10: 'loop', 15: 'contents' } as const;
  const kind = kinds[(number % 20) as keyof typeof kinds] ?? 'fact';
  return {
    id: nameOf(number),
    kind,
    isOfKey: number % 3 === 0,
    isOfModel: number % 4 < 2,
  };
}

const logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Publishes generations like routing does: again and again, until the broker has stored them. */
export async function startPublisher({ port, token }: Broker, keys: KeyManagement) {
  const bus = await connectBus({
    url: `nats://127.0.0.1:${port}`,
    token,
    name: 'routing',
    logger,
  });
  for (const stream of [usageStream, failureStream, endStream]) await bus.ensureStream(stream);
  return {
    publish: async (generations: readonly Given[]) => {
      // Routing reports ends and failures at once. Usage follows from its spool.
      await Promise.all(generations.map((one) => publishOthers(bus, keys, one)));
      const facts = generations.flatMap(factsOf);
      for (let from = 0; from < facts.length; from += usageBundleFactsMax) {
        const some = facts.slice(from, from + usageBundleFactsMax);
        const bundle = { facts: some.map(writeFact) };
        const id = `bundle-${some[0]?.usageId ?? ''}`;
        await publishUntilStored(bus, subjects.usageRecorded(accountId), id, bundle);
      }
    },
    [Symbol.asyncDispose]: () => bus.stop(),
  };
}

async function publishOthers(bus: Bus, keys: KeyManagement, given: Given): Promise<void> {
  const { id, kind } = given;
  if (kind === 'fact') return;
  const place = { generationId: id, accountId, workspaceId };
  if (kind === 'failed') {
    const now = new Date().toISOString();
    const failed = GenerationFailed.fromPartial({
      ...place,
      ...namesOf(given),
      outcome: 'failed',
      errorCode: 'upstream_error',
      admittedAt: now,
      completedAt: now,
      turn: 1,
      failureId: `${id}/1`,
    });
    const body = GenerationFailed.toJSON(failed) as object;
    await publishUntilStored(bus, subjects.generationFailed(accountId), failed.failureId, body);
    return;
  }
  const end = { ...place, turns: kind === 'loop' ? 2 : 1, endedAt: new Date().toISOString() };
  await publishEnd(bus, keys, end, [id]);
}

const namesOf = ({ isOfKey, isOfModel }: Given) => ({
  keyHash: isOfKey ? chosenKey : 'key1',
  model: isOfModel ? chosenModel : 'sim/small',
});

function factsOf(given: Given): readonly UsageFact[] {
  const { id, kind } = given;
  if (kind === 'failed') return [];
  const now = new Date().toISOString();
  const shared = {
    generationId: id,
    accountId,
    workspaceId,
    ...namesOf(given),
    admittedAt: now,
    completedAt: now,
    hasEnd: kind !== 'fact',
  };
  const first = aFact({ ...shared, usageId: `${id}/1/1` });
  if (kind !== 'loop') return [first];
  return [
    { ...first, finishReason: 'tool-calls' },
    aToolFact({ ...shared, usageId: `${id}/tool/1` }),
    aFact({ ...shared, usageId: `${id}/1/2` }),
  ];
}
