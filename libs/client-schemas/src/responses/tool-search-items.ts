import { anyObject, anything, field, listOf, oneOf, optional } from '../fields.ts';
import { id, item } from './item-fields.ts';

const shared = {
  id,
  call_id: optional(anything, 'Id of the call: null if the service searched.'),
  execution: optional(oneOf('server', 'client'), 'Who searched.', 'server'),
  status: optional(
    oneOf('in_progress', 'completed', 'incomplete'),
    'The state of the item.',
    'completed',
  ),
};

/** A search for tools and its result in the items of OpenAI's API. */
export const toolSearchItems = [
  item('tool_search_call', {
    arguments: field(anything, 'The arguments of the search.', { query: 'weather' }),
    ...shared,
  }),
  item('tool_search_output', {
    tools: field(listOf(anyObject), 'The tools that were found.', []),
    ...shared,
  }),
] as const;
