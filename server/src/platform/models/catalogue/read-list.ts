import { z } from 'zod';
import type { Abilities } from './abilities.ts';
import { listedPrice, type Price } from './prices.ts';

/** A model as its provider lists it. */
export interface ProviderModel {
  id: string;
  label?: string | undefined;
  /** Names the kind of server at some providers, for example `library` at Ollama. */
  ownedBy: string;
  /** What the provider says of it. */
  reported: Partial<Abilities>;
  /** In US dollars, where it tells. */
  price?: Price | undefined;
}

const count = z.coerce.number().int().positive().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const words = z.array(z.string()).optional().catch(undefined);
const text = z.string().optional().catch(undefined);

/** The fields in which providers speak of a model; each of them knows only some. */
const listed = z.object({
  id: text,
  name: text,
  model: text,
  display_name: text,
  displayName: text,
  owned_by: text,
  // What it is: Together and LM Studio; LiteLLM; Hugging Face and Cloudflare.
  type: text,
  mode: text,
  task: z
    .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
    .optional()
    .catch(undefined),
  // Whether it answers: Groq; others.
  active: flag,
  enabled: flag,
  available: flag,
  // How it is asked: GitHub; Cohere.
  supported_endpoints: words,
  endpoints: words,
  // The window: vLLM; OpenRouter and Together; Groq; Mistral and LM Studio; Anthropic; Gemini.
  max_model_len: count,
  context_length: count,
  context_window: count,
  max_context_length: count,
  loaded_context_length: count,
  max_input_tokens: count,
  inputTokenLimit: count,
  // llama.cpp
  meta: z.object({ n_ctx: count, n_ctx_train: count }).optional().catch(undefined),
  // OpenRouter
  top_provider: z.object({ context_length: count }).optional().catch(undefined),
  supported_parameters: words,
  architecture: z.object({ input_modalities: words, output_modalities: words }).optional().catch(undefined),
  // Mistral and LM Studio
  capabilities: z
    .union([
      z.array(z.string()),
      z.object({ completion_chat: flag, chat_completion: flag, function_calling: flag, vision: flag, reasoning: flag }),
    ])
    .optional()
    .catch(undefined),
  // Gemini
  supportedGenerationMethods: words,
  thinking: flag,
  // OpenRouter
  pricing: listedPrice.optional().catch(undefined),
});
type Entry = z.infer<typeof listed>;

const lists = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
]);

/** Parts of the names of models that don't chat, where the provider says no more than the name. */
const OTHER_KINDS = [
  'embed,bge-,gte-,e5-,minilm,rerank,colbert,moderation,guard,shieldgemma',
  'whisper,tts,transcribe,realtime,-audio,speech,orpheus,kokoro,parakeet,lyria,music',
  'dall-e,image,sora,veo,flux,stable-diffusion,sdxl,recraft,davinci,babbage,turbo-instruct,aqa,-ocr',
].flatMap((kinds) => kinds.split(','));

/** OpenAI’s own models that only its Responses interface answers for; gateways give them another name and pass them on. */
const RESPONSES_ONLY = /^(?:o\d-pro|gpt-5[^/]*-(?:pro|codex)|codex-|computer-use|o\d(?:-mini)?-deep-research)/u;

/** What a model is that doesn’t chat, in the words of servers that say it. */
const OTHER_TYPE =
  /embed|rerank|moderation|guard|safety|classif|image|video|audio|speech|transcri|feature-extraction|responses/u;
const CHATS = /chat|text-to-text/u;

/** The chat models of a provider's list, in its order; null for an answer that is no list. */
export function readModelList(body: unknown): ProviderModel[] | null {
  const read = lists.safeParse(body);
  if (!read.success) return null;
  return read.data.flatMap((item) => {
    const entry = listed.safeParse(typeof item === 'string' ? { id: item } : item);
    if (!entry.success) return [];
    // Gemini calls them `models/…`.
    const id = (entry.data.id ?? entry.data.name ?? entry.data.model ?? '').replace(/^models\//u, '');
    if (id === '' || id.length > 200 || !chats(id, entry.data)) return [];
    const { display_name, displayName, owned_by } = entry.data;
    return [
      {
        id,
        label: display_name ?? displayName,
        ownedBy: owned_by ?? '',
        reported: reportedIn(entry.data),
        price: entry.data.pricing,
      },
    ];
  });
}

function chats(id: string, entry: Entry): boolean {
  const { capabilities, supportedGenerationMethods: methods, architecture, type, mode, task } = entry;
  if ([entry.active, entry.enabled, entry.available].includes(false)) return false;
  const endpoints = entry.endpoints ?? entry.supported_endpoints ?? [];
  if (endpoints.length > 0 && !endpoints.some((one) => CHATS.test(one))) return false;
  if (methods !== undefined && !methods.includes('generateContent')) return false;
  const able = Array.isArray(capabilities) ? undefined : capabilities;
  if (able?.completion_chat === false || able?.chat_completion === false) return false;
  if (architecture?.output_modalities?.includes('text') === false) return false;
  const kinds = [type, mode, task].map((kind) => kind?.toLowerCase() ?? '');
  if (kinds.some((kind) => OTHER_TYPE.test(kind) && !CHATS.test(kind))) return false;
  const name = id.toLowerCase();
  return !RESPONSES_ONLY.test(name) && !OTHER_KINDS.some((part) => name.includes(part));
}

function reportedIn(entry: Entry): Partial<Abilities> {
  const { capabilities, supported_parameters: parameters, architecture, meta } = entry;
  const able = Array.isArray(capabilities) ? undefined : capabilities;
  const inputs = architecture?.input_modalities;
  return without({
    contextTokens:
      entry.max_model_len ??
      entry.loaded_context_length ??
      entry.top_provider?.context_length ??
      entry.context_length ??
      entry.context_window ??
      entry.max_context_length ??
      entry.inputTokenLimit ??
      entry.max_input_tokens ??
      meta?.n_ctx ??
      meta?.n_ctx_train,
    tools:
      able?.function_calling ??
      parameters?.includes('tools') ??
      (Array.isArray(capabilities) && capabilities.includes('tool_use') ? true : undefined),
    temperature: parameters?.includes('temperature'),
    sight: able?.vision ?? inputs?.includes('image') ?? (entry.type === 'vlm' ? true : undefined),
    hearing: inputs?.includes('audio'),
    reasoning: able?.reasoning ?? parameters?.includes('reasoning') ?? entry.thinking,
  });
}

/** Only what is known. */
export function without(abilities: { [K in keyof Abilities]?: Abilities[K] | undefined }): Partial<Abilities> {
  return Object.fromEntries(Object.entries(abilities).filter(([, value]) => value !== undefined));
}
