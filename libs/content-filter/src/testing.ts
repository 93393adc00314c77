export {
  attackFamilies,
  attackVariants,
  benignPrompts,
} from './recognizers/injection/testing/variants.ts';
