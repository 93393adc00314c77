import type { Catalog } from '@sluice/catalog';
import { catalog, isRejection, type Rejection } from '@sluice/errors';
import type { InferenceCall, Principal } from '@sluice/inference-port';
import type { Credential } from '../../credentials/credential.ts';
import { type ParsedCall, type ScannedBody, wantedPreset } from '../../dialects/dialect.ts';
import { settingsOf } from '../../request/plugins.ts';
import type { Policy, RequestDefaults } from '../../policy/policy.ts';
import { expandAliases } from '../../selection/expand-aliases.ts';
import type { StageContext } from '../../stages/stage.ts';
import type { Pipeline } from '../deps.ts';
import type { InnerPlace } from '../inner/asking.ts';
import { StageCalls } from '../stage-calls.ts';

/** A request that is valid, with the settings of its caller. */
export interface ReadCall {
  readonly pipeline: Pipeline;
  /** The catalog with the private endpoints of the caller. */
  readonly catalog: Catalog;
  readonly call: InferenceCall;
  readonly policy: Policy;
  /** The part of these that stages see. */
  readonly context: StageContext;
  /** The name of the response, and the paid work of its stages. */
  readonly work: StageCalls;
  readonly credentials: readonly Credential[];
  readonly parsed: ParsedCall;
}

type CallerSettings = Pick<ReadCall, 'policy' | 'credentials'>;

type Read = ReadCall | Rejection;

/**
 * Finds the settings of the caller and parses the body with them: at once unless something has to be waited for.
 * `inner` is the place of a question of a tool.
 */
export function readCall(
  pipeline: Pipeline,
  call: InferenceCall,
  inner?: InnerPlace,
): Read | Promise<Read> {
  const body = pipeline.dialects[call.dialect].scan(call.body);
  const asked = settingsFor(pipeline, call.principal);
  if (!(body instanceof Promise || asked instanceof Promise))
    return parse({ pipeline, call, inner }, body, asked);
  return Promise.all([body, asked]).then(([body, asked]) =>
    parse({ pipeline, call, inner }, body, asked),
  );
}

interface Reading {
  readonly pipeline: Pipeline;
  readonly call: InferenceCall;
  readonly inner: InnerPlace | undefined;
}

function parse(
  reading: Reading,
  body: ScannedBody,
  { policy, credentials }: CallerSettings,
): Read | Promise<Read> {
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const { pipeline, call, inner } = reading;
  const { principal } = call;
  const own = credentials.length === 0 ? pipeline.catalog : catalogWithOwn(pipeline, principal);
  const defaults = defaultsOf(policy, call);
  const given = inner ? innerDefaults(defaults) : defaults;
  const first = body.parse(given);
  const slug = isRejection(first) ? wantedPreset(first) : undefined;
  const named = slug === undefined ? first : withPreset(pipeline, { principal, body, given, slug });
  if (!(own instanceof Promise || named instanceof Promise))
    return checked(reading, named, { policy, credentials, catalog: own });
  return Promise.all([own, named]).then(([catalog, named]) =>
    checked(reading, named, { policy, credentials, catalog }),
  );
}

function checked(
  { pipeline, call, inner }: Reading,
  named: ParsedCall | Rejection,
  { policy, credentials, catalog }: CallerSettings & Pick<ReadCall, 'catalog'>,
): Read | Promise<Read> {
  if (isRejection(named)) return named;
  const { principal, requestId, signal } = call;
  const parsed = withAliases(named, policy, pipeline);
  const work = new StageCalls(pipeline, call, { policy, inner });
  const context: StageContext = {
    principal,
    requestId,
    signal,
    policy,
    work: pipeline.dialects[call.dialect].tellCount ? undefined : work,
  };
  const read = { pipeline, catalog, call, policy, context, credentials, parsed, work };
  if (!settingsOf(parsed.call, 'alignment')) return read;
  return pipeline.alignment.refusal(principal.accountId).then((refusal) => refusal ?? read);
}

/** Returns the settings of a caller: at once if they are kept. */
function settingsFor(
  pipeline: Pipeline,
  principal: Principal,
): CallerSettings | Promise<CallerSettings> {
  const policy = pipeline.policies.find(principal);
  const credentials = pipeline.credentials.find(principal);
  if (!(policy instanceof Promise || credentials instanceof Promise))
    return { policy, credentials };
  return Promise.all([policy, credentials]).then(([policy, credentials]) => {
    return { policy, credentials };
  });
}

/** Asks for private endpoints only where a credential can call one. Most requests have none. */
async function catalogWithOwn(
  { catalog: shared, privateEndpoints, callerCatalogs }: Pipeline,
  { accountId }: Principal,
): Promise<Catalog> {
  return callerCatalogs.with(shared, await privateEndpoints.find({ accountId }));
}

interface Named {
  readonly principal: Principal;
  readonly body: ScannedBody;
  readonly given: RequestDefaults;
  readonly slug: string;
}

/** Parses a body with the preset that it names. Most requests name none. */
async function withPreset(
  { presets }: Pipeline,
  { principal, body, given, slug }: Named,
): Promise<ParsedCall | Rejection> {
  const { accountId, workspaceId } = principal;
  const preset = await presets.find({ accountId, workspaceId, slug });
  return body.parse(preset ? { ...given, preset } : given);
}

/** Puts models in the place of the aliases of the account. */
function withAliases(parsed: ParsedCall, { aliases }: Policy, { catalog }: Pipeline): ParsedCall {
  return aliases ? { ...parsed, call: expandAliases(parsed.call, aliases, catalog) } : parsed;
}

/** A question of a tool keeps the defaults that no question of their own follows. */
const innerPlugins: ReadonlySet<string> = new Set(['moderation', 'context-compression']);

function innerDefaults(defaults: RequestDefaults): RequestDefaults {
  const { plugins, ...others } = defaults;
  if (!plugins) return defaults;
  return { ...others, plugins: plugins.filter(({ settings }) => innerPlugins.has(settings.id)) };
}

/** Returns the defaults of a request: a word in its headers stands before that of its account. */
function defaultsOf({ defaults }: Policy, { client }: InferenceCall): RequestDefaults {
  const asked = client?.unsupportedFeatures;
  return asked === undefined ? defaults : { ...defaults, unsupportedFeatures: asked };
}

const workspaceUnavailable: Rejection = {
  rejected: 'workspace_unavailable',
  message: catalog.workspace_unavailable.message,
};
