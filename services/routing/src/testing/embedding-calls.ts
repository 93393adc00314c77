import { equal } from 'node:assert/strict';
import type { InferenceReply } from '@sluice/inference-port';
import {
  type CallOptions,
  errorOf,
  eventually,
  type RoutingHarness,
  textOf,
} from './routing-harness.ts';

/** An answer of `POST /embeddings`. */
export interface Vectors {
  readonly object: string;
  readonly id: string;
  readonly model: string;
  readonly data: readonly {
    readonly object: string;
    readonly index: number;
    readonly embedding: readonly number[] | string;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly total_tokens: number;
    readonly cost: number;
    readonly is_byok: boolean;
  };
  readonly service_metadata?: {
    readonly attempt: number;
    readonly pipeline?: readonly { readonly summary: string }[];
  };
}

/** Calls `POST /embeddings`. */
export function embeddingCalls(routing: () => RoutingHarness) {
  const ask = (body: object, options: CallOptions = {}) =>
    routing().call(body, { ...options, dialect: 'embeddings' });
  return {
    ask,
    embedded: async (body: object, options?: CallOptions) =>
      (await vectorsOf(await ask(body, options))).data.map(({ embedding }) => embedding),
    refusalOf: async (body: object, options?: CallOptions) => {
      const { code, message, availability, metadata } = await errorOf(await ask(body, options));
      return { code, message, availability: availability?.['code'], type: metadata['error_type'] };
    },
    factOf: (id: string, attempt = 1) => {
      const usageId = `${id}/${String(attempt)}/1`;
      return eventually(
        () => routing().ledger.facts.find((one) => one.usageId === usageId),
        `the fact ${usageId}`,
      );
    },
  };
}

export async function vectorsOf(reply: InferenceReply): Promise<Vectors> {
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return JSON.parse(text) as Vectors;
}

/** Returns the 32-bit floats of a vector in base64. */
export function floatsOf(base64: unknown): readonly number[] {
  const bytes = Buffer.from(String(base64), 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
}
