import { readFileSync } from 'node:fs';

const pem = readFileSync(new URL('./self-signed.pem', import.meta.url));
/** A certificate that only tests use, signed by nobody but itself, and its key. */
export const SELF_SIGNED = { key: pem, cert: pem };
