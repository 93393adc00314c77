import type { Principal } from '@sluice/inference';
import type { Credential } from '../credentials/credential.ts';
import type { Candidate } from './candidate.ts';
import type { PlannedAttempt } from './plan.ts';

export interface CredentialDemands {
  /** Of the workspace, the enabled ones, each provider's in their order. */
  readonly credentials: readonly Credential[];
  readonly principal: Pick<Principal, 'keyHash' | 'creatorUserId'>;
  /** The request, a guardrail or the account wants providers that keep nothing. */
  readonly demandsZeroRetention?: boolean;
  /** Removed for what their provider keeps, and for nothing else: a credential may declare otherwise. */
  readonly retaining?: readonly Candidate[];
  /** True: own credentials go before the shared endpoints of all models, not of each. */
  readonly mixesModels?: boolean;
}

/**
 * Candidates in their order → attempts: with prioritised credentials, then with the platform's own, then with
 * fallback credentials. Each endpoint and credential is an attempt of its own. Where nothing is left, only
 * own credentials would do and there is none.
 */
export function withCredentials(
  ordered: readonly Candidate[],
  demands: CredentialDemands,
): readonly PlannedAttempt[] {
  const own = demands.credentials.filter((credential) => isFor(credential, demands));
  if (own.length === 0) return ordered.every(isShared) ? ordered : ordered.filter(isShared);
  const groups = demands.mixesModels
    ? [[...ordered, ...(demands.retaining ?? [])]]
    : byModel([...ordered, ...(demands.retaining ?? [])]);
  const retaining = new Set(demands.retaining);
  return groups.flatMap((group) => {
    const attempts = group.flatMap((candidate) =>
      attemptsWith(candidate, own, {
        isRetaining: retaining.has(candidate),
        demandsZeroRetention: demands.demandsZeroRetention ?? false,
      }),
    );
    return [
      ...attempts.filter(({ credential }) => credential?.isFallback === false),
      ...group.filter(
        (candidate) =>
          isShared(candidate) && !retaining.has(candidate) && !isTakenOver(candidate, own),
      ),
      ...attempts.filter(({ credential }) => credential?.isFallback === true),
    ];
  });
}

/** Of the key and of who made it; which models it is for is asked of each candidate. */
function isFor(
  { keyHashes, userIds }: Credential,
  { principal }: Pick<CredentialDemands, 'principal'>,
): boolean {
  if (keyHashes && !keyHashes.has(principal.keyHash)) return false;
  return (
    !userIds || (principal.creatorUserId !== undefined && userIds.has(principal.creatorUserId))
  );
}

interface Retention {
  readonly isRetaining: boolean;
  readonly demandsZeroRetention: boolean;
}

function attemptsWith(
  candidate: Candidate,
  own: readonly Credential[],
  { isRetaining, demandsZeroRetention }: Retention,
): readonly PlannedAttempt[] {
  return own
    .filter((credential) => {
      if (!covers(credential, candidate)) return false;
      if (isRetaining) return credential.declaredZdr === true;
      return !demandsZeroRetention || credential.declaredZdr !== false;
    })
    .toSorted((a, b) => a.sortOrder - b.sortOrder)
    .map((credential) => ({ ...candidate, credential }));
}

function covers({ provider, models }: Credential, { endpoint, model }: Candidate): boolean {
  if (provider !== endpoint.endpoint.provider) return false;
  if (!models) return true;
  const [withoutVariant = ''] = model.id.split(':');
  return [model.id, model.canonicalSlug, withoutVariant].some((name) => models.has(name));
}

/** The platform has no credential of its own for it otherwise. */
function isShared({ endpoint }: Candidate): boolean {
  return !endpoint.isByokOnly;
}

function isTakenOver(candidate: Candidate, own: readonly Credential[]): boolean {
  const { provider } = candidate.endpoint.endpoint;
  return own.some(
    (credential) =>
      (credential.isByokOnly && credential.provider === provider) ||
      (credential.isRequired && covers(credential, candidate)),
  );
}

function byModel(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  return [...Map.groupBy(candidates, ({ model }) => model.id).values()];
}
