import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  anyObject,
  anything,
  flag,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { serviceFields } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { messages, systemContent } from './blocks.ts';
import { tools } from './tools.ts';

const stopsMax = 16;
const fallbacksMax = 3;
const budgetMin = 1_024;

const serial = { disable_parallel_tool_use: optional(flag) };
const toolChoice = Type.Union(
  [
    Type.Object({ type: oneOf('auto', 'any'), ...serial }),
    Type.Object({ type: Type.Literal('none') }),
    Type.Object({ type: Type.Literal('tool'), name: text(), ...serial }),
  ],
  { mustBe: 'a tool choice' },
);

const shown = { display: optional(text({ max: limits.identifierCharactersMax })) };
const thinking = Type.Union(
  [
    Type.Object({
      type: Type.Literal('enabled'),
      budget_tokens: integer(budgetMin, limits.reasoningTokensMax),
      ...shown,
    }),
    Type.Object({ type: oneOf('disabled', 'adaptive', 'between_tools'), ...shown }),
  ],
  { mustBe: 'thinking settings' },
);

const answerFormat = Type.Object({ type: Type.Literal('json_schema'), schema: anyObject });

/** The body of `POST /messages`. Fields that it does not name have no effect. */
export const messagesBody = Type.Object({
  ...serviceFields,
  messages,
  system: optional(systemContent),
  max_tokens: optional(integer(1)),
  temperature: optional(number(0, 1)),
  /** -1 leaves it to the model. LangChain sends that. */
  top_k: optional(integer(-1)),
  top_p: optional(Type.Union([number(0, 1), Type.Literal(-1)], { mustBe: 'from 0 to 1, or -1' })),
  stop_sequences: optional(listOf(text({ min: 1 }), { max: stopsMax })),
  tools: optional(tools),
  tool_choice: optional(toolChoice),
  thinking: optional(thinking),
  output_config: optional(
    Type.Object({
      effort: optional(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
      format: optional(answerFormat),
    }),
  ),
  /** The older place of `output_config.format`. */
  output_format: optional(answerFormat),
  metadata: optional(
    Type.Object({
      user_id: optional(text({ max: limits.safetyIdentifierCharactersMax })),
    }),
  ),
  speed: optional(oneOf('fast', 'standard')),
  service_tier: optional(
    oneOf('auto', 'standard_only', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'),
  ),
  fallbacks: optional(
    listOf(
      Type.Object(
        { model: text({ min: 1, max: limits.modelCharactersMax }) },
        { additionalProperties: false },
      ),
      { max: fallbacksMax },
    ),
  ),
  /** Parts of the history that a provider may drop. The whole history is always sent. */
  context_management: optional(anything),
  container: optional(anything),
  mcp_servers: optional(listOf(anything)),
  /** A conversation that the API keeps. None is kept here, so it is refused by its name. */
  thread: optional(anything),
});
export type MessagesBody = Static<typeof messagesBody>;

const compiled = Compile(messagesBody);

/** True if the schema accepts the body. `problemsOf` tells why it does not. */
export function isMessagesBody(value: unknown): value is MessagesBody {
  return compiled.Check(value);
}
