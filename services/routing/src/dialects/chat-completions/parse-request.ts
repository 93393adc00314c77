import { type ChatBody, chatBody, isChatBody, knownFieldsOf } from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import { type InputItem, jsonPlace, type JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { UsedPreset } from '../../request/named-models.ts';
import { parseBody } from '../body/parse-body.ts';
import { interruptedWarning } from '../../request/calls-without-output.ts';
import { joinWarnings } from '../body/join-warnings.ts';
import { unknownFieldsWarning } from '../body/unknown-fields.ts';
import { deferredWarning } from '../service-fields/deferred-tools.ts';
import { leaveOutUnserved, unsupportedModeOf } from '../service-fields/hosted-tools.ts';
import { preventedWarning } from '../service-fields/read-plugins.ts';
import { answeredBy } from '../service-fields/answered-by.ts';
import { readPreferences } from '../service-fields/read-preferences.ts';
import { readServiceFields } from '../service-fields/read-service-fields.ts';
import { tierOf } from '../service-fields/tier.ts';
import { checkRequest } from './check-request.ts';
import { readMessages, withKinds } from './read-messages.ts';
import { readOptions } from './read-options.ts';
import { deferrableTools, isServed, readToolChoice, readTools } from './read-tools.ts';

/** A call of this dialect, with the wishes for the form of its answer. */
export interface ChatRequest extends CanonicalCall {
  readonly form: AnswerForm;
}

export interface AnswerForm {
  /** Thoughts are left out. */
  readonly excludesThoughts: boolean;
  /** A call is sent as `function_call`, the form before there were tools. */
  readonly isLegacy: boolean;
}

/** The fields that have an effect, or are refused by their name. */
const knownFields = knownFieldsOf(chatBody, ['messages']);

/** The objects of a body that pass to the model as they are. */
const exactPlaces = [
  'tools[].function.parameters',
  'functions[].parameters',
  'response_format.json_schema.schema',
  'response_format.schema',
].map(jsonPlace);

/**
 * Parses a body of `POST /chat/completions` (contract inference.md 27). Returns the request, or the reason why it is
 * invalid. Keys outside the contract are skipped and named in a warning.
 */
export function parseChatRequest(
  bytes: Uint8Array,
  defaults: RequestDefaults = {},
  shape?: JsonShape,
): ChatRequest | Rejection {
  return parseBody(bytes, shape, {
    schema: chatBody,
    isBody: isChatBody,
    exact: exactPlaces,
    check: (body, issues, isFine) => checkRequest(body, defaults, issues, isFine),
    read: readRequest,
    door: 'chat-completions',
    defaults,
  });
}

function readRequest(body: ChatBody, defaults: RequestDefaults): ChatRequest {
  const items = withSystemPrompt(withKinds(readMessages(body)), defaults.usedPreset);
  const given = { tools: readTools(body), toolChoice: readToolChoice(body) };
  const mode = unsupportedModeOf(body, defaults);
  const { request, leftOut } = leaveOutUnserved(given, { mode, isServed });
  const isLegacy = (body.functions ?? []).length > 0 && (body.tools ?? []).length === 0;
  return {
    preferences: readPreferences(body, defaults, {
      tier: tierOf(body.service_tier),
      isDefaultTierOnly: body.service_tier === 'default',
      wantsPro: false,
    }),
    inference: {
      items,
      ...request,
      parallelToolCalls: isLegacy ? false : (body.parallel_tool_calls ?? undefined),
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      options: readOptions(body),
      stream: body.stream ?? false,
    },
    ...readServiceFields(body, defaults),
    ...answeredBy(body.messages),
    leftOut,
    ...joinWarnings(
      unknownFieldsWarning(body, knownFields),
      interruptedWarning(items, given.tools),
      deferredWarning(deferrableTools(body)),
      preventedWarning(body, defaults),
    ),
    form: { excludesThoughts: body.reasoning?.exclude === true, isLegacy },
  };
}

/** Puts the system prompt of a preset before the conversation, unless that has one. */
function withSystemPrompt(
  items: readonly InputItem[],
  preset: UsedPreset | undefined,
): readonly InputItem[] {
  const text = preset?.content.systemPrompt ?? null;
  if (text === null || items.some(isInstruction)) return items;
  return [{ type: 'message', role: 'system', content: [{ type: 'text', text }] }, ...items];
}

function isInstruction(item: InputItem): boolean {
  return item.type === 'message' && (item.role === 'system' || item.role === 'developer');
}
