import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  anything,
  field,
  flag,
  integer,
  kind,
  kindOf,
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
import { answerSchema, max_tokens, temperature } from '../service-fields/model-options.ts';

const stopsMax = 16;
const fallbacksMax = 3;
const budgetMin = 1_024;

const serial = {
  disable_parallel_tool_use: optional(flag, 'Whether one tool at most is called at a time.', false),
};
const toolChoice = Type.Union(
  [
    Type.Object({ type: kindOf('auto', 'any'), ...serial }),
    Type.Object({ type: kind('none') }),
    Type.Object({
      type: kind('tool'),
      name: field(text(), 'Name of the tool.', 'get_weather'),
      ...serial,
    }),
  ],
  { mustBe: 'a tool choice' },
);

const shown = {
  display: optional(
    text({ max: limits.identifierCharactersMax }),
    '`omitted`: the texts of thoughts are not needed.',
    'omitted',
  ),
};
const thinking = Type.Union(
  [
    Type.Object({
      type: kind('enabled'),
      budget_tokens: field(
        integer(budgetMin, limits.reasoningTokensMax),
        'Number of tokens for thinking.',
        2_048,
      ),
      ...shown,
    }),
    Type.Object({ type: kindOf('disabled', 'adaptive', 'between_tools'), ...shown }),
  ],
  { mustBe: 'thinking settings' },
);

const answerFormat = Type.Object({
  type: kind('json_schema'),
  schema: answerSchema,
});

/** The body of `POST /messages`. Fields that it does not name have no effect. */
export const messagesBody = Type.Object({
  ...serviceFields,
  messages: field(messages, 'The items of the conversation.'),
  system: optional(
    systemContent,
    'Instructions before the conversation: a text, or a list of blocks.',
  ),
  max_tokens,
  temperature: temperature(1),
  /** -1 leaves it to the model. LangChain sends that. */
  top_k: optional(integer(-1), 'Number of tokens that are chosen from.', 40),
  top_p: optional(
    Type.Union([number(0, 1), Type.Literal(-1)], { mustBe: 'from 0 to 1, or -1' }),
    'The share of likelihood that is chosen from. -1: the model chooses.',
    1,
  ),
  stop_sequences: optional(
    listOf(text({ min: 1 }), { max: stopsMax }),
    'Texts before which the answer ends.',
    ['END'],
  ),
  tools: optional(tools, 'Tools that the model may call.', []),
  tool_choice: optional(toolChoice, 'Which tool the model must call.'),
  thinking: optional(thinking, 'How the model thinks.'),
  output_config: optional(
    Type.Object({
      effort: optional(oneOf('low', 'medium', 'high', 'xhigh', 'max'), 'How hard the model tries.'),
      format: optional(answerFormat, 'The form of the answer.'),
    }),
    'How hard the model tries, and the form of its answer.',
    { effort: 'low' },
  ),
  /** The older place of `output_config.format`. */
  output_format: optional(answerFormat, 'The older place of `output_config.format`.'),
  metadata: optional(
    Type.Object({
      user_id: optional(
        text({ max: limits.safetyIdentifierCharactersMax }),
        'A pseudonym of the person who asks.',
        'a1b2c3',
      ),
    }),
    'Who asks.',
  ),
  speed: optional(oneOf('fast', 'standard'), '`fast` asks for the faster tier.', 'standard'),
  service_tier: optional(
    oneOf('auto', 'standard_only', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'),
    'The service tier that is asked for.',
    'default',
  ),
  fallbacks: optional(
    listOf(
      Type.Object(
        {
          model: field(
            text({ min: 1, max: limits.modelCharactersMax }),
            'Slug of the model.',
            'sim/echo',
          ),
        },
        { additionalProperties: false },
      ),
      { max: fallbacksMax },
    ),
    'Models for when the first one cannot serve, in their order.',
  ),
  /** Parts of the history that a provider may drop. The whole history is always sent. */
  context_management: optional(anything, 'Without effect: the whole history is sent.', {}),
  container: optional(anything, 'Without effect, or refused where a tool needs it.', {
    type: 'auto',
  }),
  mcp_servers: optional(
    listOf(anything),
    'Servers of tools: not available yet, and left out beside other tools.',
    [],
  ),
  /** A conversation that the API keeps. None is kept here, so it is refused by its name. */
  thread: optional(anything, 'Refused: no conversation is kept. Send all messages.'),
});
export type MessagesBody = Static<typeof messagesBody>;

const compiled = Compile(messagesBody);

/** True if the schema accepts the body. `problemsOf` lists why it does not. */
export function isMessagesBody(value: unknown): value is MessagesBody {
  return compiled.Check(value);
}
