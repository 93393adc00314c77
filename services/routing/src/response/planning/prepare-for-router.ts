import { readSlug } from '../../request/slug.ts';
import { knowledgeOf } from '../../selection/find-candidates.ts';
import { type Router, routers as allRouters } from '../../selection/routers/index.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { Pipeline } from '../deps.ts';
import { choosingOf } from './choosing.ts';
import type { McpListed } from './list-mcp-tools.ts';
import type { ReadCall } from './read-call.ts';

/** Lets the router that the first model stands for change the request. Filters read the change like all else. */
export function prepareForRouter(read: ReadCall & McpListed): Pick<McpListed, 'listed'> {
  const { listed, pipeline } = read;
  const { inference, preferences } = listed;
  const router = routerOf(pipeline, listed);
  if (!router?.prepare || inference.embedding || inference.ranking) return { listed };
  const prepared = router.prepare(listed, knowledgeOf(choosingOf(read), preferences.sort));
  return { listed: { ...listed, inference: prepared } };
}

/** Returns the router that the first model of a request stands for. Undefined: it stands for none. */
export function routerOf(
  { routers = allRouters }: Pick<Pipeline, 'routers'>,
  { preferences: { models } }: Pick<CanonicalCall, 'preferences'>,
): Router | undefined {
  const [first = ''] = models;
  return first.startsWith('service/') ? routers.get(readSlug(first).id) : undefined;
}
