/** A program of a client that uses tools which the API runs, and the lines that it prints for a model. */
export interface HostedProgram {
  readonly title: string;
  /** The file in `hosted-programs` without its ending. */
  readonly file: string;
  readonly prints: (model: string) => readonly (readonly unknown[])[];
}

const url = 'http://space.corpus.example/saturn';
const page = 'Saturn: facts about the planet (simulated web)';
const answer = `It has 146 ([page](${url})).`;
const query = 'moons of Saturn';
const printer = '{"query":"printer"}';

/** The inputs of all programs: scripts for the models of the simulator. */
export const inputs = {
  searching: `agent: call service_web_search {"query":"${query}"} then say ${answer}`,
  calling: `agent: call tickets_search ${printer} then say found`,
};

/** The simulator's own endpoint of the responses dialect takes these tools, and runs none of them. */
const hasTools = (model: string) => model === 'sim/echo';

function twice<Line>(...lines: readonly Line[]): readonly Line[] {
  return [...lines, ...lines];
}

const openai: HostedProgram = {
  title: 'web search of the openai package',
  file: 'openai-web-search',
  prints: () => {
    const search = ['web_search_call', 'completed', query, answer];
    const cited = ['url_citation', page, `[page](${url})`];
    return twice(...twice<readonly unknown[]>(search, cited, [true, true, true]));
  },
};

const mcp: HostedProgram = {
  title: 'MCP server of the openai package',
  file: 'openai-mcp',
  prints: (model) => {
    if (hasTools(model)) return [];
    const called = [
      'mcp_list_tools',
      ['search'],
      'mcp_call',
      'search',
      printer,
      printer,
      'found',
      true,
    ];
    return [...twice(called), ['mcp_approval_request', 'search', printer], [printer, 'found']];
  },
};

const refused: HostedProgram = {
  title: 'refusals of the openai package',
  file: 'openai-refusals',
  prints: (model) => {
    if (hasTools(model)) return twice(...twice(['served']));
    const refused = [true, `404 No endpoint of ${model} meets tools`];
    return twice(...twice(refused));
  },
};

const agents: HostedProgram = {
  title: 'hosted tools of the Agents SDK',
  file: 'agents-sdk',
  prints: (model) => {
    const searched: readonly unknown[][] = [
      ['completed', query, answer],
      [true, true],
    ];
    const called = [['mcp_list_tools', 'mcp_call', 'message'], 'found'];
    return [
      [true],
      ...twice(...searched),
      ['url_citation', page, `[page](${url})`],
      ...(hasTools(model) ? [] : [[true], ...twice(called)]),
    ];
  },
};

const anthropic: HostedProgram = {
  title: 'web search of the Anthropic SDK',
  file: 'anthropic-web-search',
  prints: () =>
    twice<readonly unknown[]>(
      ['server_tool_use', 'web_search', query, 'web_search_tool_result', true, url],
      [answer, 'end_turn'],
      ['web_search_result_location', page, url, true],
      [1, true, true],
    ),
};

const aiOpenai: HostedProgram = {
  title: "OpenAI's web search of the AI SDK",
  file: 'ai-sdk-openai',
  prints: () =>
    twice<readonly unknown[]>(
      [[['web_search', true]], query, answer, 'stop'],
      ['url', url, true, true],
    ),
};

const aiAnthropic: HostedProgram = {
  title: "Anthropic's web search of the AI SDK",
  file: 'ai-sdk-anthropic',
  prints: () =>
    twice<readonly unknown[]>(
      [[['web_search', true]], query, url, answer, 'stop'],
      ['url', url, page, true, true],
    ),
};

export const hostedPrograms: readonly HostedProgram[] = [
  openai,
  mcp,
  refused,
  agents,
  anthropic,
  aiOpenai,
  aiAnthropic,
];
