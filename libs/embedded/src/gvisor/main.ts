import { fetchRunsc } from './install.ts';

/** `make install-gvisor` */
const path = await fetchRunsc();
if (path === undefined) {
  console.error('There is no Debian package of runsc: https://gvisor.dev/docs/user_guide/install');
  process.exitCode = 1;
} else console.log(`gVisor is at ${path}`);
