import { posix } from 'node:path';
import { DocumentationProblem } from '../problem.ts';
import { only, type Repository } from '../repository.ts';
import type { Reader } from './stored-event.ts';

export interface Followed {
  readonly service: string;
  readonly storeFile: string;
  /** Every event of the aggregate. */
  readonly types: readonly string[];
}

/** The projections, then the reactions, that follow the streams of one store file. */
export function readersOf(repository: Repository, followed: Followed): readonly Reader[] {
  const folder = `services/${followed.service}/src`;
  const storeImport = `'../store/${posix.basename(followed.storeFile)}'`;
  const read = (kind: Reader['kind']) =>
    repository
      .sources(`${folder}/${kind}s`)
      .map((file) => ({ file, source: repository.text(file) }))
      .filter(({ source }) => source.includes(storeImport))
      .map(({ file, source }) => readReader({ kind, file, source, types: followed.types }));
  return [...read('projection'), ...read('reaction')];
}

/** The sources of a service that declare a projection or a reaction. */
export function projectionFiles(repository: Repository, service: string): readonly string[] {
  return ['projections', 'reactions']
    .flatMap((folder) => repository.sources(`services/${service}/src/${folder}`))
    .filter((file) => /: Projection\b/.test(repository.text(file)));
}

interface ReaderSource {
  readonly kind: Reader['kind'];
  readonly file: string;
  readonly source: string;
  readonly types: readonly string[];
}

/** An exported and documented `x: Projection = …` or `x(…): Projection`. */
const declared =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*export (?:const|function) (?:(?!\/\*\*|\bexport\b)[\s\S])*?: Projection [={]/g;
const named = /\bprojection: '([\w.]+)',\s*version: (\d+),/g;
/** Absent for a reaction that `publishLatest` makes. */
const tables = /\btables: \[([^\]]*)\],/;

function readReader({ kind, file, source, types }: ReaderSource): Reader {
  const [, comment = ''] = only([...source.matchAll(declared)], `${file}: a documented Projection`);
  const [, name = '', version = ''] = only(
    [...source.matchAll(named)],
    `${file}: projection: '…', version: …`,
  );
  const [, list = ''] = tables.exec(source) ?? [];
  return {
    kind,
    name,
    version: Number(version),
    comment: words(comment),
    file,
    handles: handledTypes(source, file, types),
    tables: [...list.matchAll(/'(\w+)'/g)].map(([, table = '']) => table),
    publishes: [...new Set([...source.matchAll(/\bsubjects\.(\w+)\(/g)].map(([, to = '']) => to))],
  };
}

/**
 * Without a `case` it is about the stream as a whole: every event. Else each event has its case, and
 * one whose case does nothing but end is passed over.
 */
export function handledTypes(
  source: string,
  file: string,
  types: readonly string[],
): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '');
  const cases = [...code.matchAll(/\bcase '(\w+)':\s*(?=(case\b|break;|return;|\})?)/g)];
  if (cases.length === 0) return types;
  const missing = types.filter((type) => !cases.some(([, name]) => name === type));
  if (missing.length > 0)
    throw new DocumentationProblem(`${file}: there is no case for ${missing.join(', ')}`);
  let isHandled = false;
  const handled = new Set<string>();
  for (const [, name = '', after] of cases.toReversed()) {
    if (after !== 'case') isHandled = after === undefined;
    if (isHandled) handled.add(name);
  }
  return types.filter((type) => handled.has(type));
}

/** The words of a doc comment, in one line. */
function words(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}
