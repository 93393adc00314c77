import type { InferencePort } from '@sluice/inference-port';
import type { ReadList } from './catalog.ts';

/** The public lists of routing in the same process, which is there when it is first asked. */
export function listsInProcess(
  inference: () => Pick<InferencePort, 'listModels' | 'readCatalog'>,
): ReadList {
  return (list) =>
    list === 'models'
      ? inference().listModels()
      : inference().readCatalog({ view: list, parameters: {}, tellsMeasured: false });
}
