import { deepEqual, equal, ok } from 'node:assert/strict';
import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type ListedModel, listedProviders, loadPriceList } from './index.ts';

const list = await loadPriceList();
const instants = ['2026-11-21T12:00:00Z', '2026-11-21T02:00:00Z', '2027-01-01T00:00:00Z'].map(
  (text) => new Date(text),
);
const namesOf = (provider: string, instant = instants[0] ?? new Date(0)) =>
  list.models(provider, instant).map(({ name }) => name);

describe('the list', () => {
  test('has models of every provider in it, each once, and of no other', () => {
    for (const provider of listedProviders) {
      const names = namesOf(provider);
      ok(names.length > 0, provider);
      equal(new Set(names).size, names.length);
    }
    deepEqual([namesOf('nobody'), namesOf('constructor'), namesOf('openrouter')], [[], [], []]);
  });

  test('leaves out what is retired, what was copied from a reseller, and what is not sold by the token', () => {
    for (const [provider, name] of [
      ['mistral', 'mistral-medium-2312'],
      ['openai', 'gpt-oss-120b'],
      ['openai', 'whisper-1'],
      ['openai', 'text-embedding-3-small'],
      ['openai', 'gpt-realtime'],
      ['mistral', 'mistral-ocr-4-1'],
    ] as const)
      ok(!namesOf(provider).includes(name), name);
  });

  test('keeps a model of which only some terms are retired', () => {
    ok(namesOf('anthropic').includes('claude-sonnet-4-5'));
  });

  test('has decimal text for every price', () => {
    for (const provider of listedProviders)
      for (const { pricing } of list.models(provider, new Date('2026-11-21T12:00:00Z')))
        for (const [name, price] of Object.entries(pricing))
          if (name !== 'overrides') ok(/^\d{1,9}(\.\d{1,18})?$/.test(price), `${name}: ${price}`);
  });
});

/** Our reading of a list price, in the arithmetic of nobody else. */
function costOf(
  { pricing }: ListedModel,
  usage: { readonly input: number; readonly cached: number; readonly output: number },
  instant: Date,
): number {
  const time = instant.toISOString().slice(11, 16).replace(':', '');
  let prices = { ...pricing };
  for (const override of pricing.overrides ?? []) {
    const { min_prompt_tokens: bound = -1, utc_start: start, utc_end: end = '' } = override;
    const isNow =
      start === undefined ||
      (start <= end ? time >= start && time < end : time >= start || time < end);
    if (usage.input > bound && isNow) prices = { ...prices, ...override };
  }
  const cached = Number(prices.input_cache_read ?? prices.prompt);
  return (
    (usage.input - usage.cached) * Number(prices.prompt) +
    usage.cached * cached +
    usage.output * Number(prices.completion) +
    Number(prices.request ?? '0')
  );
}

test('a price is what the package itself computes, for prompts of any length, at any hour and day', () => {
  const models = listedProviders.flatMap((provider) =>
    instants.flatMap((instant) =>
      list.models(provider, instant).map((model) => ({ provider, instant, model })),
    ),
  );
  const names: Readonly<Record<string, string>> = { 'google-ai-studio': 'google', xai: 'x-ai' };
  const count = fc.nat({ max: 400_000 });
  let compared = 0;
  fc.assert(
    fc.property(fc.constantFrom(...models), count, count, count, (of, plain, cached, output) => {
      const { provider, instant, model } = of;
      const input = plain + cached;
      const theirs = calcPrice(
        { input_tokens: input, cache_read_tokens: cached, output_tokens: output },
        model.name,
        { providerId: names[provider] ?? provider, timestamp: instant },
      );
      // Some names match an older entry first.
      if (theirs?.model.id !== model.name) return;
      compared += 1;
      const ours = costOf(model, { input, cached, output }, instant);
      ok(
        Math.abs(ours - theirs.total_price) <= 1e-9 * Math.max(1, ours),
        `${model.name}: ${ours} and ${theirs.total_price}`,
      );
    }),
    { numRuns: 3_000 },
  );
  ok(compared > 2_000, String(compared));
});
