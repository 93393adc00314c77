import { Type } from 'typebox';
import { oneOf, optional } from '../fields.ts';
import { enabled, idOf } from './plugin-fields.ts';

/** Shortens a conversation that does not fit the context of a model. */
export const contextCompression = Type.Object({
  id: idOf('context-compression'),
  enabled,
  engine: optional(
    oneOf('middle-out', 'tool-outputs'),
    'What does the work. `tool-outputs` shrinks the outputs of tools first.',
  ),
});
