import { bubblewrapHere } from '../../testing/engines-here.ts';
import { escapeSuite } from '../../testing/escape-suite.ts';

escapeSuite('bubblewrap', await bubblewrapHere(), {
  hasOwnKernel: false,
  devices: [],
  boundsFiles: true,
  mayBeLost: false,
});
