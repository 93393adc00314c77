import { posix } from 'node:path';
import type { Rule } from './rules.ts';
import { resolveRelative, type Source } from './source.ts';

/** The rooms of a service that owns aggregates. */
const aggregateRooms = [
  'domain',
  'store',
  'queries',
  'projections',
  'commands',
  'clients',
  'reactions',
  'rpc',
] as const;

/**
 * The rooms of a service, the lowest floor first. A room imports its own files and those of lower floors only. Files
 * beside the rooms compose them, and no room imports these but `config.ts` and `settings.ts`.
 */
export const roomsOf: Readonly<Record<string, readonly string[]>> = {
  'services/account': aggregateRooms.flatMap((room) =>
    room === 'commands' ? ['directory', room] : [room],
  ),
  'services/analytics': [
    'domain',
    'store',
    'messages',
    'clients',
    'verification',
    'exports',
    'reactions',
    'rpc',
  ],
  'services/guardrail': aggregateRooms,
  'services/key': aggregateRooms,
  'services/ledger': aggregateRooms.flatMap((room) => {
    if (room === 'reactions') return ['archive', 'administration', 'verification', room];
    return room === 'commands' ? ['messages', room] : [room];
  }),
  'services/observer': [
    'domain',
    'senders',
    'store',
    'messages',
    'clients',
    'delivery',
    'reactions',
    'rpc',
  ],
  'services/workspace': aggregateRooms,
  'services/sandbox': ['engine', 'egress', 'host', 'engines', 'containers', 'rpc'],
  'services/gateway': [
    'clients',
    'caller',
    'keys',
    'accounts',
    'audit',
    'idempotency',
    'inference',
    'http',
    'resources',
    'openapi',
  ],
  'services/routing': [
    'request',
    'credentials',
    'private-endpoints',
    'policy',
    'tools',
    'stages',
    'byok',
    'clients',
    'selection',
    'dialects',
    'health',
    'sticky',
    'outcomes',
    'usage',
    'admission',
    'turn',
    'response',
    'models',
    'http',
    'compose',
  ],
};

/** Imports between rooms that no floor explains, from room to room. */
const forbidden: readonly (readonly [string, string])[] = [
  ['admission', 'usage'],
  ['admission', 'dialects'],
  ['usage', 'dialects'],
  ['usage', 'selection'],
  ['selection', 'policy'],
  ['queries', 'domain'],
  ['queries', 'store'],
  ['commands', 'projections'],
  ['reactions', 'projections'],
  ['rpc', 'projections'],
];

/** Folders that touch money, and the only rooms that import them: `compose` makes their parts and calls none. */
const reserved: readonly (readonly [string, readonly string[]])[] = [
  ['services/routing/src/admission/', ['admission', 'turn', 'compose']],
  ['services/routing/src/usage/journal/', ['usage', 'turn', 'compose']],
];

const dialectSeam = 'services/routing/src/dialects/dialect.ts';
/** Rooms that know no dialect, but what all dialects are. */
const dialectBlind: readonly string[] = ['stages', 'selection', 'admission', 'turn', 'response'];

const settings = ['config.ts', 'settings.ts', 'compose/config.ts'];

/** Places whose folders do not import each other, and the folders there that all may import. */
const separated: Readonly<Record<string, readonly string[]>> = {
  'libs/providers/src': [],
  'services/routing/src/dialects': ['answer', 'body', 'service-fields', 'testing'],
};

function roomOf(path: string, folder: string): string | undefined {
  const [room, ...rest] = path.slice(`${folder}/src/`.length).split('/');
  return rest.length > 0 ? room : undefined;
}

interface Arrow {
  readonly text: string;
  readonly from: string;
  readonly to: string | undefined;
  /** The path of the imported file. */
  readonly target: string;
  readonly floors: readonly string[];
}

