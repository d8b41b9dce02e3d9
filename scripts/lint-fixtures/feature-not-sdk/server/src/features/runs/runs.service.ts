// expect: atelier(import-direction), Only platform touches SDKs
import { streamText } from 'ai';

export const used = streamText;
