import { parsePriceAttoUsd } from '@sluice/inference';
import type { ProviderReceipt } from '@sluice/ledger/reconciliation';

/** A file of receipts is not what it has to be; the message is a sentence that names the line. */
export class ReceiptsUnreadable extends Error {
  override readonly name = 'ReceiptsUnreadable';
}

/** A line above it is no receipt. */
const lineCharactersMax = 1_048_576;
const idCharactersMax = 512;
/** Above it a number of tokens is absurd, and inexact in JSON. */
const tokensMax = 9_007_199_254_740_991n;

const names = {
  id: ['id', 'upstream_id'],
  input: ['input_tokens', 'prompt_tokens'],
  output: ['output_tokens', 'completion_tokens'],
  cached: ['cached_tokens', 'cached_input_tokens'],
  reasoning: ['reasoning_tokens'],
  attempt: ['client_request_id'],
  outcome: ['outcome', 'status'],
  cost: ['cost_usd'],
} as const;

/**
 * Receipts out of the chunks of a text: JSON lines, or CSV whose first line names its columns. One line at
 * a time is in memory. Throws ReceiptsUnreadable.
 */
export async function* parseReceipts(
  chunks: AsyncIterable<string>,
): AsyncGenerator<ProviderReceipt> {
  let columns: readonly string[] | undefined;
  let isJson: boolean | undefined;
  let number = 0;
  for await (const raw of linesOf(chunks)) {
    number++;
    const line = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (line === '') continue;
    isJson ??= line.startsWith('{');
    if (isJson) {
      yield receiptOf(jsonFields(line, number), number);
      continue;
    }
    const cells = csvCells(line, number);
    if (!columns) {
      columns = cells.map((cell) => cell.trim().toLowerCase());
      continue;
    }
    if (cells.length !== columns.length)
      throw unreadable(number, `has ${cells.length} cells, the first line has ${columns.length}`);
    yield receiptOf(new Map(columns.map((column, index) => [column, cells[index] ?? ''])), number);
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > lineCharactersMax)
      throw new ReceiptsUnreadable('The receipts have a line of more than 1 MiB.');
  }
  if (rest !== '') yield rest;
}

type Fields = ReadonlyMap<string, unknown>;

function jsonFields(line: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return new Map(Object.entries(value));
  } catch {
    // Told below.
  }
  throw unreadable(number, 'is no JSON object');
}

const cellPattern = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;

function csvCells(line: string, number: number): readonly string[] {
  const cells: string[] = [];
  cellPattern.lastIndex = 0;
  while (cellPattern.lastIndex < line.length) {
    const cell = cellPattern.exec(line);
    if (!cell) throw unreadable(number, 'is no line of CSV');
    cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
  }
  // The cell behind a comma at the end is empty.
  if (line.endsWith(',')) cells.push('');
  return cells;
}

function receiptOf(fields: Fields, number: number): ProviderReceipt {
  const id = find(fields, names.id);
  if (typeof id !== 'string' || id === '' || id.length > idCharactersMax || id.includes('\0'))
    throw unreadable(number, 'has no id');
  const costNanoUsd = cost(fields, number);
  // A receipt with an amount needs no tokens: that of a search has none.
  const none = costNanoUsd === undefined ? undefined : 0n;
  return {
    id,
    inputTokens: tokens(fields, names.input, number) ?? none ?? missing(names.input[0], number),
    outputTokens: tokens(fields, names.output, number) ?? none ?? missing(names.output[0], number),
    cachedTokens: tokens(fields, names.cached, number),
    reasoningTokens: tokens(fields, names.reasoning, number),
    attemptId: attemptOf(fields, number),
    isFree: find(fields, names.outcome) === 'failed',
    ...(costNanoUsd !== undefined && { costNanoUsd }),
  };
}

/** Empty: it names none. */
function attemptOf(fields: Fields, number: number): string {
  const attempt = find(fields, names.attempt) ?? '';
  if (typeof attempt !== 'string' || attempt.length > idCharactersMax || attempt.includes('\0'))
    throw unreadable(number, 'has a client_request_id that is none');
  return attempt;
}

function find(fields: Fields, candidates: readonly string[]): unknown {
  return fields.get(candidates.find((name) => fields.has(name)) ?? '');
}

function tokens(fields: Fields, candidates: readonly string[], number: number): bigint | undefined {
  const value = find(fields, candidates);
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d{1,16}$/.test(text.trim()) && BigInt(text) <= tokensMax)
    return BigInt(text);
  throw unreadable(number, `has ${candidates[0]} that are no whole number of tokens`);
}

const attoPerNano = 1_000_000_000n;

/** Returns the amount of a receipt, rounded half up as costs are; undefined: it names none. */
function cost(fields: Fields, number: number): bigint | undefined {
  const value = find(fields, names.cost);
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  const attoUsd = typeof text === 'string' ? parsePriceAttoUsd(text.trim()) : undefined;
  if (attoUsd === undefined) throw unreadable(number, 'has a cost_usd that is no decimal amount');
  return (attoUsd + attoPerNano / 2n) / attoPerNano;
}

function missing(name: string, number: number): never {
  throw unreadable(number, `has no ${name}`);
}

function unreadable(number: number, what: string): ReceiptsUnreadable {
  return new ReceiptsUnreadable(`Line ${number} of the receipts ${what}.`);
}
