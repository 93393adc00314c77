import { isRejection } from '@sluice/errors';
import { settingsOf } from '../../request/plugins.ts';
import { choose } from '../../selection/choose.ts';
import { withoutParsed } from '../../stages/file-parser/index.ts';
import { asksForCache, type Caching, cachingOf } from '../cache/caching.ts';
import { choosingOf } from './choosing.ts';
import { payingPlugins } from './paying-plugins.ts';
import { routerOf } from './prepare-for-router.ts';
import type { McpListed } from './list-mcp-tools.ts';
import type { ReadCall } from './read-call.ts';
import type { Asked } from './show-server-tools.ts';

/** The use of the response cache by a request that pays for work before its endpoints are chosen. */
export interface LookedUp extends Pick<ReadCall, 'context'> {
  /** If undefined, the plan decides about it. */
  readonly caching: Caching | undefined;
}

/**
 * Looks for an answer to repeat before work is paid for that only a new answer needs (contract inference.md 23). If
 * there is one, the rest of the plan has no paid work: guardrails look at the request, and nothing else is done.
 */
export function lookUpRepeated(read: ReadCall & McpListed & Asked): LookedUp {
  const { pipeline, call, context, asked } = read;
  const pays = () =>
    payingPlugins.some((id) => settingsOf(asked, id)) ||
    routerOf(pipeline, asked)?.asks !== undefined;
  if (!asksForCache(call, asked) || !context.work || read.work.isInner || !pays())
    return { context, caching: undefined };
  const plan = choose(withoutParsed(asked), choosingOf(read));
  if (isRejection(plan)) return { context, caching: undefined };
  const { policy, beginning } = read;
  const nowMs = pipeline.clock.now().getTime();
  const caching = cachingOf(call, { policy, plan, request: asked, beginning }, (key) =>
    pipeline.responseCache.find(key, nowMs),
  );
  return { context: caching?.found ? { ...context, work: undefined } : context, caching };
}
