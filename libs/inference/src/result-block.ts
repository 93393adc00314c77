/** A call and its result as blocks of Anthropic's API. */
export interface ResultBlock {
  /** The name in `server_tool_use`, such as `web_search`. */
  readonly name: string;
  /** The type of the block with the result, such as `web_search_tool_result`. */
  readonly type: `${string}_tool_result`;
  readonly content: unknown;
}
