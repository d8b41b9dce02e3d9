import { z } from 'zod';
import type { Abilities } from './abilities.ts';
import { listedPrice, type Price } from './prices.ts';

/** A model as its provider lists it. */
export interface Listed {
  id: string;
  label?: string | undefined;
  /** Names the kind of server at some providers, for example `library` at Ollama. */
  ownedBy: string;
  /** What the provider says of it. */
  said: Partial<Abilities>;
  /** In US dollars, where it tells. */
  price?: Price | undefined;
}

const count = z.number().int().positive().optional().catch(undefined);
const words = z.array(z.string()).optional().catch(undefined);
const text = z.string().optional().catch(undefined);

/** The fields in which providers speak of a model; each of them knows only some. */
const listed = z.object({
  id: text,
  name: text,
  display_name: text,
  displayName: text,
  owned_by: text,
  type: text,
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
      z.looseObject({
        completion_chat: z.boolean().optional(),
        function_calling: z.boolean().optional(),
        vision: z.boolean().optional(),
        reasoning: z.boolean().optional(),
      }),
    ])
    .optional()
    .catch(undefined),
  // Gemini
  supportedGenerationMethods: words,
  thinking: z.boolean().optional().catch(undefined),
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
const OTHER_KINDS =
  'embed,whisper,tts,dall-e,moderation,transcribe,realtime,-audio,image,sora,davinci,babbage,rerank,bge-,turbo-instruct,veo,imagen,aqa'.split(
    ',',
  );

/** The chat models of a provider's list, in its order; null for an answer that is no list. */
export function readModelList(body: unknown): Listed[] | null {
  const read = lists.safeParse(body);
  if (!read.success) return null;
  return read.data.flatMap((item) => {
    const entry = listed.safeParse(item);
    if (!entry.success) return [];
    // Gemini calls them `models/…`.
    const id = (entry.data.id ?? entry.data.name ?? '').replace(/^models\//u, '');
    if (id === '' || id.length > 200 || !chats(id, entry.data)) return [];
    const { display_name, displayName, owned_by } = entry.data;
    return [
      {
        id,
        label: display_name ?? displayName,
        ownedBy: owned_by ?? '',
        said: saidOf(entry.data),
        price: entry.data.pricing,
      },
    ];
  });
}

function chats(id: string, entry: Entry): boolean {
  const { capabilities, supportedGenerationMethods: methods, architecture, type } = entry;
  if (methods !== undefined && !methods.includes('generateContent')) return false;
  if (capabilities !== undefined && !Array.isArray(capabilities) && capabilities.completion_chat === false)
    return false;
  if (architecture?.output_modalities?.includes('text') === false) return false;
  if (type !== undefined && ['embeddings', 'embedding', 'image', 'audio', 'rerank', 'moderation'].includes(type))
    return false;
  const name = id.toLowerCase();
  return !OTHER_KINDS.some((part) => name.includes(part));
}

function saidOf(entry: Entry): Partial<Abilities> {
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

/** Only what was said. */
export function without(said: { [K in keyof Abilities]?: Abilities[K] | undefined }): Partial<Abilities> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
