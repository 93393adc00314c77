import { isObject, type JsonObject } from './fields.ts';
import { inside, nth, type Place, refuse } from './shape.ts';

const searches: ReadonlySet<unknown> = new Set(['tool_search', 'service:tool_search']);

interface Placed {
  readonly tool: JsonObject;
  readonly place: Place;
}

/**
 * Tools may be held back from the model only where it can search for them, and while it can choose freely; and
 * not all of them.
 */
export function checkDeferred(tools: readonly unknown[], choice: unknown, place: Place): void {
  if (tools.length === 0) return;
  const all = tools.flatMap((tool, index) => withInner(tool, nth(place, index)));
  const deferred = all.filter(({ tool }) => tool['defer_loading'] === true);
  const [first] = deferred;
  if (!first) return;
  for (const { tool, place: at } of deferred)
    if (searches.has(tool['type']))
      refuse(inside(at, 'defer_loading'), 'must not be deferred itself');
  if (!all.some(({ tool }) => searches.has(tool['type'])))
    refuse(inside(first.place, 'defer_loading'), 'needs the tool service:tool_search');
  if (deferred.length === all.length) refuse(place, 'must have a tool that is not deferred');
  if (!isFree(choice))
    refuse(
      { ...place, path: 'tool_choice' },
      'must be auto or allowed_tools while tools are deferred',
    );
}

function isFree(choice: unknown): boolean {
  if (choice === undefined || choice === null || choice === 'auto') return true;
  return isObject(choice) && choice['type'] === 'allowed_tools';
}

/** A tool; of a namespace those in it. */
function withInner(tool: unknown, place: Place): readonly Placed[] {
  if (!isObject(tool)) return [];
  const { type, tools } = tool;
  if (type !== 'namespace' || !Array.isArray(tools)) return [{ tool, place }];
  return tools.flatMap((inner: unknown, index) =>
    isObject(inner) ? [{ tool: inner, place: nth(inside(place, 'tools'), index) }] : [],
  );
}
