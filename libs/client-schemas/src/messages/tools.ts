import { type Static, Type } from 'typebox';
import { anyObject, anything, flag, formed, listOf, optional, text } from '../fields.ts';
import { openMark } from '../problems.ts';
import { cacheControl } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';

const ofClient = 'custom';

const clientTool = Type.Object({
  type: optional(Type.Literal(ofClient)),
  name: formed('^[a-zA-Z0-9_-]{1,128}$', '1 to 128 of the characters A-Z a-z 0-9 _ -'),
  description: optional(text({ max: limits.descriptionCharactersMax })),
  input_schema: anyObject,
  strict: optional(flag),
  defer_loading: optional(flag),
  eager_input_streaming: optional(flag),
  input_examples: optional(listOf(anyObject)),
  cache_control: optional(cacheControl),
});

/** Tools that a provider defines or runs, or that are to be run by the service. The rules beside the schema decide. */
const otherTool = Type.Object(
  {
    type: Type.Refine(
      formed('^[A-Za-z0-9_.:-]{1,64}$', 'custom, or the kind of a tool', 'bash_20250124'),
      (kind) => kind !== ofClient,
      () => 'is a tool of the client',
    ),
    name: optional(anything),
    cache_control: optional(cacheControl),
  },
  openMark,
);

export const tools = listOf(Type.Union([clientTool, otherTool], { mustBe: 'a tool' }), {
  max: limits.toolsMax,
});

export type MessagesClientToolBody = Static<typeof clientTool>;
export type MessagesOtherToolBody = Static<typeof otherTool>;
export type MessagesToolBody = MessagesClientToolBody | MessagesOtherToolBody;

/** True for a tool that the client runs, of which it tells the schema. */
export function isClientTool(tool: MessagesToolBody): tool is MessagesClientToolBody {
  return (tool.type ?? ofClient) === ofClient;
}
