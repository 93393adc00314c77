import {
  type PageEngineName,
  pageEngineNames,
  type SearchEngine,
} from '@sluice/routing/web-search';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'web search';
/** A search at a hosted engine costs money. */
const isFree = ({ name }: SearchEngine) => name === 'searxng' || name === 'simulator';
const reachedMs = 5_000;

/**
 * Names the engines of the tools `service:web_search` and `service:web_fetch`. It asks SearXNG, and sees whether the
 * address of a hosted engine answers. Without an engine nothing is wrong.
 */
export async function checkWebSearch({
  searchEngines: engines,
}: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(engines)) return [wrong(check, engines.unknown, 'correct the setting')];
  if (engines.length === 0)
    return [
      fine(
        check,
        'No search engine is set, so that each web search returns an error: ' +
          'SLUICE_SEARXNG_URL or a key such as EXA_API_KEY adds one. Pages are read by Sluice itself',
      ),
    ];
  const names = engines.map(({ name }) => name);
  const failures = await Promise.all(
    engines.map((engine) => (isFree(engine) ? askEngine(engine) : reachEngine(engine))),
  );
  const failed = failures.filter((failure) => failure !== undefined);
  if (failed.length > 0) return failed;
  const readers = names.filter((name) => pageEngineNames.includes(name as PageEngineName));
  const pages = ['Sluice itself', ...readers].join(', ');
  return [fine(check, `Searches go to ${names.join(', ')}. Pages are read by ${pages}`)];
}

async function askEngine(engine: SearchEngine): Promise<Finding | undefined> {
  const settings = { maxResults: 1, allowedDomains: [], excludedDomains: [] };
  const { signal } = new AbortController();
  const outcome = await engine.search('weather', settings, { signal });
  if (outcome.isFound) return undefined;
  return wrong(
    check,
    outcome.message,
    'see that SLUICE_SEARXNG_URL is right and that `formats` in its settings.yml has json',
  );
}

async function reachEngine(engine: SearchEngine): Promise<Finding | undefined> {
  if (await engine.isReachable(AbortSignal.timeout(reachedMs))) return undefined;
  const variable = `${engine.name.toUpperCase()}_BASE_URL`;
  return wrong(
    check,
    `${engine.name} cannot be reached`,
    `see that the network or its proxy lets it through, and that ${variable} is right if it is set`,
  );
}
