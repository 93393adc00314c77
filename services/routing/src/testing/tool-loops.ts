import { equal, ok } from 'node:assert/strict';
import type { ClientDialectName, InferenceReply } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { eventually, type RoutingHarness } from './routing-harness.ts';

/** A request at a door to a model of one provider dialect. */
export interface LoopCase {
  readonly dialect: ClientDialectName;
  readonly model: string;
  readonly stream: boolean;
}

const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
export const doors = ['responses', 'chat-completions', 'messages'] as const;

/** All doors with all provider dialects, whole and streamed. */
export const loopCases: readonly LoopCase[] = doors.flatMap((dialect) =>
  models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
);

export function bodyOf(
  { dialect, model, stream }: LoopCase,
  { content, tools }: { readonly content: string; readonly tools: readonly object[] },
): object {
  const asked = [{ role: 'user', content }];
  const messages = dialect === 'responses' ? { input: asked } : { messages: asked };
  return { ...messages, model, stream, tools, ...(dialect === 'messages' && { max_tokens: 500 }) };
}

/** Returns the facts of a response by the rest of their usage id, once there are so many. */
export async function factsOf(
  { ledger }: RoutingHarness,
  { headers }: InferenceReply,
  count: number,
): Promise<ReadonlyMap<string, UsageRecorded>> {
  const id = headers['x-generation-id'] ?? '';
  const ofResponse = () => ledger.facts.filter(({ generationId }) => generationId === id);
  await eventually(() => ofResponse().length >= count || undefined, 'the facts');
  return new Map(ofResponse().map((fact) => [fact.usageId.slice(id.length), fact]));
}

/** Returns the last number of that name. */
export function numberOf(text: string, name: string): number {
  return Number.parseFloat(text.split(`"${name}":`).at(-1) ?? '');
}

/** Checks that the answer tells the cost of all facts, and that each model call is as its provider has it. */
export async function checkBooks(
  routing: RoutingHarness,
  facts: ReadonlyMap<string, UsageRecorded>,
  text: string,
): Promise<void> {
  const all = [...facts.values()];
  equal(numberOf(text, 'cost'), Number(all.reduce((sum, one) => sum + one.costNanoUsd, 0n)) / 1e9);
  const receipts = await routing.receipts();
  const calls = all.filter(({ apiType }) => apiType !== 'tool');
  ok(calls.every(({ costNanoUsd }) => costNanoUsd > 0n));
  for (const { usageId, inputTokens, outputTokens } of calls) {
    const receipt = receipts.find((one) => one.client_request_id === usageId);
    equal(BigInt(receipt?.input_tokens ?? -1), inputTokens, usageId);
    equal(BigInt(receipt?.output_tokens ?? -1), outputTokens, usageId);
  }
}
