// expect: atelier(import-direction), Web features don't import each other
import { thing } from '../../sessions/session-list.tsx';

export const used = thing;
