import type { Abilities } from './catalogue/abilities.ts';
import type { Price } from './catalogue/prices.ts';
import type { Embedder } from './embedder.ts';
import type { TokenCount } from './tokens.ts';

/** The input of one run, the same for every provider. */
export interface GenerateInput {
  /** The agent's model id, for example `gpt-4`. */
  model: string;
  /** The whole system text: the agent's prompt and the quoted memory. */
  instructions: string;
  /** The conversation, oldest first; the last message is the person's new one. */
  messages: ModelMessage[];
  /** 0 to 2; left out for models that refuse one. */
  temperature?: number | undefined;
  signal: AbortSignal;
  /** What the model may call while it answers. */
  tools?: ModelTool[];
  /** What the tools have said so far, in the same order, as much of each as fits by now. */
  fitAnswers?: (answers: readonly unknown[]) => unknown[];
  /** The most that the answer may have. */
  maxTokens?: number;
  /** The most that all calls of an answer with tools may take, and the most of one. */
  allTokens?: { tokens: number; window: number };
  /** Told why the answer waits, in a sentence for people. */
  onWait?: (why: string) => void;
  /** Told about what it took, as far as it can be estimated, when an answer stops after its prompt was sent and before its `end`. */
  onUnfinished?: (tokens: TokenCount) => void;
  /** The same knowledge in parts, for the built-in offline model, which can't read prose. */
  context: GenerateContext;
}

/** A picture or a sound in a form that models accept. */
export interface ModelMedia {
  /** `image/png`, `image/jpeg`, `image/webp` or `image/gif`; `audio/wav` or `audio/mpeg`. */
  type: string;
  bytes: Uint8Array;
}

interface ModelMessage {
  role: 'user' | 'assistant';
  /** The person's or the agent's own words. */
  text: string;
  /** What came with the words: names and texts of attachments. */
  quoted?: string;
  /** Only for a model that sees. */
  pictures?: readonly ModelMedia[];
}

/** An answer of a tool with pictures and sounds for the model. */
export class AnswerWithMedia {
  readonly output: unknown;
  readonly media: readonly ModelMedia[];
  constructor(output: unknown, media: readonly ModelMedia[]) {
    this.output = output;
    this.media = media;
  }
}

/** A tool as the model sees it. Its name has only letters, digits, `_` and `-`. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
  /** Returns what the model should see, failures included, if need be with pictures and sounds; throws only when the whole run must end. */
  execute(input: unknown): Promise<unknown>;
}

/** The most rounds of calls; in the last round the model has to answer. */
export const STEPS_MAX = 8;

export interface GenerateContext {
  agentName: string;
  prompt: string;
  /** False when the agent neither recalls nor stores: messages stay in the session. */
  remembers: boolean;
  /** Best first. `sameSession`: said in this conversation. */
  memories: {
    id: string;
    kind: 'person' | 'agent' | 'file' | 'fact';
    text: string;
    timestamp: string;
    sessionName: string;
    sameSession: boolean;
    score: number;
    /** For a fact: the person wrote its text themselves. */
    corrected?: boolean | undefined;
    /** For a fact: the sentence that states it, in the person's very words. */
    words?: string | undefined;
  }[];
  /** Sentences that the person has corrected or asked to forget. */
  overruled?: readonly string[];
  /** What came with the person's new message. */
  attached?: readonly { name: string; kind: 'picture' | 'file' }[];
}

/** The older part of a long session, to be summarised. */
export interface SummaryInput {
  /** The summary of what came before these exchanges; empty at first. */
  previous: string;
  /** Oldest first. */
  exchanges: { inputText: string; message: string }[];
}

/** A short statement of the person, as a model found it. */
export interface DistilledFact {
  text: string;
  about: string;
  /** Which of the given sentences states it. */
  from: number;
}

/** A call that can't begin: there is no such tool, or its input is not JSON. The model gets the reason. */
export interface RefusedCall {
  name: string;
  /** As far as it could be parsed. */
  input: unknown;
  /** Why, for people. */
  sentence: string;
}

/** What ended an answer before its time: its length, or the provider's content filter. */
export type Cut = 'length' | 'filter';

export type ModelEvent =
  | { type: 'delta'; text: string }
  /** What the model thinks before it answers; never remembered, never sent back. */
  | { type: 'thought'; text: string }
  /** The last `chars` characters of the answer were thinking. */
  | { type: 'rethought'; chars: number }
  | ({ type: 'refused' } & RefusedCall)
  | { type: 'end'; usage: TokenCount; cut?: Cut };

/** What a model is asked for outside of a conversation. */
export interface SideQuestion {
  instructions: string;
  prompt: string;
  /** The most that the answer needs, beside thinking. */
  maxTokens?: number;
  /** The most that question and answer may have together. */
  allTokens?: number | undefined;
  temperature?: number;
}

