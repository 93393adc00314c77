import OpenAI from 'openai';
const client = new OpenAI({
  baseURL: process.env.BASE_URL,
  apiKey: process.env.API_KEY,
  maxRetries: 0,
});
// This model's API takes servers itself, and the simulator calls none.
if (model === 'sim/echo') return;
const server = { type: 'mcp', server_label: 'tickets', server_url: process.env.MCP_URL };
const body = { model, input: inputs.calling, tools: [{ ...server, require_approval: 'never' }] };
const whole = await client.responses.create(body);
const streamed = await client.responses.stream(body).finalResponse();
for (const { output, output_text: text, usage } of [whole, streamed]) {
  const list = output.find(({ type }) => type === 'mcp_list_tools');
  const call = output.find(({ type }) => type === 'mcp_call');
  print(
    list.type,
    list.tools.map(({ name }) => name),
    call.type,
    call.name,
    call.arguments,
    call.output,
    text,
    usage.total_tokens > 0,
  );
}
const careful = { ...body, tools: [{ ...server, require_approval: 'always' }] };
const asked = await client.responses.stream(careful).finalResponse();
const request = asked.output.at(-1);
print(request.type, request.name, request.arguments);
const approval = { type: 'mcp_approval_response', approval_request_id: request.id, approve: true };
const input = [{ role: 'user', content: inputs.calling }, ...asked.output, approval];
const approved = await client.responses.create({ ...careful, input });
print(approved.output.find(({ type }) => type === 'mcp_call').output, approved.output_text);
