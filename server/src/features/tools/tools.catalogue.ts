import { whySentence } from '@atelier/contract/search/why-found';
import type { filePassages } from '@atelier/contract/tools';
import { z } from 'zod';
import { recallScope } from '../../access.ts';
import { calculate } from '../../platform/arithmetic.ts';
import { runJavaScript, SANDBOX } from '../../platform/sandbox/javascript.ts';
import { recall } from '../memory/memory.service.ts';
import { searchMemories } from '../memory/search-memories.service.ts';
import { defineTool, type RunnableTool, ToolFailed } from './tools.define.ts';
import { fetchPage } from './web-page.ts';
import { timeIn } from './world-time.ts';

const QUERY_MAX = 2_000;
const RESULTS_MAX = 8;

const calculator = defineTool({
  id: 'calculator',
  description: 'Works out an arithmetic expression exactly, for example (12 + 3.5) * 4^2 or sqrt(2).',
  input: z.object({ expression: z.string().min(1).max(500) }),
  run: async ({ expression }) => {
    try {
      return { expression, value: calculate(expression) };
    } catch (error) {
      throw new ToolFailed(error instanceof Error ? error.message : 'This can’t be calculated.');
    }
  },
});

const currentTime = defineTool({
  id: 'current_time',
  description: 'Tells the date and time now, in any time zone or large city.',
  input: z.object({ place: z.string().max(100).default('UTC').describe('A time zone such as Europe/Oslo, or a city') }),
  run: async ({ place }) => timeIn(place, new Date()),
});

const javascript = defineTool({
  id: 'run_javascript',
  description:
    'Runs a JavaScript program in a sandbox and returns its last value and its console output. No network, files or timers; 64 MB, 1 second.',
  input: z.object({ code: z.string().min(1).max(SANDBOX.codeMax) }),
  run: async ({ code }, { signal }) => {
    const result = await runJavaScript(code, signal);
    if (result.error === null) return { value: result.value, console: result.console };
    throw new ToolFailed(result.console === '' ? result.error : `${result.error}\nConsole:\n${result.console}`);
  },
});

const webFetch = defineTool({
  id: 'web_fetch',
  description: 'Fetches a public web page and returns its title, text and links.',
  input: z.object({ url: z.string().min(1).max(2_000) }),
  addressOf: ({ url }) => url,
  run: async ({ url }, { ctx, uid, signal }) => fetchPage(ctx.config, uid, url, signal),
});

const searchMemory = defineTool({
  id: 'search_memory',
  description: 'Searches what was said in earlier conversations with this person.',
  input: z.object({ query: z.string().min(1).max(QUERY_MAX) }),
  run: async ({ query }, { ctx, uid, agentId, sessionId, plan, onRecalled }) => {
    const place = { userId: uid, agentId, sessionId, scope: recallScope(plan) };
    const memories = await searchMemories(ctx, { ...place, text: query, limit: RESULTS_MAX });
    await onRecalled(memories);
    return {
      // Without the session's name: a model may have made it from other people's words, and the item would not show that.
      memories: memories.map(({ kind, text, timestamp, why }) => ({
        by: kind === 'person' ? 'the person' : 'the agent',
        when: timestamp.slice(0, 10),
        text,
        ...(why && { why: whySentence(why) }),
      })),
    };
  },
});

const searchFiles = defineTool({
  id: 'search_files',
  description:
    'Searches the files that this agent was given; returns passages with the file and the place in it, to cite.',
  input: z.object({ query: z.string().min(1).max(QUERY_MAX) }),
  run: async ({ query }, { ctx, uid, agentId, sessionId, onRecalled }): Promise<z.infer<typeof filePassages>> => {
    const place = { userId: uid, agentId, sessionId, scope: 'files' as const };
    const passages = await recall(ctx, { ...place, text: query, limit: RESULTS_MAX });
    await onRecalled(passages);
    return {
      passages: passages.map(({ fileId = '', fileName = '', place: where = '', text }) => ({
        fileId,
        file: fileName,
        place: where,
        text,
      })),
    };
  },
});

/** The built-in tools, in the order of the catalogue. */
export const BUILT_IN: RunnableTool[] = [calculator, currentTime, javascript, webFetch, searchMemory, searchFiles];
