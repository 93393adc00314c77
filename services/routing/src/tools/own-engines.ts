import type { Credential } from '../credentials/credential.ts';

/** An engine with the key that it is called with. */
export interface KeyedEngine<Name extends string> {
  readonly name: Name;
  /** Absent: the platform's key. */
  readonly credential?: Credential | undefined;
}

interface Engines<Name extends string> {
  /** The engine that the request names. Another word: any. */
  readonly asked: string;
  /** Engines that take own keys, in the order in which they are tried. */
  readonly hosted: readonly Name[];
  /** The engine of the deployment that answers if the request names none, or one that is not there. */
  readonly shared: Name | undefined;
  /** Credentials of the workspace that the caller may use, in their order. */
  readonly own: readonly Credential[];
}

/** Bounds the engines that are tried for one call. */
const triedMax = 3;

/**
 * Returns the engines that may run a call in their order, as for models: prioritized own keys, the platform's engine,
 * then fallback keys. A key that is required takes the place of the platform's key.
 */
export function keyedEngines<Name extends string>({
  asked,
  hosted,
  shared,
  own,
}: Engines<Name>): readonly KeyedEngine<Name>[] {
  const isThere = asked === shared || own.some(({ provider }) => provider === asked);
  const names = hosted.filter((name) => !isThere || name === asked);
  const withKeys = names.flatMap((name) =>
    own.filter(({ provider }) => provider === name).map((credential) => ({ name, credential })),
  );
  const isTakenOver = own.some(
    (one) => one.provider === shared && (one.isRequired || one.isByokOnly),
  );
  const isFallback = ({ credential }: { readonly credential: Credential }) => credential.isFallback;
  return [
    ...withKeys.filter((one) => !isFallback(one)),
    ...(shared === undefined || isTakenOver || (isThere && shared !== asked)
      ? []
      : [{ name: shared }]),
    ...withKeys.filter(isFallback),
  ].slice(0, triedMax);
}
