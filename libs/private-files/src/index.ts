export { keptSecret, readPrivateFile, writePrivateFile } from './private-file.ts';
export { makePrivateDirectory } from './private-directory.ts';
export { closeToOthers } from './close-to-others.ts';
