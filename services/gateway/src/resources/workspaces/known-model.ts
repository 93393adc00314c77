import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { InferencePort } from '@sluice/inference-port';

/**
 * Throws invalid_request for a default model that no request could name, and unavailable when routing does not
 * say. Nothing given, and null, pass.
 */
export async function assertKnownModel(
  inference: Pick<InferencePort, 'readCatalog'>,
  path: string,
  model: string | null | undefined,
): Promise<void> {
  if (model === null || model === undefined || (await isKnownModel(inference, model))) return;
  const message = `there is no model ${model}: take one of GET /v1/models`;
  throw rejectionToFault(invalidRequest([{ path, message }]));
}

/** Returns true for a name that requests of any account may give as their model. Throws unavailable. */
export async function isKnownModel(
  inference: Pick<InferencePort, 'readCatalog'>,
  model: string,
): Promise<boolean> {
  const question = {
    view: 'callable-model',
    parameters: { model },
    reportsMeasured: false,
  } as const;
  const { status } = await inference.readCatalog(question);
  if (status !== 200 && status !== 404) throw new Fault('unavailable', { retryAfterSeconds: 1 });
  return status === 200;
}
