import { accountReadModels } from '@sluice/account/read-models';
import { guardrailReadModels } from '@sluice/guardrail/read-models';
import { keyReadModels } from '@sluice/key/read-models';
import type { Projection, ReadModels } from '@sluice/read-model';
import { workspaceReadModels } from '@sluice/workspace/read-models';

/** The services that project events into tables. */
export const services: readonly ReadModels[] = [
  accountReadModels,
  guardrailReadModels,
  keyReadModels,
  workspaceReadModels,
];

/** The message names those that there are. */
export class UnknownProjection extends Error {
  override readonly name = 'UnknownProjection';
}

/** Throws UnknownProjection. */
export function findProjection(name: string): {
  readonly readModels: ReadModels;
  readonly projection: Projection;
} {
  for (const readModels of services) {
    const projection = readModels.projections.find((each) => each.projection === name);
    if (projection) return { readModels, projection };
  }
  const names = services.flatMap(({ projections }) => projections.map((each) => each.projection));
  throw new UnknownProjection(`There is no such projection; there are ${names.join(', ')}.`);
}
