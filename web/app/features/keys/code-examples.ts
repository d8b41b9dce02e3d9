/** Where the key belongs in an example. */
export const KEY_PLACE = 'YOUR_API_KEY';

export const CODE_LANGUAGES = ['curl', 'TypeScript', 'Python', 'MCP'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

const QUESTION = 'Hello! Who are you?';

/** An example that talks to the agent, complete but for the key. */
export function codeFor(language: CodeLanguage, origin: string, agentId: string): string {
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
