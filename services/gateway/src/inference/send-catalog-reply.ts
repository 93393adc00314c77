import type { InferenceReply } from '@sluice/inference-port';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendInferenceReply } from './send-inference-reply.ts';

/** A public list may be cached for a moment, the list of a key only by its client. */
const publicCaching = 'public, max-age=10';
const privateCaching = 'private, no-cache';

/** The key and the form that the client asks for. */
const variesBy = 'authorization, x-api-key, anthropic-version';

export interface SendCatalogOptions {
  readonly isPublic: boolean;
  readonly readerStalledTimeoutMs: number;
}

/** Hands on what routing says of the catalog, or that it is what the client has already. */
export function sendCatalogReply(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: InferenceReply,
  { isPublic, readerStalledTimeoutMs }: SendCatalogOptions,
): FastifyReply | Promise<FastifyReply> {
  if (answer.status !== 200) return sendInferenceReply(reply, answer, { readerStalledTimeoutMs });
  reply.header('cache-control', isPublic ? publicCaching : privateCaching);
  const varies = reply.getHeader('vary');
  reply.header('vary', varies === undefined ? variesBy : `${String(varies)}, ${variesBy}`);
  const { etag } = answer.headers;
  if (etag === undefined || !isKnown(etag, request.headers['if-none-match']))
    return sendInferenceReply(reply, answer, { readerStalledTimeoutMs });
  return reply.header('etag', etag).code(304).send();
}

/** True if the client knows the tag. A proxy that compresses makes a tag weak: the answer is the same. */
function isKnown(etag: string, known: string | undefined): boolean {
  const tags = known?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === etag || tag === '*') ?? false;
}
