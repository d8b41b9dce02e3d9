import type { Fact } from '@atelier/contract/facts';

/** A fact that holds, with the earlier ones that it replaced, newest first. */
export interface Standing {
  fact: Fact;
  replaced: Fact[];
}

/** What one agent knows about somebody or something. */
export interface Subject {
  about: string;
  facts: Standing[];
}

export interface AgentFacts {
  agentId: string;
  agentName: string;
  subjects: Subject[];
}

const SHARED = 'Shared';
const FIRST = ['You', SHARED];

/** Whom or what facts are about, for people. */
export const subjectName = (about: string) => (about === SHARED ? 'You and others' : about);

const rank = ({ about }: Subject) => (FIRST.includes(about) ? FIRST.indexOf(about) : FIRST.length);

/**
 * Facts by agent and by what they are about: the person first, then what they share with others, then people and things by name. A replaced
 * fact stands under the one that holds; one whose successor is not listed stands for itself.
 */
export function groupFacts(facts: readonly Fact[]): AgentFacts[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const standing = new Map<string, Standing>();
  const under: [string, Fact][] = [];
  for (const fact of facts) {
    const holder = holderOf(fact, byId);
    if (holder.id === fact.id) standing.set(fact.id, { fact, replaced: [] });
    else under.push([holder.id, fact]);
  }
  for (const [id, fact] of under) standing.get(id)?.replaced.push(fact);
  const agents = new Map<string, AgentFacts>();
  for (const one of standing.values()) {
    const { agentId, agentName, about } = one.fact;
    const agent = agents.get(agentId) ?? { agentId, agentName, subjects: [] };
    agents.set(agentId, agent);
    const subject = agent.subjects.find((entry) => entry.about === about);
    if (subject === undefined) agent.subjects.push({ about, facts: [one] });
    else subject.facts.push(one);
  }
  const byName = (a: Subject, b: Subject) => rank(a) - rank(b) || a.about.localeCompare(b.about);
  return [...agents.values()].map((agent) => ({ ...agent, subjects: agent.subjects.toSorted(byName) }));
}

/** The fact at the end of a chain of replacements, as far as it is listed. */
function holderOf(fact: Fact, byId: ReadonlyMap<string, Fact>): Fact {
  let holder = fact;
  for (let steps = 0; steps < byId.size; steps += 1) {
    const next = holder.replacedBy === undefined ? undefined : byId.get(holder.replacedBy);
    if (next === undefined) return holder;
    holder = next;
  }
  return holder;
}
