// expect: atelier(import-direction), The server never imports the web
import { thing } from '../../../../web/app/lib/http.ts';

export const used = thing;
