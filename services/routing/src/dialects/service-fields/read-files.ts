import {
  type FileAnnotationBody,
  fileAnnotationProblems,
  isObject,
  type JsonObject,
  type ServiceBody,
} from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { FileAnnotation, RequestFiles } from '../../request/file-annotation.ts';
import { settingsOf } from '../../request/plugins.ts';
import type { Issues } from '../body/issues.ts';
import { readPlugins } from './read-plugins.ts';

/** Returns the files of a body and those that earlier answers in it have. undefined: the plugin is off. */
export function readFiles(body: ServiceBody, defaults: RequestDefaults): RequestFiles | undefined {
  if (!settingsOf({ plugins: readPlugins(body, defaults) }, 'file-parser')) return undefined;
  const fields: string[] = [];
  const known = new Map<string, FileAnnotation>();
  walkFiles(body, {
    onFile: (path) => fields.push(path),
    onAnnotation(annotation) {
      if (fileAnnotationProblems(annotation)?.length !== 0) return;
      const { file } = annotation as FileAnnotationBody;
      known.set(file.hash, file);
    },
  });
  return { fields, known };
}

/** Adds the problems of annotations that spare a file to be read again. */
export function checkFiles(body: ServiceBody, defaults: RequestDefaults, issues: Issues): void {
  if (!settingsOf({ plugins: readPlugins(body, defaults) }, 'file-parser')) return;
  walkFiles(body, {
    onFile: () => undefined,
    onAnnotation(annotation, path) {
      for (const problem of fileAnnotationProblems(annotation) ?? [])
        issues.add(`${path}.${problem.path}`, problem.message);
    },
  });
}

interface FileWalk {
  onFile(path: string): void;
  onAnnotation(annotation: unknown, path: string): void;
}

/** Walks through the items or messages of a body in their order. */
function walkFiles(body: object, walk: FileWalk): void {
  const { input, messages } = body as JsonObject;
  visit(messages ?? input, messages ? 'messages' : 'input', walk);
}

/** The fields that lead to a file or an annotation. */
const inner = ['content', 'output'] as const;

function visit(value: unknown, path: string, walk: FileWalk): void {
  if (Array.isArray(value))
    return value.forEach((entry, index) => visit(entry, `${path}[${String(index)}]`, walk));
  if (!isObject(value)) return;
  const file = fileField(value);
  if (file !== undefined) return walk.onFile(`${path}.${file}`);
  const { annotations } = value;
  if (Array.isArray(annotations))
    annotations.forEach((entry, index) =>
      walk.onAnnotation(entry, `${path}.annotations[${String(index)}]`),
    );
  for (const name of inner)
    if (typeof value[name] === 'object') visit(value[name], `${path}.${name}`, walk);
}

/** Returns the field that has the file of a part. undefined: the part is no file. */
function fileField(part: JsonObject): string | undefined {
  const { type, file, source } = part;
  if (type === 'input_file') return fieldOf(part, ['file_data', 'file_url', 'file_id']);
  if (type === 'file' && isObject(file)) return `file.${fieldOf(file, ['file_data', 'file_id'])}`;
  return type === 'document' && isObject(source) ? 'source' : undefined;
}

const fieldOf = (part: JsonObject, names: readonly string[]) =>
  names.find((name) => typeof part[name] === 'string') ?? '';
