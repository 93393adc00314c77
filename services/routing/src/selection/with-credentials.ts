import type { Principal } from '@sluice/inference-port';
import type { Credential } from '../credentials/credential.ts';
import { isFor } from '../credentials/is-for.ts';
import type { Candidate } from './candidate.ts';
import type { PlannedAttempt } from './plan.ts';

export interface CredentialDemands {
  /** The enabled credentials of the workspace. */
  readonly credentials: readonly Credential[];
  readonly principal: Pick<Principal, 'keyHash' | 'creatorUserId'>;
  /** The request, a guardrail or the account wants providers that keep nothing. */
  readonly demandsZeroRetention?: boolean;
  /** Removed for what their provider keeps, and for nothing else: a credential may declare otherwise. */
  readonly retaining?: readonly Candidate[];
  /** True: own credentials go before the shared endpoints of all models, not of each. */
  readonly mixesModels?: boolean;
}

/** With more own credentials no request is tried, however many there are: before the shared endpoints, and after. */
const ownAttemptsMax = 10;

/**
 * Candidates in their order → attempts: with prioritised credentials, then with the platform's own, then with
 * fallback credentials. Each endpoint and credential is an attempt of its own. Where nothing is left, only
 * own credentials would do and there is none.
 */
export function withCredentials(
  ordered: readonly Candidate[],
  demands: CredentialDemands,
): readonly PlannedAttempt[] {
  const own = demands.credentials.length === 0 ? noCredentials : ownOf(demands);
  if (own.size === 0) return ordered.every(isShared) ? ordered : ordered.filter(isShared);
  const retaining = new Set(demands.retaining);
  const left = [...ordered, ...retaining];
  const groups = demands.mixesModels ? [left] : byModel(left);
  return groups.flatMap((all) => [
    ...privateAttempts(all, { own, demands, retaining }),
    ...attemptsWith(all.filter(isNotPrivate), { own, demands, retaining, isFallback: false }),
    ...all.filter((one) => isShared(one) && !retaining.has(one) && !isTakenOver(one, own)),
    ...attemptsWith(all.filter(isNotPrivate), { own, demands, retaining, isFallback: true }),
  ]);
}

/** Private endpoints stand before all others, with prioritized credentials and then with fallback ones. */
function privateAttempts(
  group: readonly Candidate[],
  choice: Omit<Choice, 'isFallback'>,
): readonly PlannedAttempt[] {
  const own = group.filter((candidate) => !isNotPrivate(candidate));
  if (own.length === 0) return [];
  return [false, true].flatMap((isFallback) => attemptsWith(own, { ...choice, isFallback }));
}

function isNotPrivate({ endpoint }: Candidate): boolean {
  return endpoint.endpoint.isPrivate !== true;
}

/** The account's own credentials by provider, in their order. */
type OwnCredentials = ReadonlyMap<string, readonly Credential[]>;

const noCredentials: OwnCredentials = new Map();

/** Returns the credentials for the key and for its creator. Each candidate checks the models of a credential later. */
function ownOf({ credentials, principal }: CredentialDemands): OwnCredentials {
  const own = credentials.filter((credential) => isFor(credential, principal));
  return Map.groupBy(
    own.toSorted((a, b) => a.sortOrder - b.sortOrder),
    ({ provider }) => provider,
  );
}

interface Choice {
  readonly own: OwnCredentials;
  readonly demands: CredentialDemands;
  readonly retaining: ReadonlySet<Candidate>;
  readonly isFallback: boolean;
}

function attemptsWith(
  group: readonly Candidate[],
  { own, demands, retaining, isFallback }: Choice,
): readonly PlannedAttempt[] {
  const attempts: PlannedAttempt[] = [];
  for (const candidate of group)
    for (const credential of own.get(candidate.endpoint.endpoint.provider) ?? []) {
      if (attempts.length >= ownAttemptsMax) return attempts;
      if (credential.isFallback !== isFallback || !covers(credential, candidate)) continue;
      const { declaredZdr } = credential;
      const isAllowed = retaining.has(candidate)
        ? declaredZdr === true
        : demands.demandsZeroRetention !== true || declaredZdr !== false;
      if (isAllowed) attempts.push({ ...candidate, credential });
    }
  return attempts;
}

function covers({ models }: Credential, { model }: Candidate): boolean {
  if (!models) return true;
  const [withoutVariant = ''] = model.id.split(':');
  return [model.id, model.canonicalSlug, withoutVariant].some((name) => models.has(name));
}

/** The platform has no credential of its own for it otherwise. */
function isShared({ endpoint }: Candidate): boolean {
  return !endpoint.isByokOnly;
}

/** BYOK-only is about all models of the provider, required about those that the credential covers. */
function isTakenOver(candidate: Candidate, own: OwnCredentials): boolean {
  const ofProvider = own.get(candidate.endpoint.endpoint.provider) ?? [];
  return ofProvider.some(
    (credential) =>
      credential.isByokOnly || (credential.isRequired && covers(credential, candidate)),
  );
}

function byModel(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  return [...Map.groupBy(candidates, ({ model }) => model.id).values()];
}
