/** What a model can do, and how much it reads at once. */
export interface Abilities {
  tools: boolean;
  /** It reads pictures. */
  sight: boolean;
  /** It listens to sounds. */
  hearing: boolean;
  /** It thinks before it answers. */
  reasoning: boolean;
  /** False for models that refuse a temperature. */
  temperature: boolean;
  /** Prompt and answer together, in tokens. */
  contextTokens: number;
}

/** What is assumed of a model that nobody knows anything about. */
const UNKNOWN: Abilities = {
  tools: true,
  sight: false,
  hearing: false,
  reasoning: false,
  temperature: true,
  contextTokens: 16_000,
};

const TOOLS = { tools: true };
const SEES = { tools: true, sight: true };
const THINKS = { tools: true, reasoning: true };
const HEARS = { tools: true, hearing: true };
const SEES_AND_HEARS = { ...SEES, hearing: true };
const SEES_AND_THINKS = { ...SEES, reasoning: true };
const PLAIN = { tools: false };
/** OpenAI's models for reasoning refuse a temperature. */
const FIXED = { temperature: false };

/**
 * Models whose providers don't say: the beginning of the name, the window, and what is known. The longest beginning that fits counts.
 * A provider's own word and the operator's configuration come before this table.
 */
const FAMILIES: readonly (readonly [begins: string, contextTokens: number, known: Partial<Abilities>])[] = [
  ['gpt-3.5-turbo', 16_385, TOOLS],
  ['gpt-4', 8_192, TOOLS],
  ['gpt-4-32k', 32_768, TOOLS],
  ['gpt-4-turbo', 128_000, SEES],
  ['gpt-4o', 128_000, SEES],
  ['gpt-4o-audio', 128_000, HEARS],
  ['gpt-4o-mini-audio', 128_000, HEARS],
  ['gpt-audio', 128_000, HEARS],
  ['gpt-4.1', 1_047_576, SEES],
  ['gpt-4.5', 128_000, SEES],
  ['gpt-5', 400_000, { ...SEES_AND_THINKS, ...FIXED }],
  ['gpt-5-chat', 128_000, SEES],
  ['gpt-oss', 131_072, THINKS],
  ['chatgpt-4o', 128_000, { tools: false, sight: true }],
  ['o1', 200_000, { ...SEES_AND_THINKS, ...FIXED }],
  ['o1-mini', 128_000, { ...PLAIN, reasoning: true, ...FIXED }],
  ['o3', 200_000, { ...SEES_AND_THINKS, ...FIXED }],
  ['o4', 200_000, { ...SEES_AND_THINKS, ...FIXED }],
  ['claude', 200_000, SEES],
  ['gemini', 1_048_576, SEES_AND_HEARS],
  ['gemini-2.5', 1_048_576, { ...SEES_AND_HEARS, reasoning: true }],
  ['gemini-3', 1_048_576, { ...SEES_AND_HEARS, reasoning: true }],
  ['grok', 131_072, TOOLS],
  ['grok-4', 256_000, SEES_AND_THINKS],
  ['mistral', 32_768, TOOLS],
  ['mistral-large', 131_072, TOOLS],
  ['mistral-medium', 131_072, SEES],
  ['mistral-small', 131_072, SEES],
  ['ministral', 131_072, TOOLS],
  ['magistral', 40_000, THINKS],
  ['pixtral', 131_072, SEES],
  ['codestral', 131_072, TOOLS],
  ['deepseek', 65_536, TOOLS],
  ['deepseek-reasoner', 65_536, THINKS],
  ['deepseek-r1', 65_536, { ...PLAIN, reasoning: true }],
  ['command-r', 128_000, TOOLS],
  ['llama3', 8_192, PLAIN],
  ['llama-3', 8_192, PLAIN],
  ['llama3.1', 131_072, TOOLS],
  ['llama-3.1', 131_072, TOOLS],
  ['llama3.2', 131_072, TOOLS],
  ['llama-3.2', 131_072, TOOLS],
  ['llama3.2-vision', 131_072, { tools: false, sight: true }],
  ['llama3.3', 131_072, TOOLS],
  ['llama-3.3', 131_072, TOOLS],
  ['llama4', 131_072, SEES],
  ['llama-4', 131_072, SEES],
  ['meta-llama-3.1', 131_072, TOOLS],
  ['qwen', 32_768, TOOLS],
  ['qwen3', 40_960, THINKS],
  ['qwq', 32_768, THINKS],
  ['gemma', 8_192, PLAIN],
  ['gemma3', 131_072, { tools: false, sight: true }],
  ['gemma-3', 131_072, { tools: false, sight: true }],
  ['phi3', 4_096, PLAIN],
  ['phi-3', 4_096, PLAIN],
  ['phi4', 16_384, PLAIN],
  ['phi-4', 16_384, PLAIN],
  ['llava', 4_096, { tools: false, sight: true }],
];

/** What the table knows of a model, by its name without the maker and the variant: `openai/gpt-4o:free` is `gpt-4o`. */
export function abilitiesOf(id: string): Partial<Abilities> {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  let best: (typeof FAMILIES)[number] | undefined;
  for (const entry of FAMILIES) {
    if (name.startsWith(entry[0]) && entry[0].length > (best?.[0].length ?? 0)) best = entry;
  }
  return best === undefined ? {} : { ...best[2], contextTokens: best[1] };
}

/** The abilities of a model from what each source says, the most trusted last. */
export const combineAbilities = (...parts: readonly Partial<Abilities>[]): Abilities =>
  Object.assign({}, UNKNOWN, ...parts);
