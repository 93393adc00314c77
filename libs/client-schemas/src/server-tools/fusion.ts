import { type Static, Type } from 'typebox';
import { integer, kind, listOf, optional, word } from '../fields.ts';
import { cache_control } from '../service-fields/cache-control.ts';
import { innerModel, innerReasoning, innerTemperature, innerTool } from './inner-model.ts';

const panelMax = 8;
const toolsMax = 8;
const callsMax = 16;

/** `service:fusion`: asks several models the same, and one that compares their answers. */
export const fusionTool = Type.Object({
  type: kind('service:fusion'),
  parameters: optional(
    Type.Object({
      analysis_models: optional(
        listOf(word, { min: 1, max: panelMax }),
        'The models of the panel.',
        ['sim/echo', 'sim/chat'],
      ),
      model: innerModel('The model that compares the answers. Absent: the one that calls.'),
      max_tool_calls: optional(integer(1, callsMax), 'Calls of tools of each model.', 4),
      max_completion_tokens: optional(integer(1), 'Tokens of each answer at most.', 16_000),
      reasoning: innerReasoning,
      temperature: innerTemperature,
      tools: optional(listOf(innerTool, { max: toolsMax }), 'Tools of the panel.', []),
      cache_control,
    }),
    'Settings of the tool.',
    {},
  ),
});

export type FusionSettings = NonNullable<Static<typeof fusionTool>['parameters']>;
