import { Type } from 'typebox';
import { anything, field, flag, integer, kindOf, listOf, optional, text, word } from '../fields.ts';
import { effort } from '../service-fields/model-options.ts';
import { anyPictureUrl } from '../service-fields/media.ts';
import {
  encrypted,
  file_id,
  id,
  item,
  itemId,
  server_label,
  toolArguments,
  toolName,
} from './item-fields.ts';

const exitCode = integer(Number.MIN_SAFE_INTEGER);

const mcp = [
  item('mcp_list_tools', {
    id: itemId,
    server_label,
    tools: field(
      listOf(
        Type.Object({
          name: toolName,
          input_schema: field(anything, 'JSON Schema of the arguments.', { type: 'object' }),
          description: optional(text(), 'What the tool does.', 'Finds tickets.'),
        }),
      ),
      'The tools of the server.',
    ),
  }),
  item('mcp_approval_request', {
    id: itemId,
    server_label,
    name: toolName,
    arguments: toolArguments,
  }),
  item('mcp_approval_response', {
    approval_request_id: field(word, 'Id of the request for approval.', 'mcpr_1'),
    approve: field(flag, 'Whether the call is approved.'),
    id,
    reason: optional(text(), 'The reason.', 'The ticket is mine.'),
  }),
  item('mcp_call', {
    id: itemId,
    server_label,
    name: toolName,
    arguments: toolArguments,
    output: optional(text(), 'The output of the call.'),
    error: optional(
      Type.Union([
        text(),
        item('mcp_tool_execution_error', {
          content: field(Type.Optional(anything), 'What the tool answered.', 'no such ticket'),
        }),
        Type.Object({
          type: kindOf('http_error', 'mcp_protocol_error'),
          code: optional(exitCode, 'The code of the error.', 404),
          message: optional(text(), 'A sentence for people.', 'There is no such ticket.'),
        }),
      ]),
      'What went wrong; null: nothing.',
    ),
  }),
] as const;

const others = [
  item('compaction', {
    encrypted_content: encrypted,
    id,
  }),
  item('context_compaction', {
    encrypted_content: optional(encrypted),
    id,
  }),
  item('agent_message', {
    author: field(text(), 'The agent that wrote the message.', 'helper'),
    recipient: field(text(), 'The agent that the message is for.', 'worker'),
    content: field(
      listOf(
        Type.Union([
          item('input_text', {
            text: field(text(), 'The text.', 'Say hello'),
          }),
          item('input_image', {
            image_url: optional(anyPictureUrl),
            file_id,
            detail: optional(text(), 'How closely the model looks at the picture.', 'auto'),
          }),
          item('encrypted_content', {
            encrypted_content: encrypted,
          }),
        ]),
      ),
      'The parts of the message.',
    ),
    agent: optional(
      Type.Object({ agent_name: field(text(), 'Name of the agent.', 'helper') }),
      'The agent that wrote the message.',
    ),
    id,
  }),
  item('configuration_update', {
    reasoning: field(Type.Object({ effort }), 'How the model thinks.'),
    id,
  }),
] as const;

/** Items of remote tools, of other agents and of compacted histories. */
export const agentItems = [...mcp, ...others] as const;
