/**
 * The number of connections of one server that may wait to be accepted. The kernel allows no more than its
 * net.core.somaxconn. A connection that finds no place tries again after a second. Node.js asks for 511 by default,
 * which are soon used up when all clients come back at once after a restart.
 */
export const connectingMax = 4_096;
