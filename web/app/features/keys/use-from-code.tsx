import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

/** Shows how to use an agent from code. */
export function UseFromCode({ agent, onClose }: { agent: { id: string; name: string }; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="Use this agent from code"
      description={`${agent.name} answers OpenAI’s interface and is an MCP server.`}
    >
      <Examples agentId={agent.id} />
    </Dialog>
  );
}

function Examples({ agentId }: { agentId: string }) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const tabs = useRef<HTMLDivElement>(null);
  const code = codeFor(language, window.location.origin, agentId);
  const [before = '', ...after] = code.split(KEY_PLACE);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = (CODE_LANGUAGES.indexOf(language) + step + CODE_LANGUAGES.length) % CODE_LANGUAGES.length;
    setLanguage(CODE_LANGUAGES[next] ?? language);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="flex flex-col gap-4">
      <p>
        Put an API key in the place of{' '}
        <mark className="rounded bg-sunken px-1 font-mono text-ink text-sm">{KEY_PLACE}</mark>. You can make one on the{' '}
        <Link to="/account" className="underline underline-offset-4">
          Account page
        </Link>
        .
      </p>
      <div ref={tabs} role="tablist" aria-label="Language" className="flex flex-wrap gap-2">
        {CODE_LANGUAGES.map((one) => (
          <Button
            key={one}
            id={`code-tab-${one}`}
            role="tab"
            size="sm"
            variant={one === language ? 'primary' : 'secondary'}
            aria-selected={one === language}
            aria-controls="code-panel"
            tabIndex={one === language ? 0 : -1}
            onKeyDown={move}
            onClick={() => setLanguage(one)}
          >
            {one}
          </Button>
        ))}
      </div>
      <div
        id="code-panel"
        role="tabpanel"
        aria-labelledby={`code-tab-${language}`}
        className="relative overflow-hidden rounded border bg-sunken"
      >
        <div className="absolute top-1 right-1">
          <CopyButton text={code} label="Copy code" />
        </div>
        <pre role="group" tabIndex={0} aria-label={`Code, ${language}`} className="overflow-x-auto py-3 pr-12 pl-4">
          <code className="font-mono text-sm leading-6">
            {before}
            {after.map((part, i) => (
              <span key={i}>
                <mark className="rounded bg-raised font-semibold px-1 text-ink">{KEY_PLACE}</mark>
                {part}
              </span>
            ))}
          </code>
        </pre>
      </div>
      <p className="text-muted text-sm">
        The agent remembers across calls. Closing the connection stops its answer. Programs that several people use need
        an agent for each of them, because an agent has one memory.
      </p>
    </div>
  );
}

/** Where the key belongs in an example. */
const KEY_PLACE = 'YOUR_API_KEY';

const CODE_LANGUAGES = ['curl', 'TypeScript', 'Python', 'MCP'] as const;
type CodeLanguage = (typeof CODE_LANGUAGES)[number];

const QUESTION = 'Hello! Who are you?';

/** An example that talks to the agent, complete but for the key. */
function codeFor(language: CodeLanguage, origin: string, agentId: string): string {
  const base = `${origin}/v1`;
  const model = JSON.stringify(agentId);
  switch (language) {
    case 'curl':
      return curlFor(base, agentId);
    case 'TypeScript':
      return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  apiKey: '${KEY_PLACE}',
  baseURL: '${base}',
});
const answer = await client.chat.completions.create({
  model: ${model},
  messages: [{ role: 'user', content: '${QUESTION}' }],
});
console.log(answer.choices[0].message.content);`;
    case 'Python':
      return `# pip install openai
from openai import OpenAI

client = OpenAI(
    api_key="${KEY_PLACE}",
    base_url="${base}",
)
answer = client.chat.completions.create(
    model=${model},
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(answer.choices[0].message.content)`;
    case 'MCP':
      return mcpFor(origin, agentId);
  }
}

function curlFor(base: string, agentId: string): string {
  const body = JSON.stringify({ model: agentId, messages: [{ role: 'user', content: QUESTION }] });
  return `curl ${base}/chat/completions \\
  -H "Authorization: Bearer ${KEY_PLACE}" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", "'\\''")}'`;
}

/** What many programs take as the settings of their MCP servers. */
function mcpFor(origin: string, agentId: string): string {
  const server = {
    type: 'http',
    url: `${origin}/mcp/${encodeURIComponent(agentId)}`,
    headers: { Authorization: `Bearer ${KEY_PLACE}` },
  };
  return JSON.stringify({ mcpServers: { [agentId]: server } }, null, 2);
}
