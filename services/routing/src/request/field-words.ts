/** The words of a client for the fields that a refusal names after the request is parsed. */
export interface FieldWords {
  readonly route: string;
  readonly input: string;
  readonly outputLimit: string;
  readonly effort: string;
  readonly thinkingBudget: string;
  readonly thinkingSwitch: string;
}

/** The words of `POST /responses`, which every dialect without words of its own has. */
export const responsesWords: FieldWords = {
  route: '/responses',
  input: 'input',
  outputLimit: 'max_output_tokens',
  effort: 'reasoning.effort',
  thinkingBudget: 'reasoning.max_tokens',
  thinkingSwitch: 'reasoning.enabled',
};
