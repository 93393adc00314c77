import { type Static, Type } from 'typebox';
import { anyObject, field, formed, kind, listOf, optional, text } from '../fields.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { limits } from './limits.ts';
import { filename, mediaData } from './media.ts';

const annotationsMax = 1_000;
const sampleHash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

const parsedContent = Type.Union(
  [
    Type.Object({ type: kind('text'), text: field(text(), 'The text of the file.', 'hello') }),
    Type.Object({
      type: kind('image_url'),
      image_url: field(
        Type.Object({ url: field(mediaData, 'The picture as a data URL.') }),
        'A picture of the file.',
      ),
    }),
  ],
  { mustBe: 'a text or an image_url' },
);

/** A file as the plugin `file-parser` read it. */
const fileAnnotation = Type.Object({
  type: kind('file'),
  file: field(
    Type.Object({
      hash: field(formed('^[0-9a-f]{64}$', 'a SHA-256 in hexadecimal', sampleHash), 'SHA-256.'),
      name: filename,
      content: field(listOf(parsedContent, { max: limits.contentPartsMax }), 'What was read.'),
    }),
    'The file.',
  ),
});

export type FileAnnotationBody = Static<typeof fileAnnotation>;

/** Annotations of an earlier answer. Those of files are checked if the plugin reads them. */
export const annotations = optional(
  listOf(anyObject, { max: annotationsMax }),
  'Annotations of the answer. The plugin file-parser reads no file again that one of them has.',
  [],
);

/** Returns the problems of an annotation of a file, or `undefined` for one of another kind. */
export function fileAnnotationProblems(value: unknown): readonly Problem[] | undefined {
  if ((value as { readonly type?: unknown } | null)?.type !== 'file') return undefined;
  return problemsOf(fileAnnotation, value, { max: 3 });
}
