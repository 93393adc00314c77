export {
  attackFamilies,
  attackVariants,
  benignPrompts,
} from './recognizers/injection/testing/variants.ts';
export { ruleExamples as secretExamples } from './recognizers/secrets/testing/examples.ts';
export { type Disguise, disguised, disguises } from './views/testing/disguises.ts';
