import type { Secret } from '@sluice/boot';
import { type ToolPrices, toolCostNanoUsd } from '@sluice/catalog';
import { isRejection, type Rejection } from '@sluice/errors';
import type { EngineContent, FileEngine } from '@sluice/file-engines';
import type { Credential } from '../../credentials/credential.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { FileAnnotation } from '../../request/file-annotation.ts';
import { keyedEngines } from '../../tools/own-engines.ts';
import type { StageWork } from '../stage-work.ts';
import type { PdfEngine } from './handling.ts';
import type { LoadedFile } from './load-file.ts';

/** The hosted engines that read PDFs. */
export interface FileEngines {
  /** Engines that the deployment has a key of. */
  readonly names: readonly PdfEngine[];
  /** Opens an engine with the account's own key, or the platform's. undefined: there is no such key. */
  open(name: PdfEngine, ownKey: Secret | undefined): FileEngine | undefined;
}

export interface EngineOptions {
  /** Absent: there are none. */
  readonly engines?: FileEngines | undefined;
  readonly catalog: { readonly toolPrices: ToolPrices };
}

/** A PDF for an engine. */
export interface EngineRead {
  readonly engine: PdfEngine;
  readonly loaded: LoadedFile;
  readonly pages: number;
  readonly call: CanonicalCall;
  readonly work: StageWork;
}

export interface EngineResult {
  /** Is undefined if no engine has read it. */
  readonly content: FileAnnotation['content'] | undefined;
  /** The cost of all engines that were tried. */
  readonly costNanoUsd: bigint;
}

export const workType = 'plugin:file-parser';
/** More than an engine has for one file. */
const timeoutMs = 125_000;
/** The provider whose keys an engine takes. Cloudflare's address names an account: a key alone opens nothing. */
const providers: Readonly<Partial<Record<PdfEngine, string>>> = { 'mistral-ocr': 'mistral' };

/**
 * Reads a PDF with a hosted engine: with the account's own keys, or the platform's. Returns undefined if the deployment
 * has no such engine, and a Rejection if no budget holds its price.
 */
export async function readWithEngine(
  read: EngineRead,
  { engines, catalog }: EngineOptions,
): Promise<EngineResult | Rejection | undefined> {
  const { engine, loaded, pages, call, work } = read;
  const price = catalog.toolPrices.find({ tool: workType, engine });
  if (!engines || !price) return undefined;
  const offers = offersOf(engine, engines, await work.ownCredentials(call));
  if (offers.length === 0) return undefined;
  const worstNanoUsd = toolCostNanoUsd(price, { pages });
  let costNanoUsd = 0n;
  for (const credential of offers) {
    const asked = { type: workType, engine, worstNanoUsd, timeoutMs, call, credential } as const;
    const ended = await work.run(asked, async ({ usageId, signal, ownKey }) => {
      const opened = engines.open(engine, ownKey);
      if (!opened) return failed(false);
      const outcome = await opened.read(loaded, { signal, requestId: usageId });
      if (!outcome.isRead) return failed(outcome.mayBeBilled);
      // The hold is for the pages that the file has.
      const counts = { files: 1, pages: Math.min(outcome.pages ?? pages, pages) };
      const charge = { costNanoUsd: toolCostNanoUsd(price, counts), counts };
      return { result: outcome.content, isFailed: false, charge };
    });
    if (isRejection(ended)) return ended;
    costNanoUsd += ended.costNanoUsd;
    const content = ended.result && contentOf(ended.result);
    if (content) return { content, costNanoUsd };
  }
  return { content: undefined, costNanoUsd };
}

function failed(mayBeBilled: boolean) {
  const costNanoUsd = mayBeBilled ? ('unknown' as const) : 0n;
  return { result: undefined, isFailed: true, charge: { costNanoUsd } };
}

/** Returns the credentials to try in their order. undefined stands for the platform's key. */
function offersOf(
  engine: PdfEngine,
  { names }: FileEngines,
  own: readonly Credential[],
): readonly (Credential | undefined)[] {
  const provider = providers[engine];
  if (provider === undefined) return names.includes(engine) ? [undefined] : [];
  return keyedEngines({
    asked: provider,
    hosted: [provider],
    shared: names.includes(engine) ? provider : undefined,
    own,
  }).map(({ credential }) => credential);
}

/** Returns undefined for a file without a text or a picture. */
function contentOf(content: readonly EngineContent[]): FileAnnotation['content'] | undefined {
  if (!content.some((part) => part.type === 'image' || part.text.trim() !== '')) return undefined;
  return content.map((part) =>
    part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url } },
  );
}
