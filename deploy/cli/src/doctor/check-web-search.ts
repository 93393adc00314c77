import type { SearchEngine } from '@sluice/routing/web-search';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'web search';
/** A search at a hosted engine costs money. */
const isFree = ({ name }: SearchEngine) => name === 'searxng' || name === 'simulator';

/** Names the engines of the tool `service:web_search`, and asks SearXNG. Without an engine nothing is wrong. */
export async function checkWebSearch({
  searchEngines: engines,
}: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(engines)) return [wrong(check, engines.unknown, 'correct the setting')];
  if (engines.length === 0)
    return [
      fine(
        check,
        'No search engine is set, so that each web search returns an error: ' +
          'SLUICE_SEARXNG_URL or a key such as EXA_API_KEY adds one',
      ),
    ];
  const names = engines.map(({ name }) => name).join(', ');
  const failures = await Promise.all(engines.filter(isFree).map(askEngine));
  const failed = failures.filter((failure) => failure !== undefined);
  return failed.length > 0 ? failed : [fine(check, `Searches go to ${names}`)];
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
