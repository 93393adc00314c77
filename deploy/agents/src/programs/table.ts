import type { Agent } from './agent.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** The agents that are tried, each at one version. */
export const agents: readonly Agent[] = [codex, claude, opencode, qwen, cline];