/** A question in the background, and where its tokens are counted. */
interface Background {
  model: string;
  signal: AbortSignal;
  /** The most that it may take. */
  tokens?: number;
  /** Told what each call of a provider took, also when it failed or its words turn out to be of no use. */
  onTokens?: (tokens: TokenCount) => void;
}

/** Puts a question; returns the answer without its thoughts, empty where there is none. */
export type AskModel = (question: SideQuestion) => Promise<string>;

/** What models are asked for. */
export interface Answers {
  /** Ends with one `end` event or throws ProviderError; aborting `signal` throws the signal's reason. */
  stream(input: GenerateInput): AsyncIterable<ModelEvent>;
  /** A summary of a few hundred words; `extractive` when it consists of the conversation's own sentences. Throws ProviderError. */
  summarise(input: SummaryInput & Background): Promise<{ text: string; kind: 'model' | 'extractive' }>;
  /** The lasting facts among a person's own sentences; null without a model that can find them. Throws ProviderError. */
  distil(input: { sentences: readonly string[] } & Background): Promise<DistilledFact[] | null>;
  /** A session title of at most 60 characters for a first exchange. Throws ProviderError. */
  title(input: { question: string; answer: string } & Background): Promise<string>;
}

/** A model to choose, and what it can do. */
export interface ModelInfo extends Abilities {
  id: string;
  label: string;
}

/** A model as an operator excludes it: by the name of its provider, and its own name there. */
export interface ModelKey {
  provider: string;
  model: string;
}

/** How a provider failed: numbers and names of a program, nothing that a person or a model wrote. */
export interface ProviderFailure {
  at: Date;
  /** What it answered; null where there was no answer. */
  status: number | null;
  code: string | null;
  type: string | null;
}

/** When a provider last answered, and how it last failed. */
export interface ProviderUse {
  answeredAt: Date | null;
  failure: ProviderFailure | null;
}

/** By the providers' names. */
export type ProviderUses = Map<string, ProviderUse>;

/** A model that a provider lists, for the operator. */
interface ListedModel {
  /** Its id here. */
  id: string;
  label: string;
  /** Its name at the provider. */
  model: string;
  isOffered: boolean;
}

/** A provider, for the operator. */
export interface ProviderInfo {
  name: string;
  host: string;
  /** Where it is set: by OPENAI_… variables, or in MODELS_FILE. */
  origin: 'environment' | 'file';
  /** Why its list could not be read when it was last asked for. */
  problem: string | undefined;
  /** What it lists, or what is assumed of it. */
  models: readonly ListedModel[];
}

/** Why a model doesn't answer that an operator excludes. */
export const excludedSentence = (model: string): string =>
  `The operator of this server has taken the model “${model}” away. Choose another model for this agent.`;

export interface Models extends Answers {
  readonly kind: 'offline' | 'openai-compatible';
  /** For people: “Built-in offline model” or the providers' hosts. */
  readonly label: string;
  /** Null without an embedding model. */
  readonly embedder: Embedder | null;
  list(): ModelInfo[];
  /** The model that answers for an id: itself, or the stand-in where no provider has it. */
  resolve(id: string): ModelInfo;
  /** The same for a message that was accepted: also a model that an operator has excluded since. */
  accepted(id: string): ModelInfo;
  /** A window of so many tokens in tokens as `countTokens` counts, by what the model that answers for an id has counted and refused. */
  measured(id: string, tokens: number): number;
  /** The model that answers for those that no provider has; null where nothing stands in. */
  standIn(): string | null;
  /** The model's own price; null if it is unknown. */
  priceOf(id: string): Price | null;
  /** The currency of all prices. */
  readonly currency: string;
  /** Asks the providers again which models they have; never throws. */
  refresh(): Promise<void>;
  /** The providers and what they list, excluded models too. */
  providers(): readonly ProviderInfo[];
  /** Offers all that the providers list but these. Nobody is answered by them; work in the background goes to the stand-in. */
  exclude(keys: readonly ModelKey[]): void;
  isExcluded(id: string): boolean;
  /** The ids of excluded models. */
  excluded(): string[];
  /** How providers were used; who stores an entry deletes it here. */
  readonly uses: ProviderUses;
  /** Tries a provider: asks for its list and, if need be, one of its models a question. Returns what works; throws ProviderError. */
  probe(provider: string, asks: boolean): Promise<string>;
}

/** The name of the model that answers for an id, for figures; `other` where no provider has told of it, because a person typed it then. */
export function publicModelName({ kind, list, resolve }: Models, requested: string): string {
  const { id } = resolve(requested);
  return kind === 'offline' || list().some((model) => model.id === id) ? id : 'other';
}

/** A message in words: what was said, and what came with it. */
export const messageText = ({ text, quoted = '' }: ModelMessage): string =>
  quoted === '' ? text : `${text}\n\n${quoted}`;
