import type { JsonObject } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { passedOn } from '../native.ts';
import { errorResult, type ServerTool } from '../tool.ts';
import { patchProblem, type PatchOperation } from './check-patch.ts';

const type = 'service:apply_patch';
const shortKind = 'apply_patch';

const path = Type.String({ description: 'Path of the file.', default: 'notes.txt' });
const diff = Type.String({
  description: 'The lines of the patch in the V4A dialect, without its first and last line.',
  default: '+one line',
});

const parameters = Type.Object({
  operation: Type.Union([
    Type.Object({ type: Type.Enum(['create_file', 'update_file']), path, diff }),
    Type.Object({ type: Type.Literal('delete_file'), path }),
  ]),
});

/**
 * Returns the tool that checks a patch. A right one ends the turn, and the client applies it; the model reads why a
 * wrong one is none. Sluice applies no patch.
 */
export function applyPatchTool(): ServerTool {
  return {
    type,
    aliases: [shortKind],
    native: passedOn(shortKind),
    // A client applies each patch of the short kind that it gets.
    itemType: (kind, { operation }) =>
      kind === shortKind && operation && !patchProblem(operation as PatchOperation)
        ? 'apply_patch_call'
        : type,
    asFunction: () => ({
      description:
        'Creates, updates or deletes one file by a patch in the V4A dialect. Lines of a new file begin with "+". ' +
        'An update has context lines that begin with " ", removed ones with "-", added ones with "+", and "@@" ' +
        'before each section.',
      parameters,
    }),
    worstCost: () => 0n,
    opening: ({ operation }, { callId }) => ({ call_id: callId, operation: emptied(operation) }),
    async run(args, context) {
      const { callId, kind } = context;
      const operation = args['operation'] as PatchOperation;
      const problem = patchProblem(operation);
      const item = { call_id: callId, operation };
      // OpenAI's client ends a stream with an event that it does not know, and it knows none of a diff.
      if (operation.type !== 'delete_file' && kind !== shortKind) {
        const { diff: whole } = operation;
        context.progress({
          event: 'apply_patch_call_operation_diff.delta',
          fields: { delta: whole },
        });
        context.progress({
          event: 'apply_patch_call_operation_diff.done',
          fields: { diff: whole },
        });
      }
      if (problem !== undefined) return errorResult(problem, item);
      return { output: '', item, ends: true };
    },
    replay: ({ call_id: callId, operation, status }) => ({
      arguments: JSON.stringify({ operation }),
      ...(status === 'completed' && typeof callId === 'string'
        ? { callId }
        : { output: JSON.stringify({ error: 'the patch was refused' }) }),
    }),
  };
}

/** The diff comes in the events of the item, or when it is done. */
function emptied(operation: unknown): JsonObject {
  const { type, path: file } = operation as PatchOperation;
  return type === 'delete_file' ? { type, path: file } : { type, path: file, diff: '' };
}
