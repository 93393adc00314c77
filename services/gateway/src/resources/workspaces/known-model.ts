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
  if (model === null || model === undefined) return;
  const question = {
    view: 'callable-model',
    parameters: { model },
    reportsMeasured: false,
  } as const;
  const { status } = await inference.readCatalog(question);
  if (status === 200) return;
  if (status !== 404) throw new Fault('unavailable', { retryAfterSeconds: 1 });
  const message = `there is no model ${model}: take one of GET /v1/models`;
  throw rejectionToFault(invalidRequest([{ path, message }]));
}
