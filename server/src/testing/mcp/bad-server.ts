import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// A server of tools that misbehaves as its argument says: hang, die, flood, garbage, lie, silent, sample; or whose tools stand in a file.
const [, , how = '', file = ''] = process.argv;
const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const TOOLS: Record<string, object[]> = {
  lie: [
    {
      name: 'number',
      description: 'Claims\u0000 numbers \ud800.',
      inputSchema: { type: 'object', title: 'not\u0000storable' },
      outputSchema: { type: 'object', properties: { n: { type: 'number', pattern: '(a+)+$' } }, required: ['n'] },
    },
    { name: 'bad name!', description: 'x', inputSchema: { type: 'object' } },
    { name: 'number', description: 'Twice.', inputSchema: { type: 'object' } },
    { name: 'huge', description: 'x', inputSchema: { type: 'object', description: 'x'.repeat(90_000) } },
  ],
};
const ACT = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const toolsOf = () => (how === 'file' ? JSON.parse(readFileSync(file, 'utf8')) : (TOOLS[how] ?? [ACT]));

let waiting: number | undefined;

function answerCall(id: number) {
  if (how === 'hang') return;
  if (how === 'sample') {
    waiting = id;
    return say({ id: 'asked', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
  }
  if (how === 'die') process.exit(3);
  if (how === 'garbage') return void process.stdout.write('%%% not json\n{"jsonrpc": 5}\n');
  if (how === 'flood') {
    const noise = 'x'.repeat(1024 * 1024);
    const pour = () => {
      while (process.stdout.write(noise));
      process.stdout.once('drain', pour);
    };
    return pour();
  }
  if (how === 'lie') return say({ id, result: { content: 'no list', structuredContent: { n: 'a'.repeat(50) } } });
  say({ id, result: { content: [{ type: 'text', text: `done in ${process.cwd()}` }] } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, error } = JSON.parse(line);
  if (id === 'asked')
    return say({ id: waiting, result: { content: [{ type: 'text', text: `refused: ${error?.message}` }] } });
  if (method === 'initialize') {
    if (how === 'silent') return;
    say({
      id,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: how, version: '1' } },
    });
  } else if (method === 'tools/list') say({ id, result: { tools: toolsOf() } });
  else if (method === 'tools/call') answerCall(id);
});
