/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** What the server declares; only as trustworthy as the server. */
  readOnly: boolean;
  /** All annotations, so that changing one counts as changing the tool. */
  annotations?: Record<string, unknown> | undefined;
  /** Why no model can be given this tool, in a sentence. */
  unusable?: string | undefined;
}

/** A picture, a sound or another file in an answer. */
export interface McpMedia {
  type: string;
  bytes: Uint8Array;
  /** Its address at the server, if it has one. */
  name?: string;
}

/** Something that an answer refers to. */
export interface McpLink {
  uri: string;
  name: string;
  description?: string;
}

/** A server's answer to a call. */
export interface McpResult {
  /** What a model reads, with a note for each file. */
  text: string;
  media: McpMedia[];
  links: McpLink[];
  structured?: Record<string, unknown>;
  isError: boolean;
}

/** How far a call has come, by the server's own count. */
export interface McpProgress {
  done: number;
  total?: number;
  message?: string;
}

/** Something that a server wants to know from the person in the middle of a call. */
export interface McpQuestion {
  message: string;
  /** JSON Schema of the answer: one object of plain fields. */
  schema: Record<string, unknown>;
  /** Aborts when the server does not wait for an answer any more. */
  signal: AbortSignal;
}
export type McpAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** What happens while a call works. */
export interface McpCall {
  signal: AbortSignal;
  onProgress?(progress: McpProgress): void;
  /** Asks the person; a server's question is declined without it. */
  ask?(question: McpQuestion): Promise<McpAnswer>;
}

export interface StdioServer {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** The server's own folder, created for it. */
  folder: string;
  /** Where it runs instead. */
  cwd?: string;
}

/** How a process ended, and what it last wrote for its operator. */
export interface Ending {
  how: string;
  lastLines: string[];
}

export interface McpResource {
  uri: string;
  name: string;
  description: string;
  type: string;
}
/** An address with blanks, as in RFC 6570. */
export interface McpTemplate {
  template: string;
  name: string;
  description: string;
}
export interface McpPrompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}
/** Text and files of a resource or prompt, bounded; `left` names the parts that are neither. */
export interface McpText {
  text: string;
  cut: boolean;
  left: string[];
  files?: McpFile[];
}
export interface McpFile {
  name: string;
  type: string;
  base64: string;
}

/** What a server has beside tools. Each throws McpRefused where the server itself refuses. */
export interface McpContents {
  resources(signal?: AbortSignal): Promise<{ resources: McpResource[]; templates: McpTemplate[]; more: boolean }>;
  prompts(signal?: AbortSignal): Promise<{ prompts: McpPrompt[]; more: boolean }>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpText>;
  getPrompt(name: string, values: Record<string, string>, signal?: AbortSignal): Promise<McpText>;
}

export interface McpConnection {
  contents: McpContents;
  listTools(signal?: AbortSignal): Promise<McpTool[]>;
  /**
   * Throws when the server fails; an error that the tool itself reports is a result. A call may take as long as it reports progress, up to
   * half an hour, and otherwise 50 seconds.
   */
  call(name: string, input: Record<string, unknown>, call: McpCall): Promise<McpResult>;
  /** Resolves when the connection ends, on either side. */
  readonly closed: Promise<Ending>;
  close(): Promise<void>;
}

/** The same connection, with `around` called for each request. */
export function aroundRequests(
  connection: McpConnection,
  around: <T>(request: () => Promise<T>) => Promise<T>,
): McpConnection {
  const { contents } = connection;
  return {
    ...connection,
    contents: {
      resources: (signal) => around(() => contents.resources(signal)),
      prompts: (signal) => around(() => contents.prompts(signal)),
      readResource: (uri, signal) => around(() => contents.readResource(uri, signal)),
      getPrompt: (name, values, signal) => around(() => contents.getPrompt(name, values, signal)),
    },
    listTools: (signal) => around(() => connection.listTools(signal)),
    call: (name, input, call) => around(() => connection.call(name, input, call)),
  };
}

/** The server itself answered that it won’t, in its own words. */
export class McpRefused extends Error {}

export type FailureKind =
  | 'said_no'
  | 'refused'
  | 'unreachable'
  | 'certificate'
  | 'sign_in'
  | 'forbidden'
  | 'not_found'
  | 'redirect'
  | 'server_error'
  | 'not_mcp'
  | 'timeout'
  | 'ended';

/** Why a server can’t be used; its message is a sentence that says what to do. */
export class McpUnreachable extends Error {
  readonly kind: FailureKind;
  /** What its process last wrote for its operator. */
  readonly lastLines: string[];
  constructor(kind: FailureKind, message: string, lastLines: string[] = []) {
    super(message);
    this.name = 'McpUnreachable';
    this.kind = kind;
    this.lastLines = lastLines;
  }
}
