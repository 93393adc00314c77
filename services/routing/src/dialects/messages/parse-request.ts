import {
  isMessagesBody,
  messagesBody,
  type MessagesBody,
  knownFieldsOf,
} from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import { jsonPlace, type JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import { interruptedWarning } from '../../request/calls-without-output.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { joinWarnings } from '../body/join-warnings.ts';
import { parseBody } from '../body/parse-body.ts';
import { unknownFieldsWarning } from '../body/unknown-fields.ts';
import { deferredWarning } from '../service-fields/deferred-tools.ts';
import { leaveOutUnserved, unsupportedModeOf } from '../service-fields/hosted-tools.ts';
import { preventedWarning } from '../service-fields/read-plugins.ts';
import { answeredBy } from '../service-fields/answered-by.ts';
import { readPreferences } from '../service-fields/read-preferences.ts';
import { readServiceFields } from '../service-fields/read-service-fields.ts';
import { tierOf } from '../service-fields/tier.ts';
import { checkRequest } from './check-request.ts';
import { readMessages } from './read-messages.ts';
import { readOptions, setOf, tierWord } from './read-options.ts';
import {
  deferrableTools,
  isServed,
  readParallel,
  readToolChoice,
  readTools,
} from './read-tools.ts';

/** The fields that have an effect, or are refused by their name. */
const knownFields = knownFieldsOf(messagesBody, ['messages', 'system']);

/** The objects of a body that pass to the model as they are. */
const exactPlaces = [
  'tools[].input_schema',
  'tools[].input_examples',
  'messages[].content[].input',
  'output_config.format.schema',
  'output_format.schema',
].map(jsonPlace);

/**
 * Parses a body of `POST /messages` (contract inference.md 28). Returns the request, or the reason why it is invalid.
 * Keys outside the contract are skipped and named in a warning.
 */
export function parseMessagesRequest(
  bytes: Uint8Array,
  defaults: RequestDefaults = {},
  shape?: JsonShape,
): CanonicalCall | Rejection {
  return parseBody(bytes, shape, {
    schema: messagesBody,
    isBody: isMessagesBody,
    exact: exactPlaces,
    check: (body, issues, isFine) => checkRequest(body, defaults, issues, isFine),
    read: readRequest,
    door: 'messages',
    defaults,
  });
}

function readRequest(body: MessagesBody, defaults: RequestDefaults): CanonicalCall {
  const items = readMessages(body);
  const service = readServiceFields(body, defaults);
  const asked = { tools: readTools(body), toolChoice: readToolChoice(body) };
  const mode = unsupportedModeOf(body, defaults);
  const { request, leftOut } = leaveOutUnserved(asked, { mode, isServed });
  const tier = tierWord(body);
  const fallbacks = body.fallbacks?.map(({ model }) => model);
  return {
    preferences: readPreferences(fallbacks ? { ...body, models: fallbacks } : body, defaults, {
      tier: tierOf(tier),
      isDefaultTierOnly: tier === 'default',
      wantsPro: false,
    }),
    inference: {
      items,
      ...request,
      parallelToolCalls: readParallel(body),
      maxOutputTokens: body.max_tokens ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: setOf(body.top_p),
      options: readOptions(body),
      stream: body.stream ?? false,
    },
    ...service,
    ...answeredBy(body.messages),
    leftOut,
    safetyIdentifier: service.safetyIdentifier ?? body.metadata?.user_id ?? undefined,
    ...joinWarnings(
      unknownFieldsWarning(body, knownFields),
      ...idleWarnings(body),
      stopsWarning(body),
      interruptedWarning(items, asked.tools),
      deferredWarning(deferrableTools(body)),
      preventedWarning(body, defaults),
    ),
  };
}

/**
 * Parts of the history that a provider may drop, the place where its tools run, and the servers of tools: none is
 * served.
 */
const idleFields = ['context_management', 'container', 'mcp_servers'] as const;

function idleWarnings(body: MessagesBody): readonly string[] {
  const idle = idleFields.filter((name) => isSet(body[name]));
  return idle.map((name) => `${name} has no effect`);
}

/** The providers of other dialects take fewer stop sequences. */
const stopsOfAll = 4;

function stopsWarning({ stop_sequences: stops }: MessagesBody): string | undefined {
  if ((stops ?? []).length <= stopsOfAll) return undefined;
  return 'stop_sequences after the fourth have no effect on some models';
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? null) !== null;
}
