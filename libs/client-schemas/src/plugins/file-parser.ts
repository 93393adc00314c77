import { Type } from 'typebox';
import { oneOf, optional } from '../fields.ts';
import { enabled, idOf } from './plugin-fields.ts';

/** Turns files into texts that every model reads. */
export const fileParser = Type.Object({
  id: idOf('file-parser'),
  enabled,
  pdf: optional(
    Type.Object({
      engine: optional(
        oneOf('mistral-ocr', 'native', 'cloudflare-ai', 'pdf-text'),
        'What does the work.',
      ),
    }),
    'How files of the format PDF are read.',
  ),
});
