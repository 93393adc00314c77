import type { Catalog, Model } from '@sluice/catalog';
import { Secret } from '@sluice/boot';
import { Fault } from '@sluice/errors';
import type {
  CheckEndpointRequest,
  CheckEndpointResponse,
} from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import type { Endpoint, Upstream } from '@sluice/providers';
import { askCredentials, type CredentialCalls } from '../credentials/ask-credentials.ts';
import type { Credential } from '../credentials/credential.ts';
import { endpointWith, nowhere } from '../credentials/endpoint-with.ts';
import { wireOf } from './caller-catalogs.ts';
import { Checks } from './checks.ts';
import { servableModel } from './describe.ts';
import { protocolOf } from './protocol.ts';
import { isNamedAs, type Patience, tryCall, type Tried, usualPatience } from './try-call.ts';

/** Decides which addresses private endpoints may have. */
export interface EndpointAddresses {
  /** Completes "base_url …". undefined: the address may be called, as far as its text tells. */
  problemOf(baseUrl: string): string | undefined;
}

export interface CheckDeps {
  readonly catalog: Pick<Catalog, 'find' | 'listed' | 'providers'>;
  readonly credentials: CredentialCalls;
  readonly upstream: Pick<Upstream, 'call'>;
  readonly addresses: EndpointAddresses;
  /** Only tests set it. */
  readonly patience?: Patience;
}

/** Providers whose credentials tell the address. */
const derivesAddress: ReadonlySet<string> = new Set(['azure']);

/** Calls the upstream of an endpoint whole and streamed, and reports seven checks. */
export async function checkEndpoint(
  deps: CheckDeps,
  asked: CheckEndpointRequest,
): Promise<CheckEndpointResponse> {
  const checks = new Checks();
  const place = placeOf(deps, asked);
  if (typeof place === 'string') return ended(checks.failed('config_ok', { reason: place }));
  checks.passed('config_ok');
  const keyed = await keyedEndpoint(deps, asked, place);
  if (typeof keyed === 'string') return ended(checks.failed('credential_ok', { reason: keyed }));
  checks.passed('credential_ok');
  const { endpoint, credential } = keyed;
  const { upstream, patience = usualPatience } = deps;
  await callBoth(upstream, { checks, endpoint, model: place.model, asked, patience });
  return { ...ended(checks), credentialId: credential.id, secretId: credential.secretId };
}

function ended(checks: Checks): CheckEndpointResponse {
  return { checks: checks.all(), credentialId: '', secretId: '' };
}

interface Place {
  readonly model: Model;
  readonly endpoint: Endpoint;
}

/** Returns the upstream without a key, or why there can be none. */
function placeOf({ catalog, addresses }: CheckDeps, asked: CheckEndpointRequest): Place | string {
  const { provider, upstreamModelId: upstreamModel, baseUrl } = asked;
  const model = servableModel(catalog, asked.modelPermaslug);
  if (!model) return 'model_not_found';
  const protocol = protocolOf(catalog, provider, model);
  if (!protocol) return 'provider_not_found';
  const hasAddress = baseUrl !== undefined || derivesAddress.has(provider);
  if (!hasAddress || (baseUrl !== undefined && addresses.problemOf(baseUrl) !== undefined))
    return 'invalid_base_url';
  const endpoint = {
    ...wireOf(protocol),
    provider,
    baseUrl: baseUrl ?? nowhere,
    apiKey: undefined,
    upstreamModel,
    isPrivate: true,
  } as const;
  return { model, endpoint };
}

interface Keyed {
  readonly endpoint: Endpoint;
  readonly credential: Credential;
}

/** Returns the upstream with the first credential of the workspace that is for the model, or why there is none. */
async function keyedEndpoint(
  { credentials }: Pick<CheckDeps, 'credentials'>,
  { accountId, workspaceId, provider }: CheckEndpointRequest,
  { model, endpoint }: Place,
): Promise<Keyed | string> {
  const names = [model.id, model.canonicalSlug];
  const usable = (await askCredentials(credentials, { accountId, workspaceId })).filter(
    ({ provider: at, models }) =>
      at === provider && (!models || names.some((one) => models.has(one))),
  );
  const [credential] = usable.toSorted(inTurn);
  if (!credential) return 'no_byok_key';
  try {
    const { id: credentialId, secretId } = credential;
    const { secret } = await credentials.openSecret({ accountId, credentialId, secretId });
    const keyed = endpointWith(endpoint, model.id, new Secret(secret));
    return keyed ? { endpoint: keyed, credential } : 'no_byok_key';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'not_found') return 'no_byok_key';
    if (error.code === 'credential_unavailable') return 'key_decryption_failed';
    throw error;
  }
}

function inTurn(a: Credential, b: Credential): number {
  return Number(a.isFallback) - Number(b.isFallback) || a.sortOrder - b.sortOrder;
}

interface Calling {
  readonly checks: Checks;
  readonly endpoint: Endpoint;
  readonly model: Model;
  readonly asked: CheckEndpointRequest;
  readonly patience: Patience;
}

const unauthorized: ReadonlySet<number | undefined> = new Set([401, 403]);

async function callBoth(upstream: Pick<Upstream, 'call'>, calling: Calling): Promise<void> {
  const { checks, endpoint, model, asked, patience } = calling;
  const { requestId } = asked;
  const isOfVectors = !model.outputModalities.includes('text');
  const common = { isOfVectors, requestId, patience };
  const whole = await tryCall(upstream, endpoint, { ...common, isStreamed: false });
  if (unauthorized.has(whole.failure?.upstreamStatus))
    return void checks.failed('auth_ok', whole.failure);
  // Nothing was authorized by an upstream that did not answer.
  if (whole.failure && whole.failure.reason === 'invalid_base_url')
    return void checks.failed('config_ok', whole.failure);
  if (whole.failure) return void checks.failed('response_ok', whole.failure);
  checks.passed('auth_ok');
  checks.passed('response_ok');
  let streamed: Tried = whole;
  if (!isOfVectors) {
    streamed = await tryCall(upstream, endpoint, { ...common, isStreamed: true });
    if (streamed.failure) return void checks.failed('stream_ok', asStream(streamed.failure));
    if (!streamed.isEventStream)
      return void checks.failed('stream_ok', { reason: 'invalid_stream' });
  }
  checks.passed('stream_ok');
  if (!whole.hasUsage || !streamed.hasUsage)
    return void checks.failed('usage_ok', { reason: 'missing_usage' });
  checks.passed('usage_ok');
  const actualModel = whole.actualModel ?? streamed.actualModel;
  const told = actualModel === undefined ? {} : { actualModel };
  const wanted = [asked.upstreamModelId, model.id, model.canonicalSlug];
  if (actualModel !== undefined && !isNamedAs(actualModel, wanted))
    return void checks.failed('model_ok', { reason: 'model_mismatch', ...told });
  checks.passed('model_ok', told);
}

function asStream<Failure extends { readonly reason: string }>(failure: Failure): Failure {
  return failure.reason === 'invalid_response' ? { ...failure, reason: 'invalid_stream' } : failure;
}
