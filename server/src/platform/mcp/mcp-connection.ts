/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** What the server declares; only as trustworthy as the server. */
  readOnly: boolean;
  /** All annotations, so that changing one counts as changing the tool. */
  annotations?: Record<string, unknown> | undefined;
}

/** A server's answer to a call. */
export interface McpResult {
  text: string;
  isError: boolean;
}

export interface McpConnection {
  listTools(signal?: AbortSignal): Promise<McpTool[]>;
  /** Throws when the server fails; an error that the tool itself reports is a result. */
  call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<McpResult>;
  /** Resolves when the connection ends, on either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}
