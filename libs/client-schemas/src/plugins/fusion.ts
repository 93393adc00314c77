import { type TSchema, Type } from 'typebox';
import { field, integer, listOf, mapOf, oneOf, optional } from '../fields.ts';
import { enabled, idOf, slug } from './plugin-fields.ts';

const panelMax = 8;
const toolsMax = 8;
const callsMax = 16;

const plain = [Type.String(), Type.Number(), Type.Boolean(), Type.Null()] as const;
const values = 'a string, a number, a boolean, null, or an array of these';
const valueOf = (more: readonly TSchema[], mustBe: string) =>
  Type.Union([...plain, Type.Array(Type.Union([...plain])), ...more], { mustBe });
/** A setting of a tool: a plain value, a list of them, or one level of an object of these. */
const setting = valueOf([mapOf(valueOf([], values))], `${values}, or an object of these`);

const tool = Type.Object({
  type: field(slug, 'The kind of the tool.', 'service:web_search'),
  parameters: optional(mapOf(setting), 'Settings of the tool.', {}),
});

/** Settings of a run that `service/fusion` or `service:fusion` begins. */
export const fusion = Type.Object({
  id: idOf('fusion'),
  enabled,
  analysis_models: optional(listOf(slug, { min: 1, max: panelMax }), 'The models of the panel.', [
    'sim/echo',
  ]),
  model: optional(slug, 'The model that writes the answer.', 'sim/echo'),
  max_tool_calls: optional(
    integer(1, callsMax),
    'Number of tool calls that the answer may have.',
    4,
  ),
  preset: optional(
    oneOf('general-high', 'general-budget', 'general-fast'),
    'A set of models and settings.',
  ),
  tools: optional(listOf(tool, { max: toolsMax }), 'Tools that the model may call.', []),
});
