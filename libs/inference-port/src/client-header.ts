import { applicationName, knownApplication } from './application-name.ts';
import { applicationCategories, anthropicBetas } from './client-words.ts';
import { type CacheHeaders, cacheHeaders, cacheWish } from './cache-wish.ts';
import type { ClientApplication } from './port.ts';

const textCharactersMax = 512;
const headerCharactersMax = 8_192;
const sessionCharactersMax = 256;
const categoriesMax = 2;
const unsupportedModes = ['lenient', 'strict'] as const;

/** The headers of a request that say something of its client, as they came (contract inference.md 1.3). */
export interface ClientHeaders extends CacheHeaders {
  /** `HTTP-Referer`, or else `Referer`. */
  readonly referer?: string | undefined;
  /** `X-Service-Title`, or else `X-Title`. */
  readonly title?: string | undefined;
  /** `X-Service-Categories`: a list, separated by commas. */
  readonly categories?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly originator?: string | undefined;
  readonly sessionId?: string | undefined;
  /** `X-Service-Metadata`, or else its older name. */
  readonly metadata?: string | undefined;
  /** `X-Service-Log-Content` */
  readonly logContent?: string | undefined;
  /** `x-anthropic-beta`: a list, separated by commas. */
  readonly anthropicBeta?: string | undefined;
  /** `X-Service-Unsupported-Features`. */
  readonly unsupportedFeatures?: string | undefined;
}

/**
 * Reads a client's headers, cut to a bound. undefined: there are none. A session id that is too long is dropped, and
 * so are a title or a category without a referer, and unknown values.
 */
export function clientApplication(headers: ClientHeaders): ClientApplication | undefined {
  const { referer, userAgent, sessionId, metadata, anthropicBeta } = headers;
  const asked = headers.unsupportedFeatures?.toLowerCase();
  const unsupported = unsupportedModes.find((mode) => mode === asked);
  // Most calls say nothing else than what called, or not even that.
  // Nothing is kept on a misunderstanding: only `true` says the same as no header.
  const withholds = headers.logContent !== undefined && headers.logContent.toLowerCase() !== 'true';
  const isSilent =
    !referer && !userAgent && !headers.originator && !sessionId && !metadata && !anthropicBeta;
  const cache = cacheWish(headers);
  if (isSilent && !unsupported && !cache && !withholds) return undefined;
  const isSession =
    sessionId !== undefined && sessionId !== '' && sessionId.length <= sessionCharactersMax;
  const named = part('referer', referer);
  const hasName = named.referer !== undefined;
  const categories = hasName ? words(headers.categories, applicationCategories, categoriesMax) : [];
  const betas = words(anthropicBeta, anthropicBetas);
  const agent = part('userAgent', userAgent);
  const application = applicationName(headers.originator, agent.userAgent);
  const client: ClientApplication = {
    ...named,
    ...(hasName && part('title', headers.title)),
    ...(categories.length > 0 && { categories }),
    ...agent,
    ...(application !== undefined && { application }),
    ...(isSession && { sessionId }),
    ...(metadata?.toLowerCase() === 'enabled' && { wantsMetadata: true }),
    ...(withholds && { withholdsContents: true as const }),
    ...(betas.length > 0 && { anthropicBetas: betas }),
    ...(unsupported && { unsupportedFeatures: unsupported }),
    ...(cache && { cache }),
  };
  return Object.keys(client).length === 0 ? undefined : client;
}

/** Returns one header value, for the link between two of our own processes. */
export function encodeClient(client: ClientApplication): string {
  return Buffer.from(JSON.stringify(client)).toString('base64url');
}

/** Returns undefined if the header has nothing that can be read. */
export function decodeClient(header: string | undefined): ClientApplication | undefined {
  if (header === undefined || header.length > headerCharactersMax) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    if (typeof value !== 'object' || value === null) return undefined;
    const told = value as Readonly<Record<keyof ClientApplication, unknown>>;
    const client = clientApplication({
      referer: textOf(told.referer),
      title: textOf(told.title),
      categories: listOf(told.categories),
      userAgent: textOf(told.userAgent),
      sessionId: textOf(told.sessionId),
      metadata: told.wantsMetadata === true ? 'enabled' : undefined,
      logContent: told.withholdsContents === true ? 'false' : undefined,
      anthropicBeta: listOf(told.anthropicBetas),
      unsupportedFeatures: textOf(told.unsupportedFeatures),
      ...cacheHeaders(told.cache),
    });
    const application = knownApplication(textOf(told.application));
    return application === undefined ? client : { ...client, application };
  } catch {
    return undefined;
  }
}

function part<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [Key in Name]?: string } {
  // Control characters and half characters have no place in a record.
  const clean = text
    ?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, textCharactersMax)
    .toWellFormed();
  return (clean ? { [name]: clean } : {}) as { readonly [Key in Name]?: string };
}

/** The known words of a list, each once, in its order. */
function words(
  text: string | undefined,
  known: ReadonlySet<string>,
  max = known.size,
): readonly string[] {
  if (text === undefined || text.length > headerCharactersMax) return [];
  const given = new Set(text.split(',').map((word) => word.trim()));
  return [...given].filter((word) => known.has(word)).slice(0, max);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: unknown): string | undefined {
  return Array.isArray(value)
    ? value.filter((word) => typeof word === 'string').join(',')
    : undefined;
}
