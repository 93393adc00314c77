import type { BodyFile, Call } from '../api/request.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { ApiCommand, ApiOption } from './api-command.ts';
import { filledPath } from './path.ts';
import { flagsOf, valueOf } from './value.ts';

/** The words that were typed behind a command. */
export interface Given {
  readonly named: readonly string[];
  readonly others: readonly string[];
  readonly values: readonly (readonly [ApiOption, string])[];
  readonly bodyFile: string | undefined;
  readonly json: boolean;
}

/** Makes the request of a command. Throws WrongUsage. */
export function requestOf(command: ApiCommand, given: Given): Call {
  const { method, path, options, columns = [], rows, key, hasBody = false } = command;
  const { named, bodyFile } = given;
  if (hasBody && bodyFile === undefined) refuseMissing(options, given);
  const hashes = hashesIn(command, given);
  return {
    method,
    path: filledPath(path, named),
    query: Object.fromEntries(
      given.values.flatMap(([option, text]) =>
        option.in === 'query' ? [[option.field, text] as const] : [],
      ),
    ),
    body: hasBody ? bodyOf(command, given) : undefined,
    files: [
      ...(bodyFile === undefined ? [] : [{ path: bodyFile, kind: 'body' } as const]),
      ...given.values.flatMap(fileOf),
    ],
    columns,
    ...(rows !== undefined && { rows }),
    ...(hashes.length > 0 && { hashes }),
    ...(key && { key }),
    json: given.json,
  };
}

/** In the words of the parser, which cannot know of the file. */
function refuseMissing(options: readonly ApiOption[], { values }: Given): void {
  const missing = options.find(
    (option) => option.required && !values.some(([known]) => known === option),
  );
  if (missing) throw new WrongUsage(`Required option "${flagsOf(missing)}" not specified.`);
}

const fileKinds = { secret: 'secret', file: 'text', secrets: 'json' } as const;
type FileOption = ApiOption & { readonly kind: keyof typeof fileKinds };
const isFile = (option: ApiOption): option is FileOption => Object.hasOwn(fileKinds, option.kind);

function fileOf([option, path]: readonly [ApiOption, string]): readonly BodyFile[] {
  if (!isFile(option)) return [];
  return [{ field: option.field, path, kind: fileKinds[option.kind] }];
}

function bodyOf({ rest }: ApiCommand, { others, values }: Given): Call['body'] {
  const fields = values
    .filter(([option]) => option.in === 'body' && !isFile(option))
    .map(([option, text]) => [option.field, valueOf(option, text)] as const);
  return { ...(rest && { [rest.field]: others }), ...Object.fromEntries(fields) };
}

/** A beginning of a hash that is long enough to be meant; a whole one has 64 digits. */
const hashPrefixPattern = /^[0-9a-f]{4,63}$/;
const isHash = (name: string) => /(?:^|_)hash(?:es)?$/.test(name);

function hashesIn(command: ApiCommand, { named, others, values }: Given): readonly string[] {
  const { arguments: known, rest } = command;
  return [
    ...named.filter((_, index) => isHash(known[index]?.name ?? '')),
    ...(rest && isHash(rest.field) ? others : []),
    ...values
      .filter(([{ field }]) => isHash(field))
      .flatMap(([option, text]) => [valueOf(option, text)].flat())
      .filter((value) => typeof value === 'string'),
  ].filter((word) => hashPrefixPattern.test(word));
}
