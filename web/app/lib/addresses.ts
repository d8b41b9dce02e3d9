/** The path of a public agent; `search` keeps parts of the current address, for example the tag. */
export function publicAgentPath(creatorId: string, agentId: string, search = ''): string {
  return `/explore/${encodeURIComponent(creatorId)}/${encodeURIComponent(agentId)}${search}`;
}