function arrowsOf(source: Source): readonly Arrow[] {
  const { folder } = source.package;
  const floors = roomsOf[folder];
  const from = roomOf(source.path, folder);
  if (!floors || from === undefined || source.isTest) return [];
  return source.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolveRelative(source, specifier))
    .filter((path) => !settings.includes(path.slice(`${folder}/src/`.length)))
    .map((path) => {
      const text = `${source.path} -> ${path.slice(`${folder}/src/`.length)}`;
      return { text, from, to: roomOf(path, folder), target: path, floors };
    })
    .filter(({ to }) => to !== from);
}

function runsUp({ from, to, floors }: Arrow): boolean {
  if (!floors.includes(from)) return true;
  if (to === undefined || floors.indexOf(to) >= floors.indexOf(from)) return true;
  return forbidden.some(([a, b]) => a === from && b === to);
}

/** Returns each group of files that import each other, types included. */
export function circlesOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const targets = (path: string) =>
    (byPath.get(path)?.imports ?? [])
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolveRelative(byPath.get(path) as Source, specifier))
      .filter((target) => byPath.has(target));
  const reached = new Map<string, ReadonlySet<string>>();
  for (const path of byPath.keys()) {
    const seen = new Set<string>();
    const waiting = targets(path).slice();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...targets(next));
    }
    reached.set(path, seen);
  }
  const circular = [...byPath.keys()].filter((path) => reached.get(path)?.has(path));
  const groups = Map.groupBy(circular, (path) =>
    circular
      .filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path))
      .map((one) => posix.normalize(one))
      .toSorted()
      .join(' '),
  );
  return [...groups.values()];
}

export const roomRules: readonly Rule[] = [
  {
    name: 'a room of a service imports only rooms of lower floors',
    offenders: (sources) =>
      sources
        .flatMap(arrowsOf)
        .filter(runsUp)
        .map(({ text }) => text),
  },
  {
    name: 'files do not import each other in a circle',
    offenders: (sources) =>
      circlesOf(sources.filter(({ isTest }) => !isTest)).map((circle) => circle.join(' <-> ')),
  },
  {
    name: 'only a turn holds money and writes the journal',
    offenders(sources) {
      return sources.flatMap(arrowsOf).flatMap(({ text, from, target }) => {
        const taken = reserved.some(
          ([reservedFolder, rooms]) => target.startsWith(reservedFolder) && !rooms.includes(from),
        );
        return taken ? [text] : [];
      });
    },
  },
  {
    name: 'rooms that answer a request import only the seam of the dialects',
    offenders: (sources) =>
      sources
        .flatMap(arrowsOf)
        .filter(({ from, to, target }) => {
          const isSeam = target === dialectSeam;
          return to === 'dialects' && dialectBlind.includes(from) && !isSeam;
        })
        .map(({ text }) => text),
  },
  {
    name: 'a dialect of providers or of clients imports no sibling',
    offenders: (sources) =>
      Object.entries(separated).flatMap(([place, shared]) => {
        const folderOf = (path: string) =>
          path.startsWith(`${place}/`) ? path.slice(place.length + 1).split('/', 2) : [];
        return sources
          .filter(({ isTest }) => !isTest)
          .flatMap((source) => {
            const [from, inside] = folderOf(source.path);
            if (from === undefined || inside === undefined) return [];
            return source.imports
              .filter((specifier) => specifier.startsWith('.'))
              .map((specifier) => resolveRelative(source, specifier))
              .filter((target) => {
                const [to = '', file] = folderOf(target);
                return file !== undefined && to !== from && !shared.includes(to);
              })
              .map((target) => `${source.path} -> ${target.slice(place.length + 1)}`);
          });
      }),
  },
  {
    name: 'each service and each of its rooms has a floor',
    offenders: (sources) => [
      ...new Set(
        sources
          .filter(({ isTest, package: { folder } }) => !isTest && folder.startsWith('services/'))
          .flatMap(({ path, package: { folder } }) => {
            const room = roomOf(path, folder);
            const floors = roomsOf[folder] ?? [];
            return room === undefined || floors.includes(room) ? [] : [`${folder}/src/${room}`];
          }),
      ),
    ],
  },
];
