import { agentFileEditing } from './tasks/agent/file-editing.ts';
import { agentMultiStepPlanning } from './tasks/agent/multi-step-planning.ts';
import { agentToolUse } from './tasks/agent/tool-use.ts';
import { agentWebResearch } from './tasks/agent/web-research.ts';
import { codeDebugging } from './tasks/code/debugging.ts';
import { codeDevops } from './tasks/code/devops.ts';
import { codeExplanation } from './tasks/code/explanation.ts';
import { codeFrontend } from './tasks/code/frontend.ts';
import { codeGeneration } from './tasks/code/generation.ts';
import { codeRefactoring } from './tasks/code/refactoring.ts';
import { codeReview } from './tasks/code/review.ts';
import { codeSql } from './tasks/code/sql.ts';
import { codeTesting } from './tasks/code/testing.ts';
import { visionDescription } from './tasks/facts/description.ts';
import { finance } from './tasks/facts/finance.ts';
import { health } from './tasks/facts/health.ts';
import { legal } from './tasks/facts/legal.ts';
import { qaKnowledge } from './tasks/facts/qa-knowledge.ts';
import { classification } from './tasks/language/classification.ts';
import { conversation } from './tasks/language/conversation.ts';
import { extraction } from './tasks/language/extraction.ts';
import { rewriting } from './tasks/language/rewriting.ts';
import { summarization } from './tasks/language/summarization.ts';
import { translation } from './tasks/language/translation.ts';
import { dataAnalysis } from './tasks/reasoning/data-analysis.ts';
import { logic } from './tasks/reasoning/logic.ts';
import { math } from './tasks/reasoning/math.ts';
import { science } from './tasks/reasoning/science.ts';
import type { TaskType } from './tasks/task.ts';
import { brainstorming } from './tasks/writing/brainstorming.ts';
import { creativeWriting } from './tasks/writing/creative-writing.ts';
import { email } from './tasks/writing/email.ts';
import { marketing } from './tasks/writing/marketing.ts';
import { roleplay } from './tasks/writing/roleplay.ts';

export type { Skill, TaskType } from './tasks/task.ts';

/** The task types. Among equals the first one wins. */
export const taskTypes: readonly TaskType[] = [
  codeDebugging,
  codeReview,
  codeRefactoring,
  codeTesting,
  codeExplanation,
  codeSql,
  codeFrontend,
  codeDevops,
  codeGeneration,
  agentMultiStepPlanning,
  agentWebResearch,
  agentFileEditing,
  agentToolUse,
  translation,
  summarization,
  extraction,
  classification,
  rewriting,
  conversation,
  email,
  marketing,
  roleplay,
  creativeWriting,
  brainstorming,
  dataAnalysis,
  math,
  logic,
  science,
  visionDescription,
  finance,
  legal,
  health,
  qaKnowledge,
];
