import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import { type InferencePort, wholeText } from '@sluice/inference-port';
import { isEngineSlug, isProviderSlug } from '@sluice/provider-registry';

/**
 * Throws invalid_request for a provider that neither the registry nor the catalog of routing has, and unavailable
 * when routing does not say.
 */
export async function assertKnownProvider(
  inference: Pick<InferencePort, 'readCatalog'>,
  slug: string,
): Promise<void> {
  if (isProviderSlug(slug) || isEngineSlug(slug)) return;
  const question = { view: 'providers', parameters: {}, reportsMeasured: false } as const;
  const reply = await inference.readCatalog(question);
  if (reply.status !== 200) throw new Fault('unavailable');
  const { data } = JSON.parse(await wholeText(reply.body)) as {
    readonly data: readonly Provider[];
  };
  if (data.some((provider) => provider.slug === slug)) return;
  const message = `there is no provider ${slug}: take a well-known one, or one of GET /v1/providers`;
  throw rejectionToFault(invalidRequest([{ path: 'provider', message }]));
}

/** The part of the public list that is read here. */
interface Provider {
  readonly slug: string;
}
