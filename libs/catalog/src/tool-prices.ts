import { parsePriceAttoUsd } from '@sluice/inference';

/** The price of one call of a server tool, in nano-USD. */
export interface ToolPrice {
  readonly callNanoUsd: bigint;
  /** The number of results that the price of the call includes. */
  readonly includedResults: number;
  /** The price of each further result. */
  readonly resultNanoUsd: bigint;
  /** The price of each second that it runs. */
  readonly secondNanoUsd: bigint;
  /** The price of each page that it reads. */
  readonly pageNanoUsd: bigint;
}

/** The counts that the price of a call depends on. */
export interface ToolCounts {
  readonly searches?: number;
  readonly searchResults?: number;
  readonly fetches?: number;
  readonly seconds?: number;
  readonly pages?: number;
  readonly files?: number;
}

/** Names the price of a call: the engine of the tool, and the mode that it runs in. */
export interface PricedTool {
  /** `service:web_search`. */
  readonly tool: string;
  /** Empty: Sluice itself. */
  readonly engine: string;
  readonly mode?: string | undefined;
}

export interface ToolPrices {
  /** Returns the price for the mode, or else for any mode. undefined: the operator offers no such engine. */
  find(called: PricedTool): ToolPrice | undefined;
}

export interface ListedToolPrices extends ToolPrices {
  /** Returns the prices of all modes of an engine. */
  ofEngine(called: Omit<PricedTool, 'mode'>): readonly ToolPrice[];
}

/** A row of the price table, as the catalog file writes it: USD, decimal. */
export interface ToolPriceRow {
  readonly tool: string;
  readonly engine?: string | undefined;
  /** Absent: all modes without a row. */
  readonly modes?: readonly string[] | undefined;
  readonly call?: string | undefined;
  readonly included_results?: number | undefined;
  readonly result?: string | undefined;
  readonly second?: string | undefined;
  readonly page?: string | undefined;
}

const webSearch = 'service:web_search';
const webFetch = 'service:web_fetch';
const fileParser = 'plugin:file-parser';
const tenIncluded = { included_results: 10, result: '0.001' };

/** The published prices of the engines. */
const listed: readonly ToolPriceRow[] = [
  { tool: webSearch, engine: 'exa', call: '0.007', ...tenIncluded },
  {
    tool: webSearch,
    engine: 'exa',
    modes: ['deep-lite', 'deep'],
    call: '0.012',
    ...tenIncluded,
  },
  { tool: webSearch, engine: 'exa', modes: ['deep-reasoning'], call: '0.015', ...tenIncluded },
  { tool: webSearch, engine: 'parallel', call: '0.005', ...tenIncluded },
  {
    tool: webSearch,
    engine: 'parallel',
    modes: ['turbo', 'fast'],
    call: '0.001',
    ...tenIncluded,
  },
  { tool: webSearch, engine: 'perplexity', call: '0.005' },
  { tool: webSearch, engine: 'tavily', call: '0.008' },
  { tool: webSearch, engine: 'brave', call: '0.005' },
  { tool: webSearch, engine: 'firecrawl' },
  { tool: webSearch, engine: 'searxng' },
  { tool: webSearch, engine: 'native' },
  { tool: webSearch, engine: 'simulator', call: '0.004', ...tenIncluded },
  { tool: webFetch },
  { tool: webFetch, engine: 'exa', call: '0.001' },
  { tool: webFetch, engine: 'parallel', call: '0.001' },
  { tool: webFetch, engine: 'firecrawl' },
  { tool: fileParser, engine: 'mistral-ocr', page: '0.002' },
  { tool: fileParser, engine: 'cloudflare-ai' },
  { tool: 'service:bash' },
  { tool: 'service:shell' },
];

/** Lays the rows of the catalog file over the published prices. Later rows of the same name win. */
export function toolPricesOf(rows: readonly ToolPriceRow[] = []): ListedToolPrices {
  const prices = new Map<string, ToolPrice>();
  for (const row of [...listed, ...rows]) {
    const price = toolPrice(row);
    for (const mode of row.modes ?? [''])
      prices.set(keyOf(row.tool, row.engine ?? '', mode), price);
  }
  return {
    find: ({ tool, engine, mode = '' }) =>
      prices.get(keyOf(tool, engine, mode)) ?? prices.get(keyOf(tool, engine, '')),
    ofEngine: ({ tool, engine }) =>
      [...prices].filter(([key]) => key.startsWith(keyOf(tool, engine, ''))).map(([, one]) => one),
  };
}

/** Returns the most that a call may cost which returns so many results and runs for so many seconds at most. */
export function toolWorstNanoUsd(
  price: ToolPrice,
  { results = 0, seconds = 0 }: { readonly results?: number; readonly seconds?: number },
): bigint {
  return toolCostNanoUsd(price, { searchResults: results, seconds });
}

/** Returns the cost of a call that was answered. */
export function toolCostNanoUsd(price: ToolPrice, counts: ToolCounts): bigint {
  const { searchResults = 0, seconds = 0, pages = 0 } = counts;
  const further = BigInt(Math.max(0, Math.ceil(searchResults) - price.includedResults));
  const ran = BigInt(Math.max(0, Math.ceil(seconds)));
  const read = BigInt(Math.max(0, Math.ceil(pages))) * price.pageNanoUsd;
  return price.callNanoUsd + further * price.resultNanoUsd + ran * price.secondNanoUsd + read;
}

function keyOf(tool: string, engine: string, mode: string): string {
  return `${tool}\0${engine}\0${mode}`;
}

function toolPrice(row: ToolPriceRow): ToolPrice {
  return {
    callNanoUsd: nanoUsdOf(row.call),
    includedResults: row.included_results ?? 0,
    resultNanoUsd: nanoUsdOf(row.result),
    secondNanoUsd: nanoUsdOf(row.second),
    pageNanoUsd: nanoUsdOf(row.page),
  };
}

const attoPerNano = 1_000_000_000n;

/** Rounds up to a whole nano-USD, because a hold covers it. The schema of the file has checked the decimal. */
function nanoUsdOf(decimal = '0'): bigint {
  const attoUsd = parsePriceAttoUsd(decimal);
  if (attoUsd === undefined) throw new Error(`the price ${decimal} of a tool is no decimal`);
  return (attoUsd + attoPerNano - 1n) / attoPerNano;
}
