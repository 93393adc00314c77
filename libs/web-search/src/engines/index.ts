import type { EngineAdapter } from '../adapter.ts';
import type { EngineName } from '../search.ts';
import { brave } from './brave.ts';
import { exa } from './exa.ts';
import { firecrawl } from './firecrawl.ts';
import { parallel } from './parallel.ts';
import { perplexity } from './perplexity.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

/** A row for each engine. */
export const adapters: Readonly<Record<EngineName, EngineAdapter>> = {
  searxng,
  exa,
  parallel,
  firecrawl,
  perplexity,
  tavily,
  brave,
  simulator: searxng,
};
