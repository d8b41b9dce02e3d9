import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

/** A tool that we offer over the Model Context Protocol. */
export interface OfferedTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** It changes nothing. */
  readOnly: boolean;
  /** Answers a call; `progress` tells the caller that the work goes on. */
  call(input: unknown, progress: () => void): Promise<string>;
}

interface OfferedResource {
  uri: string;
  name: string;
  mimeType: string;
  size?: number;
}

/** All that one request may use. */
export interface Offer {
  name: string;
  instructions: string;
  tools: OfferedTool[];
  /** None when the caller may not read. */
  resources?: {
    list(cursor: string | undefined): Promise<{ resources: OfferedResource[]; nextCursor?: string | undefined }>;
    read(uri: string): Promise<string>;
  };
}

/** JSON-RPC's codes. */
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;
const VERSION = '1';

/** Answers one request over streamable HTTP. Nothing is kept between requests, so any process can. Throws 400 for another protocol. */
export async function serveMcp(log: Log, offer: Offer, request: Request, body: unknown): Promise<Response> {
  const { WebStandardStreamableHTTPServerTransport: Transport } = await import(
    '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
  );
  const server = await createServer(log, offer);
  const transport = new Transport({});
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (response.status < 400) return response;
  await server.close();
  const { data } = refusal.safeParse(await response.json().catch(() => null));
  throw new AppError('invalid_input', data?.error.message ?? 'The request is not valid.');
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

async function createServer(log: Log, { name, instructions, tools, resources }: Offer) {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const safely = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) throw new types.McpError(INVALID_PARAMS, error.message);
      log.error('mcp.serve', error);
      throw new types.McpError(INTERNAL, 'Something went wrong on the server.');
    }
  };
  const capabilities = { tools: {}, ...(resources === undefined ? {} : { resources: {} }) };
  const server = new Server({ name, version: VERSION }, { capabilities, instructions });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools.map(({ name: id, description, input, readOnly }) => ({
      name: id,
      description,
      inputSchema: { ...z.toJSONSchema(input), type: 'object' as const },
      annotations: { readOnlyHint: readOnly },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, { sendNotification }) =>
    safely(async () => {
      const tool = tools.find((one) => one.name === params.name);
      if (tool === undefined)
        throw new AppError('not_found', `There is no tool “${params.name}”, or not for this key.`);
      const progressToken = params._meta?.progressToken;
      let progress = 0;
      const tell = () => {
        progress += 1;
        if (progressToken === undefined) return;
        void sendNotification({ method: 'notifications/progress', params: { progressToken, progress } }).catch(
          () => {},
        );
      };
      return callTool(tool, params.arguments ?? {}, tell);
    }),
  );
  if (resources === undefined) return server;
  server.setRequestHandler(types.ListResourcesRequestSchema, ({ params }) =>
    safely(() => resources.list(params?.cursor)),
  );
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) =>
    safely(async () => ({ contents: [{ uri, mimeType: 'text/plain', text: await resources.read(uri) }] })),
  );
  return server;
}

/** A refusal is the tool's own answer, so that a model can read it and do better. */
async function callTool(tool: OfferedTool, input: object, progress: () => void) {
  const read = tool.input.safeParse(input);
  const toolAnswer = (text: string, isError: boolean) => ({ content: [{ type: 'text' as const, text }], isError });
  if (!read.success) return toolAnswer(read.error.issues[0]?.message ?? 'The input is not valid.', true);
  try {
    return toolAnswer(await tool.call(read.data, progress), false);
  } catch (error) {
    if (error instanceof AppError) return toolAnswer(error.message, true);
    throw error;
  }
}
