import { type Static, Type } from 'typebox';
import { field, flag, formed, integer, kind, listOf, optional } from '../fields.ts';
import { innerModel, innerTool, instanceSettings } from './inner-model.ts';

const toolsMax = 32;
const callsMax = 25;

const functionName = field(
  formed(String.raw`\S`, 'a name that is not blank'),
  'The name of a function of the request.',
  'get_weather',
);

/** `service:subagent`: lets another model do a part of the work, with tools of its own. */
export const subagentTool = Type.Object({
  type: kind('service:subagent'),
  parameters: optional(
    Type.Object({
      ...instanceSettings,
      model: innerModel('The model that works. Absent: the one that calls.'),
      max_tool_calls: optional(integer(1, callsMax), 'Calls of tools of one task.', callsMax),
      tools: optional(
        listOf(innerTool, { max: toolsMax }),
        'Tools of the worker. The service runs them.',
        [],
      ),
      inherit_functions: optional(flag, 'The worker may call all functions of the request.', false),
      inherited_function_names: optional(
        listOf(functionName),
        'The functions of the request that the worker may call.',
        [],
      ),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type SubagentSettings = NonNullable<Static<typeof subagentTool>['parameters']>;
