import { type Static, Type } from 'typebox';
import { anyObject, anything, field, flag, formed, kind, listOf, optional } from '../fields.ts';
import { openMark } from '../problems.ts';
import { cache_control } from '../service-fields/cache-control.ts';
import { isServerTool } from '../server-tools/index.ts';
import { limits } from '../service-fields/limits.ts';
import { defer_loading, strict, toolDescription } from '../service-fields/model-options.ts';

const ofClient = 'custom';

const clientTool = Type.Object({
  type: optional(kind(ofClient)),
  name: field(
    formed('^[a-zA-Z0-9_-]{1,128}$', '1 to 128 of the characters A-Z a-z 0-9 _ -'),
    'Name of the tool.',
    'get_weather',
  ),
  description: optional(toolDescription),
  input_schema: field(anyObject, 'JSON Schema of the arguments.', { type: 'object' }),
  strict,
  defer_loading,
  eager_input_streaming: optional(
    flag,
    'Whether the input is sent as the model writes it, before it is checked. Only Anthropic has it.',
  ),
  input_examples: optional(
    listOf(anyObject),
    'Inputs that show the model how to call the tool. Only Anthropic has them.',
    [],
  ),
  cache_control,
});

/** Tools that a provider defines or runs, or that are to be run by the service. The rules beside the schema decide. */
const otherTool = Type.Object(
  {
    type: field(
      Type.Refine(
        formed('^[A-Za-z0-9_.:-]{1,64}$', 'custom, or the kind of a tool', 'bash_20250124'),
        (kind) => kind !== ofClient,
        () => 'is a tool of the client',
      ),
      '`custom`, or the kind of a tool.',
      'bash_20250124',
    ),
    name: optional(anything, 'Name of the tool.', 'bash'),
    cache_control,
  },
  openMark,
);

export const tools = listOf(Type.Union([clientTool, otherTool], { mustBe: 'a tool' }), {
  max: limits.toolsMax,
});

export type MessagesClientToolBody = Static<typeof clientTool>;
export type MessagesOtherToolBody = Static<typeof otherTool>;
export type MessagesToolBody = MessagesClientToolBody | MessagesOtherToolBody;

/** Returns the name by which a choice names a tool. A tool of the service may have its kind alone. */
export function messagesToolName({ name, type }: MessagesToolBody): unknown {
  return name ?? (isServerTool(type) ? type : undefined);
}

/** True for a tool that the client runs, whose schema the request has. */
export function isClientTool(tool: MessagesToolBody): tool is MessagesClientToolBody {
  return (tool.type ?? ofClient) === ofClient;
}
