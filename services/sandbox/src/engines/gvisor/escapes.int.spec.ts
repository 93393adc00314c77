import { gvisorHere } from '../../testing/engines-here.ts';
import { escapeSuite } from '../../testing/escape-suite.ts';

// Its kernel is a process of its own. Where it uses too much memory, the container ends as a whole.
escapeSuite('gVisor', await gvisorHere(), {
  hasOwnKernel: true,
  devices: ['fuse', 'net/tun'],
  boundsFiles: false,
  mayBeLost: true,
});
