export { instructionsOf, type PatternTest, patternTest } from './custom-patterns.ts';
