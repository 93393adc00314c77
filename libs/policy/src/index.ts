export { defaultGuardrailId } from './default-guardrail-id.ts';
