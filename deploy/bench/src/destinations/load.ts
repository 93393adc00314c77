import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { type KeyManagement, seal } from '@sluice/envelope';
import { encodeContents } from '@sluice/generation-contents';
import {
  GenerationEnded,
  GenerationEndedBundle,
} from '@sluice/protos/sluice/generation/v1/generation_events';
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
const retryMs = 100;
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

async function publish(options: LoadOptions, from: number, to: number): Promise<void> {
  const { bus, hasContents } = options;
  const now = new Date();
  const ids = Array.from({ length: to - from }, (_, index) => idOf(now.getTime(), from + index));
  const at = now.toISOString();
  const shared = { accountId, workspaceId, hasEnd: hasContents, admittedAt: at, completedAt: at };
  const facts = ids.map((id) =>
    writeFact(aFact({ ...shared, generationId: id, usageId: `${id}/1/1` })),
  );
  const sent: Promise<unknown>[] = hasContents ? ids.map((id) => publishEnd(options, id, at)) : [];
  for (let first = 0; first < facts.length; first += usageBundleFactsMax) {
    const bundle = { facts: facts.slice(first, first + usageBundleFactsMax) };
    sent.push(untilStored(bus, subjects.usageRecorded(accountId), `bundle-${ids[first]}`, bundle));
  }
  await Promise.all(sent);
}

/** Publishes again what a busy disk did not take in time, as routing does. */
async function untilStored(bus: Bus, subject: string, id: string, message: object): Promise<void> {
  for (;;)
    try {
      await bus.publishFact(subject, id, message);
      return;
    } catch {
      await delay(retryMs);
    }
}

async function publishEnd({ bus, keys }: LoadOptions, id: string, endedAt: string): Promise<void> {
  const said = (role: 'user' | 'assistant') => ({
    role,
    parts: [{ type: 'text' as const, content: text }],
  });
  const contents = encodeContents({
    system: [],
    input: [said('user')],
    output: [said('assistant')],
    tools: [],
    isCut: false,
  });
  const owner = { accountId, recordId: `contents/${id}` };
  const sealed = await seal(keys, owner, contents);
  const ended = GenerationEnded.fromPartial({
    generationId: id,
    accountId,
    workspaceId,
    turns: 1,
    endedAt,
    contents: {
      keyVersion: sealed.keyVersion,
      wrappedKey: Buffer.from(sealed.wrappedKey),
      ciphertext: Buffer.from(sealed.ciphertext),
    },
  });
  const message = GenerationEndedBundle.toJSON({ ends: [ended] }) as object;
  await untilStored(bus, subjects.generationEnded(accountId), id, message);
}
