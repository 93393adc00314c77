/** An output of a tool, and facts in it that a model may be asked about later. */
export interface ToolOutput {
  readonly kind: string;
  readonly text: string;
  /** Failures, changes, and what stands first or last. */
  readonly expected: readonly string[];
  /** Facts from anywhere in the middle. */
  readonly other: readonly string[];
}

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const cities = [
  'Oslo',
  'Porto',
  'Graz',
  'Leeds',
  'Lyon',
  'Bari',
  'Gdansk',
  'Cork',
  'Turku',
  'Nice',
];
const cityOf = (index: number) => cities[index % cities.length] ?? '';
/** A number that looks random and is the same in each run. */
const mixed = (index: number) => (index * 7_919 + 104_729) % 99_991;
const time = (index: number) =>
  `2026-03-02T09:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}Z`;

function customers(count: number, indent: number | undefined): ToolOutput {
  const failed = Math.floor(count * 0.6);
  const rows = many(count, (index) => ({
    id: `cus_${mixed(index)}`,
    name: `Customer ${index}`,
    city: cityOf(index),
    balance_cents: mixed(index + 7),
    created_at: time(index),
    status: index === failed ? 'payment_failed' : 'active',
  }));
  const idOf = (index: number) => rows[index]?.id ?? '';
  return {
    kind: 'JSON list of objects',
    text: JSON.stringify({ data: rows, has_more: true }, undefined, indent),
    expected: [idOf(0), idOf(1), idOf(count - 1), idOf(failed), 'has_more'],
    other: many(5, (index) => idOf(Math.floor(count * 0.3) + index)),
  };
}

function pods(count: number): ToolOutput {
  const items = many(count, (index) => ({
    metadata: {
      name: `api-${mixed(index)}`,
      namespace: 'shop',
      labels: { app: 'api', tier: 'web' },
    },
    spec: { nodeName: `node-${index % 4}`, containers: [{ name: 'api', image: 'shop/api:1.4.2' }] },
    status:
      index === 9 ? { phase: 'Failed', reason: 'OOMKilled' } : { phase: 'Running', reason: '' },
  }));
  const nameOf = (index: number) => items[index]?.metadata.name ?? '';
  return {
    kind: 'JSON of an API, nested',
    text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 4),
    expected: ['OOMKilled', nameOf(9), nameOf(0), nameOf(count - 1)],
    other: many(4, (index) => nameOf(12 + index)),
  };
}

function webResults(): ToolOutput {
  const results = many(10, (index) => ({
    title: `Result ${index}: how to move a database to ${cityOf(index)}`,
    url: `https://example.com/${mixed(index)}`,
    snippet:
      `Part ${mixed(index + 3)} of a guide that explains each step of the move in plain words. `.repeat(
        4,
      ),
  }));
  const urlOf = (index: number) => results[index]?.url ?? '';
  return {
    kind: 'JSON of a web search',
    text: JSON.stringify({ query: 'move a database', results }, undefined, 2),
    expected: [urlOf(0), urlOf(1), urlOf(2)],
    other: [urlOf(4), urlOf(5), urlOf(6), urlOf(7)],
  };
}

function serviceLog(count: number): ToolOutput {
  const broken = Math.floor(count / 2);
  const lines = many(count, (index) =>
    index === broken
      ? `${time(index)} ERROR pool exhausted, trace ${mixed(index)}\n    at acquire (pool.js:31:9)`
      : `${time(index)} INFO request ${mixed(index)} GET /cart/${index} served in ${index % 97} ms`,
  );
  return {
    kind: 'log of a service',
    text: lines.join('\n'),
    expected: [
      'pool exhausted',
      `trace ${mixed(broken)}`,
      'pool.js:31:9',
      `request ${mixed(0)} `,
      `request ${mixed(count - 1)} `,
    ],
    other: many(5, (index) => `request ${mixed(40 + index)} `),
  };
}

function testLog(count: number): ToolOutput {
  const lines = many(count, (index) =>
    index === 31
      ? ' FAIL src/cart.spec.ts > total\n   AssertionError: expected 12 to be 13\n   at src/cart.spec.ts:44:7'
      : ` PASS src/part-${mixed(index)}.spec.ts (${index % 9} tests) ${index % 50} ms`,
  );
  return {
    kind: 'log of tests',
    text: [...lines, `Tests: 1 failed, ${count - 1} passed`].join('\n'),
    expected: [
      'src/cart.spec.ts > total',
      'expected 12 to be 13',
      'src/cart.spec.ts:44:7',
      '1 failed',
    ],
    other: many(4, (index) => `part-${mixed(50 + index)}.spec`),
  };
}

function hits(count: number): ToolOutput {
  const lines = many(
    count,
    (index) =>
      `src/shop/${cityOf(index).toLowerCase()}.ts:${index + 3}:  return priceOf(item${mixed(index)}, discount);`,
  ).toSorted();
  const said = (index: number) => /item\d+,/.exec(lines[index] ?? '')?.[0] ?? '';
  return {
    kind: 'search in files',
    text: lines.join('\n'),
    expected: [...cities.map((city) => `${city.toLowerCase()}.ts`), said(0)],
    other: many(6, (index) => said(Math.floor(count / 3) + index)),
  };
}

function diff(files: number): ToolOutput {
  const parts = many(files, (file) => [
    `diff --git a/src/file-${file}.ts b/src/file-${file}.ts`,
    `index ${mixed(file)}..${mixed(file + 1)} 100644`,
    `--- a/src/file-${file}.ts`,
    `+++ b/src/file-${file}.ts`,
    `@@ -${file + 10},14 +${file + 10},14 @@ export function part${file}() {`,
    ...many(6, (index) => `   const before${index} = read(${mixed(index + file)});`),
    `-  return old${mixed(file)};`,
    `+  return new${mixed(file)};`,
    ...many(6, (index) => `   const after${index} = write(${mixed(index + file + 50)});`),
  ]).flat();
  return {
    kind: 'diff',
    text: parts.join('\n'),
    expected: many(files, (file) => `+  return new${mixed(file)};`),
    other: many(4, (file) => `write(${mixed(file + 52)})`),
  };
}

function prose(): ToolOutput {
  const text = many(
    40,
    (index) =>
      `In ${cityOf(index)} the committee found ${mixed(index)} reasons to keep the bridge, and wrote them down.`,
  ).join(' ');
  return { kind: 'prose', text, expected: [`found ${mixed(0)} `], other: [`found ${mixed(20)} `] };
}

/** Outputs of tools of all kinds, in sizes that agents meet. */
export const toolOutputs: readonly ToolOutput[] = [
  customers(25, undefined),
  customers(100, 2),
  customers(400, undefined),
  pods(20),
  pods(60),
  webResults(),
  serviceLog(120),
  serviceLog(800),
  testLog(120),
  testLog(500),
  hits(60),
  hits(300),
  diff(8),
  diff(40),
  prose(),
];
