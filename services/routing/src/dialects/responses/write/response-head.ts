import type { AnswerHead } from '../../dialect.ts';
import type { RepeatedRequest, ResponseHead } from './response-object.ts';

/** Returns the id of the item at an output index. It is unique within the response. */
export type ItemIds = (prefix: string, outputIndex: number) => string;

/** The response repeats this if the client asked for reasoning that the model cannot do. */
const noReasoning = { effort: 'none', summary: null };

/** Returns the head of a response with its id, and the function for the ids of its items. */
export function headOf(
  { name, model, createdAt, maxOutputTokens, dropsThinking, isForCodex = false }: AnswerHead,
  { echo, tellsEncrypted, tellsSummaries }: RepeatedRequest,
): readonly [ResponseHead, ItemIds] {
  const itemId: ItemIds = (prefix, index) => `${prefix}_${name}_${String(index)}`;
  const isLimitAsAsked =
    maxOutputTokens === undefined || maxOutputTokens === echo.max_output_tokens;
  const isAsAsked = isLimitAsAsked && !dropsThinking;
  const repeated = isAsAsked
    ? echo
    : {
        ...echo,
        ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
        ...(dropsThinking && { reasoning: noReasoning }),
      };
  const id = `resp_${name}`;
  const told = { tellsEncrypted, tellsSummaries, isForCodex };
  return [{ id, model, createdAt, echo: repeated, ...told }, itemId];
}
