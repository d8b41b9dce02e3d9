/** The path of a public agent; `search` keeps parts of the current address, for example the tag. */
export function publicAgentPath(creatorId: string, agentId: string, search = ''): string {
  return `/explore/${encodeURIComponent(creatorId)}/${encodeURIComponent(agentId)}${search}`;
}

/** The path of the composer that begins a session with an agent. */
export const chatPath = (agentId: string): string => `/runtime?${new URLSearchParams({ agent: agentId })}`;

/** The path of an exchange in its session, or of the session. */
export function exchangePath(sessionId: string, taskId?: string): string {
  return `/runtime?${new URLSearchParams({ sessionId, ...(taskId === undefined ? {} : { taskId }) })}`;
}
