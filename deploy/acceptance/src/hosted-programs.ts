/** A program of a client that uses tools which the API runs, and the lines that it prints for a model. */
export interface HostedProgram {
  readonly title: string;
  /** The file in `hosted-programs` without its ending. */
  readonly file: string;
  readonly prints: (model: string, machine: Machine) => readonly (readonly unknown[])[];
}

/** A machine that runs the tests. */
export interface Machine {
  /** True if a sandbox works on it. */
  readonly hasSandbox: boolean;
}

const url = 'http://space.corpus.example/saturn';
const page = 'Saturn: facts about the planet (simulated web)';
const answer = `It has 146 ([page](${url})).`;
const query = 'moons of Saturn';
const operation = { type: 'create_file', path: 'a.txt', diff: '+one line' };
const printer = '{"query":"printer"}';

/** The inputs of all programs: scripts for the models of the simulator. */
export const inputs = {
  searching: `agent: call service_web_search {"query":"${query}"} then say ${answer}`,
  calling: `agent: call tickets_search ${printer} then say found`,
  drawing: 'agent: call service_image_generation {"prompt":"a lighthouse"} then say drawn',
  running: 'agent: call service_shell {"commands":["echo hello"]} then say ran',
  patching: `agent: call service_apply_patch ${JSON.stringify({ operation })} then say applied`,
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

const shortKinds: HostedProgram = {
  title: 'pictures, shell and patches of the openai package',
  file: 'openai-short-kinds',
  prints: (model, { hasSandbox }) => {
    if (hasTools(model)) return [];
    const answered = (items: readonly unknown[], text: string) => [items, text, true, true];
    const message = ['message', 'completed'];
    const drawn = answered([['image_generation_call', 'completed'], message], 'drawn');
    const status = hasSandbox ? 'completed' : 'incomplete';
    const calls = ['shell_call', 'shell_call_output'].map((type) => [type, status]);
    const output = { stdout: 'hello\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } };
    const ran = [['echo hello'], true, hasSandbox ? [output] : []];
    const patched = answered([['apply_patch_call', 'completed']], '');
    const applied = answered([message], 'applied');
    return [
      ...twice(drawn),
      ...twice(['PNG']),
      ...twice(answered([...calls, message], 'ran')),
      ...twice(ran),
      ...twice(patched),
      ...twice<readonly unknown[]>([operation, true], applied, applied),
    ];
  },
};

const refused: HostedProgram = {
  title: 'refusals of the openai package',
  file: 'openai-refusals',
  prints: (model) => {
    if (hasTools(model)) return twice(...twice(['served']));
    const refused = (kind: string) => [
      true,
      `404 No endpoint of ${model} meets tools: none runs ${kind}`,
    ];
    return [...twice(refused('code_interpreter')), ...twice(refused('file_search'))];
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
    const drawn: readonly unknown[][] = [
      ['completed', 'PNG', 'drawn'],
      [true, true],
    ];
    return [
      [true],
      ...twice(...searched),
      ['url_citation', page, `[page](${url})`],
      ...(hasTools(model) ? [] : [[true], ...twice(called), [true], ...twice(...drawn)]),
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
  shortKinds,
  refused,
  agents,
  anthropic,
  aiOpenai,
  aiAnthropic,
];
