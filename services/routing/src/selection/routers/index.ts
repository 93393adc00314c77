import { auto, autoBeta } from './auto/auto.ts';
import { bodybuilder } from './bodybuilder.ts';
import { free } from './free.ts';
import { fusion } from './fusion.ts';
import { jev } from './jev/jev.ts';
import { pareto } from './pareto.ts';
import type { Router } from './router.ts';
import { switchyard } from './switchyard/switchyard.ts';

export type { Router };
export type Routers = ReadonlyMap<string, Router>;

export function routersBySlug(all: readonly Router[]): Routers {
  return new Map(all.map((router) => [router.slug, router]));
}

/** All routers. A new one is a file and a row here. */
export const routers: Routers = routersBySlug([
  auto,
  autoBeta,
  bodybuilder,
  free,
  fusion,
  jev,
  pareto,
  switchyard,
]);
