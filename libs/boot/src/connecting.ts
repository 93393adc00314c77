/**
 * How many connections of one server may wait to be taken; the kernel allows no more than its
 * net.core.somaxconn. One that finds no place tries again after a second: the 511 that Node.js asks for by
 * itself are soon taken when all clients come back at once, after a restart.
 */
export const connectingMax = 4_096;
