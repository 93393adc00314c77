import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import { publishEnd, publishUntilStored } from '@sluice/observer/testing/processes';
import { writeFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';
import { idOf } from './generation-id.ts';

export const accountId = 'acct_1';
export const workspaceId = 'workspace-1';

export interface LoadOptions {
  readonly bus: Bus;
  readonly keys: KeyManagement;
  readonly perSecond: number;
  readonly hasContents: boolean;
}

const tickMs = 20;
/** A question and an answer of a usual length. */
const text = 'A sentence of some words. '.repeat(40);

/** Publishes ends of generations at a rate, as routing does, until it is stopped. Returns their number. */
export function startLoad(options: LoadOptions): { stop(): Promise<number> } {
  const { perSecond } = options;
  const ending = new AbortController();
  const open = new Set<Promise<void>>();
  let published = 0;
  const running = (async () => {
    const beganMs = performance.now();
    while (!ending.signal.aborted) {
      const due = Math.floor(((performance.now() - beganMs) / 1_000) * perSecond);
      const sent = publish(options, published, due).finally(() => open.delete(sent));
      open.add(sent);
      published = due;
      await delay(tickMs);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await running;
      await Promise.all(open);
      return published;
    },
  };
}

async function publish(
  { bus, keys, hasContents }: LoadOptions,
  from: number,
  to: number,
): Promise<void> {
  const now = new Date();
  const ids = Array.from({ length: to - from }, (_, index) => idOf(now.getTime(), from + index));
  const at = now.toISOString();
  const place = { accountId, workspaceId };
  const shared = { ...place, hasEnd: hasContents, admittedAt: at, completedAt: at };
  const facts = ids.map((id) =>
    writeFact(aFact({ ...shared, generationId: id, usageId: `${id}/1/1` })),
  );
  const sent: Promise<unknown>[] = [];
  if (hasContents)
    for (const generationId of ids) {
      const end = { ...place, generationId, turns: 1, endedAt: at };
      sent.push(publishEnd(bus, keys, end, [text, text]));
    }
  for (let first = 0; first < facts.length; first += usageBundleFactsMax) {
    const bundle = { facts: facts.slice(first, first + usageBundleFactsMax) };
    const subject = subjects.usageRecorded(accountId);
    sent.push(publishUntilStored(bus, subject, `bundle-${ids[first]}`, bundle));
  }
  await Promise.all(sent);
}
