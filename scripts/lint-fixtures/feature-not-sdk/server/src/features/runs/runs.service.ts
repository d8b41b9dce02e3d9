// expect: eslint(no-restricted-imports), Only platform touches SDKs
import { streamText } from 'ai';

export const used = streamText;
